#pragma once

#include <string_view>

/// Every statement of the pageview database, and its schema. docs: what lies on disk.
///
/// Facts are narrow rows of small numbers; texts stand once, in lookup tables. A view is one row in
/// `recent` (a bounded ring, for the last page views) and adds to three sums, the base of all
/// reports:
///   page_quarters  per quarter of an hour (UTC) and page   exact day edges in every time zone
///   page_days      per UTC day and page                    long ranges in few rows
///   site_quarters  per quarter of an hour and site         totals and charts
/// Their keys begin with the time, so that writing appends and old rows go in one piece; WITHOUT
/// ROWID, the key is the table and needs no index beside it. `verdict` is the number of Verdict. No
/// address of a client and no whole User-Agent is stored (rule R15).
namespace reef::pageviews::sql {

/// Migrations in order; entry 0 makes version 1. Released ones are never edited.
inline constexpr const char* kMigrations[] = {
    R"(
    CREATE TABLE sites(
        id INTEGER PRIMARY KEY, site INTEGER NOT NULL, text TEXT NOT NULL, first_day INTEGER NOT NULL,
        UNIQUE(site, text)) STRICT;
    CREATE TABLE paths(
        id INTEGER PRIMARY KEY, site INTEGER NOT NULL, text TEXT NOT NULL, first_day INTEGER NOT NULL,
        UNIQUE(site, text)) STRICT;
    CREATE TABLE referrers(
        id INTEGER PRIMARY KEY, site INTEGER NOT NULL, text TEXT NOT NULL, first_day INTEGER NOT NULL,
        UNIQUE(site, text)) STRICT;
    CREATE TABLE agents(
        id INTEGER PRIMARY KEY, site INTEGER NOT NULL, text TEXT NOT NULL, first_day INTEGER NOT NULL,
        UNIQUE(site, text)) STRICT;
    CREATE TABLE recent(
        id INTEGER PRIMARY KEY, time INTEGER NOT NULL, path INTEGER NOT NULL, referrer INTEGER NOT NULL,
        agent INTEGER NOT NULL, verdict INTEGER NOT NULL, status INTEGER NOT NULL, bytes INTEGER NOT NULL,
        micros INTEGER NOT NULL) STRICT;
    CREATE TABLE page_quarters(
        quarter INTEGER NOT NULL, path INTEGER NOT NULL, verdict INTEGER NOT NULL, views INTEGER NOT NULL,
        bytes INTEGER NOT NULL, micros INTEGER NOT NULL,
        PRIMARY KEY(quarter, path, verdict)) STRICT, WITHOUT ROWID;
    CREATE TABLE page_days(
        day INTEGER NOT NULL, path INTEGER NOT NULL, verdict INTEGER NOT NULL, views INTEGER NOT NULL,
        bytes INTEGER NOT NULL, micros INTEGER NOT NULL,
        PRIMARY KEY(day, path, verdict)) STRICT, WITHOUT ROWID;
    CREATE TABLE site_quarters(
        quarter INTEGER NOT NULL, site INTEGER NOT NULL, verdict INTEGER NOT NULL, views INTEGER NOT NULL,
        bytes INTEGER NOT NULL, micros INTEGER NOT NULL,
        PRIMARY KEY(quarter, site, verdict)) STRICT, WITHOUT ROWID;
    CREATE TABLE losses(quarter INTEGER PRIMARY KEY, views INTEGER NOT NULL) STRICT;
    )",
};

// The lookup tables have one shape; TABLE stands for the name.
inline constexpr std::string_view kFindText = "SELECT id FROM TABLE WHERE site = ?1 AND text = ?2";
inline constexpr std::string_view kInsertText =
    "INSERT INTO TABLE(site, text, first_day) VALUES(?1, ?2, ?3)";
inline constexpr std::string_view kCountTextsOfDay =
    "SELECT count(*) FROM TABLE WHERE first_day = ?1";

inline constexpr std::string_view kInsertRecent =
    "INSERT INTO recent(time, path, referrer, agent, verdict, status, bytes, micros)"
    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
inline constexpr std::string_view kTrimRecent =
    "DELETE FROM recent WHERE id <= (SELECT max(id) FROM recent) - ?1";

inline constexpr std::string_view kAddToPageQuarter =
    "INSERT INTO page_quarters VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET"
    " views = views + excluded.views, bytes = bytes + excluded.bytes, micros = micros + "
    "excluded.micros";
inline constexpr std::string_view kAddToPageDay =
    "INSERT INTO page_days VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET"
    " views = views + excluded.views, bytes = bytes + excluded.bytes, micros = micros + "
    "excluded.micros";
inline constexpr std::string_view kAddToSiteQuarter =
    "INSERT INTO site_quarters VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE SET"
    " views = views + excluded.views, bytes = bytes + excluded.bytes, micros = micros + "
    "excluded.micros";
inline constexpr std::string_view kAddToLosses =
    "INSERT INTO losses VALUES(?1, ?2) ON CONFLICT DO UPDATE SET views = views + excluded.views";

/// Views of the quarters [?1, ?2) by verdict.
inline constexpr std::string_view kTotals = "SELECT verdict, sum(views) FROM site_quarters WHERE "
                                            "quarter >= ?1 AND quarter < ?2 GROUP BY verdict";

/// The first quarter with a view (or null), and how many views were lost.
inline constexpr std::string_view kSpan =
    "SELECT (SELECT min(quarter) FROM site_quarters), (SELECT coalesce(sum(views), 0) FROM losses)";

/// Views by step of ?3 quarters and verdict, over the quarters [?1, ?2).
inline constexpr std::string_view kSeries =
    "SELECT (quarter - ?1) / ?3, verdict, sum(views) FROM site_quarters"
    " WHERE quarter >= ?1 AND quarter < ?2 GROUP BY 1, 2";

/// The ?7 most seen pages of verdict `person` in the days [?1, ?2) and the quarters [?3, ?4) and
/// [?5, ?6), which are the rest of the range at its two ends.
inline constexpr std::string_view kTopPages =
    "WITH parts(path, views, bytes, micros) AS ("
    " SELECT path, views, bytes, micros FROM page_days WHERE day >= ?1 AND day < ?2 AND verdict = 0"
    " UNION ALL"
    " SELECT path, views, bytes, micros FROM page_quarters WHERE quarter >= ?3 AND quarter < ?4 "
    "AND verdict = 0"
    " UNION ALL"
    " SELECT path, views, bytes, micros FROM page_quarters WHERE quarter >= ?5 AND quarter < ?6 "
    "AND verdict = 0"
    "), top AS ("
    " SELECT path, sum(views) AS views, sum(bytes) AS bytes, sum(micros) AS micros FROM parts"
    " GROUP BY path ORDER BY 2 DESC, path LIMIT ?7)"
    " SELECT sites.text, paths.text, views, bytes, micros FROM top"
    " JOIN paths ON paths.id = top.path JOIN sites ON sites.id = paths.site ORDER BY views DESC, "
    "top.path";

/// The last ?1 views, newest first.
inline constexpr std::string_view kRecent =
    "SELECT recent.time, sites.text, paths.text, coalesce(referrers.text, ''), agents.text, "
    "verdict, status,"
    " bytes, micros FROM recent JOIN paths ON paths.id = recent.path JOIN sites ON sites.id = "
    "paths.site"
    " JOIN agents ON agents.id = recent.agent LEFT JOIN referrers ON referrers.id = recent.referrer"
    " ORDER BY recent.id DESC LIMIT ?1";

} // namespace reef::pageviews::sql

#include "pageviews/store.h"

#include "base/log.h"
#include "base/text.h"
#include "pageviews/path_key.h"
#include "pageviews/quarter.h"
#include "pageviews/sql.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace reef::pageviews {

namespace {

/// Row 0 of the referrers does not exist: the view had none.
constexpr std::int64_t kNoReferrer = 0;
/// The lookup tables that do not divide by site.
constexpr std::int64_t kEverySite = 0;
constexpr std::size_t kMaxSiteName = 128;
/// More than any response has bytes or microseconds, and so little that no sum overflows.
constexpr std::uint64_t kMostPerView = std::uint64_t{1} << 40U;

std::string stampOf(std::time_t now) {
    std::tm parts{};
    gmtime_r(&now, &parts);
    char buffer[24];
    return {buffer, std::strftime(buffer, sizeof buffer, "%Y%m%dT%H%M%SZ", &parts)};
}

Sums sumsOf(const Event& event) noexcept {
    constexpr auto kMost = static_cast<std::int64_t>(kMostPerView);
    return {1, static_cast<std::int64_t>(std::min<ByteCount>(event.bytesSent, kMostPerView)),
            std::clamp<std::int64_t>(event.duration.count(), 0, kMost)};
}

std::uint64_t inodeOf(const std::string& file) noexcept {
    struct stat facts{};
    return ::stat(file.c_str(), &facts) == 0 ? facts.st_ino : 0;
}

} // namespace

Status setAside(const std::string& file) {
    const std::string aside = file + ".corrupt-" + stampOf(std::time(nullptr));
    if (std::rename(file.c_str(), aside.c_str()) != 0) return fail(Error::fromErrno());
    for (const char* companion : {"-wal", "-shm"}) {
        const int failed = std::rename((file + companion).c_str(), (aside + companion).c_str());
        if (failed != 0 && errno != ENOENT) return fail(Error::fromErrno());
    }
    log::error("pageviews", text::concat(file, " is not a sound database; it is now ", aside,
                                         ", and a fresh one is begun"));
    return {};
}

Result<std::unique_ptr<Store>> Store::open(const std::string& file, const StoreOptions& options) {
    auto store = openOnce(file, options);
    if (store || store.error() != Error::malformed) return store;
    if (auto moved = setAside(file); !moved) return fail(moved.error());
    return openOnce(file, options);
}

Result<std::unique_ptr<Store>> Store::openOnce(const std::string& file,
                                               const StoreOptions& options) {
    auto database = Database::open(file, Access::readWrite, options.busyTimeout);
    if (!database) return fail(database.error());
    if (auto migrated = database->migrate(sql::kMigrations); !migrated)
        return fail(migrated.error());
    std::unique_ptr<Store> store(new Store(std::move(*database), file, options));
    if (auto prepared = store->prepare(); !prepared) return fail(prepared.error());
    return store;
}

Store::Store(Database database, const std::string& file, const StoreOptions& options)
    : database_(std::move(database)), file_(file), options_(options), inode_(inodeOf(file)) {}

Status Store::prepare() {
    const auto prepared = database_.prepareInto({{&statements_.insertRecent, sql::kInsertRecent},
                                                 {&statements_.trimRecent, sql::kTrimRecent},
                                                 {&statements_.addToLosses, sql::kAddToLosses}});
    if (!prepared) return prepared;
    const struct {
        std::optional<Dictionary>& dictionary;
        std::string_view table;
        std::int64_t newPerDay;
    } tables[] = {{sites_, "sites", options_.sitesPerDay},
                  {paths_, "paths", options_.pathsPerDay},
                  {referrers_, "referrers", options_.referrersPerDay},
                  {agents_, "agents", options_.agentsPerDay}};
    for (const auto& table : tables) {
        auto opened = Dictionary::open(database_, table.table, table.newPerDay);
        if (!opened) return fail(opened.error());
        table.dictionary = std::move(*opened);
    }
    auto rollup = Rollup::open(database_);
    if (!rollup) return fail(rollup.error());
    rollup_ = std::move(*rollup);
    return {};
}

Status Store::begin() {
    auto begun = Transaction::begin(database_, Transaction::Kind::write);
    if (!begun) return fail(begun.error());
    transaction_.emplace(std::move(*begun));
    return {};
}

Status Store::add(const Event& event) {
    const std::int64_t quarter = quarterOf(event.time);
    startDay(dayOfQuarter(quarter));
    const auto agent = this->agent(event.userAgent);
    if (!agent) return fail(agent.error());
    const Verdict verdict = classify(event, Agent(agent->verdict, {}));
    if (!isRecorded(verdict)) return {};

    const auto site = this->site(event.site);
    if (!site) return fail(site.error());
    const auto path = this->path(*site, event);
    if (!path) return fail(path.error());
    const auto referrer = this->referrer(event);
    if (!referrer) return fail(referrer.error());

    const Sums sums = sumsOf(event);
    rollup_->add(quarter, *site, *path, verdict, sums);
    if (!isKeptSingly(event.time)) return {};
    return statements_.insertRecent.run(event.time.time_since_epoch().count(), *path, *referrer,
                                        agent->id, static_cast<std::int64_t>(verdict),
                                        std::int64_t{event.status}, sums.bytes, sums.micros);
}

bool Store::isKeptSingly(Time time) noexcept {
    const auto second = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
    if (second != second_) {
        second_ = second;
        singles_ = 0;
    }
    return singles_++ < options_.recentPerSecond;
}

Status Store::addLosses(Time when, std::uint64_t views) {
    return statements_.addToLosses.run(quarterOf(when), static_cast<std::int64_t>(views));
}

Status Store::commit() {
    if (auto flushed = rollup_->flush(); !flushed) return flushed;
    if (auto trimmed = statements_.trimRecent.run(options_.recentViews); !trimmed) return trimmed;
    if (auto committed = transaction_->commit(); !committed) return committed;
    transaction_.reset();
    rollup_->clear();
    return {};
}

void Store::rollback() noexcept {
    transaction_.reset();
    rollup_->clear();
    forget(); // numbers given in the batch are not valid
}

bool Store::isInPlace() const noexcept {
    return inode_ != 0 && inodeOf(file_) == inode_;
}

void Store::startDay(std::int64_t day) noexcept {
    const bool late =
        day == day_ - 1; // the queue of another loop may still hold views of yesterday
    if (day == day_ || late) return;
    forget(); // what was "(other)" yesterday may get a number of its own
    day_ = day;
}

void Store::forget() noexcept {
    for (auto* dictionary : {&*sites_, &*paths_, &*referrers_, &*agents_})
        dictionary->forget();
    knownAgents_.clear();
    knownSites_.clear();
    knownPaths_.clear();
    knownReferrers_.clear();
}

Result<Store::KnownAgent> Store::agent(std::string_view userAgent) {
    if (const auto* known = knownAgents_.find(userAgent)) return *known;
    const Agent agent = agentOf(userAgent);
    const auto id = agents_->idOf(kEverySite, agent.name, day_);
    if (!id) return fail(id.error());
    const auto found = KnownAgent(agent.verdict, *id);
    knownAgents_.insert(userAgent, found);
    return found;
}

Result<std::int64_t> Store::site(std::string_view name) {
    if (const auto* known = knownSites_.find(name)) return *known;
    const auto id =
        sites_->idOf(kEverySite, text::escapeControls(name.substr(0, kMaxSiteName)), day_);
    if (id) knownSites_.insert(name, *id);
    return id;
}

Result<std::int64_t> Store::path(std::int64_t site, const Event& event) {
    key_.assign(reinterpret_cast<const char*>(&site), sizeof site).append(event.path);
    if (!options_.keptParameters.empty()) key_.append(1, '?').append(event.query);
    if (const auto* known = knownPaths_.find(key_)) return *known;
    const auto id =
        paths_->idOf(site, pathKey(event.path, event.query, options_.keptParameters), day_);
    if (id) knownPaths_.insert(key_, *id);
    return id;
}

Result<std::int64_t> Store::referrer(const Event& event) {
    if (event.referrer.empty()) return kNoReferrer;
    key_.assign(event.host).append(1, ' ').append(event.referrer);
    if (const auto* known = knownReferrers_.find(key_)) return *known;
    const std::string referrer = referrerKey(event.referrer, event.host);
    const auto id = referrer.empty() ? kNoReferrer : referrers_->idOf(kEverySite, referrer, day_);
    if (id) knownReferrers_.insert(key_, *id);
    return id;
}

} // namespace reef::pageviews

#pragma once

#include "pageviews/database.h"
#include "pageviews/event.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <string>

namespace reef::pageviews::test {

using reef::test::Scratch;

/// One number out of a database file, by a connection of its own.
inline std::int64_t numberIn(const std::string& file, std::string_view sql) {
    auto database = Database::open(file, Access::readOnly, std::chrono::milliseconds(2000));
    REQUIRE(database);
    const auto number = database->integer(sql);
    REQUIRE(number);
    return *number;
}

/// One text, likewise.
inline std::string textIn(const std::string& file, std::string_view sql) {
    auto database = Database::open(file, Access::readOnly, std::chrono::milliseconds(2000));
    REQUIRE(database);
    auto statement = database->prepare(sql);
    REQUIRE(statement);
    REQUIRE(statement->step() == true);
    return std::string(statement->text(0));
}

inline constexpr std::string_view kFirefox =
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// 2026-11-30 21:15:09 UTC.
inline constexpr Time kNow{std::chrono::milliseconds(1'796'073'309'000)};

/// A page served to a person.
inline Event pageEvent(std::string_view path, Time time = kNow) {
    Event event;
    event.time = time;
    event.duration = std::chrono::microseconds(1500);
    event.bytesSent = 2048;
    event.status = 200;
    event.method = "GET";
    event.host = "example.org";
    event.path = path;
    event.contentType = "text/html; charset=utf-8";
    event.userAgent = kFirefox;
    return event;
}

} // namespace reef::pageviews::test

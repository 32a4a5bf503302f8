#pragma once

#include "base/bytes.h"
#include "pageviews/event.h"

#include <chrono>
#include <cstdint>
#include <string>

/// Numbers and times as people read them. Pure; English; times are UTC.
namespace reef::admin::format {

/// "1,234,567"
std::string count(std::uint64_t number);

/// "8%", and "<1%" for a part that is there and small. Nothing of nothing is "0%".
std::string share(std::uint64_t part, std::uint64_t whole);

/// "0.8 ms", "42 ms", "1.4 s", "2 min"
std::string duration(std::chrono::microseconds time);

/// "3 days 4 h", "5 h 12 min", "7 min", "12 s": the two largest units
std::string span(std::chrono::seconds time);

/// "512 B", "1.4 KB", "230 MB"; 1 KB is 1024 bytes
std::string bytes(ByteCount number);

/// "21:15:09", "21:15", "2026-11-30", "30 Nov", "2026-11-30T21:15:09Z"
std::string clock(pageviews::Time time);
std::string hour(pageviews::Time time);
std::string day(pageviews::Time time);
std::string shortDay(pageviews::Time time);
std::string timestamp(pageviews::Time time);

} // namespace reef::admin::format

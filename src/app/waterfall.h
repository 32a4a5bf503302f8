#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reef::app {

/// The course of a page, as a server told it (app/page_json.h). Times since the page began.
struct PageCourse {
    using Time = std::chrono::microseconds;

    struct Part {
        std::string target;
        std::size_t depth = 1;
        int status = 0;
        std::string source; ///< "made", "cached", "stale", "shared"
        unsigned attempts = 0;
        bool failed = false;
        bool standsIn = false;
        std::uint64_t bytes = 0;
        Time read{0};
        std::optional<Time> admitted; ///< or begun
        std::optional<Time> firstByte;
        std::optional<Time> ended;
        std::string why;
        std::string lastError;
    };

    std::string target;
    std::string when; ///< "2026-11-30 21:15:09", UTC
    int status = 0;
    std::uint64_t bytes = 0;
    bool complete = false;
    std::optional<Time> head;
    Time ended{0};
    std::size_t untraced = 0;
    std::vector<Part> parts;
};

/// A page for a terminal of `width` columns: a line for each part, with a bar from when its
/// directive was read to its end ("·" it waits for its turn, "░" it works, "█" its content comes).
/// Texts from outside are escaped. Pure.
std::string waterfall(const PageCourse& page, std::size_t width);

/// A line for each page: when, status, time, parts, the part that took longest. Pure.
std::string pageList(const std::vector<PageCourse>& pages, std::size_t width);

/// Of what "explain" and "pages" on the control socket answer; nothing when it cannot be read.
struct Explanation {
    int status = 0;
    std::uint64_t bytes = 0;
    PageCourse::Time took{0};
    std::string why;
    std::optional<PageCourse> page;
};
std::optional<Explanation> readExplanation(const std::string& json);
std::optional<std::vector<PageCourse>> readPages(const std::string& json);

} // namespace reef::app

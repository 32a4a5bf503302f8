#pragma once

#include "base/bytes.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace reef::compose {

/// Where the answer to an include came from.
enum class FragmentSource : std::uint8_t {
    made,   ///< for this page
    cached, ///< kept from an earlier time
    stale,  ///< the same, and too old: nothing newer was to be had yet
    shared, ///< made for somebody else at the same time
};

/// The course of one fragment. A time that is `{}` has not come.
struct FragmentTrace {
    using Time = std::chrono::steady_clock::time_point;

    std::string target; ///< as resolved
    int depth = 1;      ///< 1: in the client's page
    std::size_t line = 0;
    Time read;      ///< its directive was performed
    Time begun;     ///< it was its turn to start
    Time admitted;  ///< its island was let in
    Time firstByte; ///< of its content
    Time ended;
    ByteCount bytes = 0;   ///< of content, as it came into the page
    int status = 0;        ///< of its answer, or of its failure; 0: none
    unsigned attempts = 0; ///< 1 unless it was tried again
    bool failed = false;   ///< nothing, the error text or a stand-in is what the page has of it
    bool standsIn = false; ///< the last attempt was at what its include names in its place
    FragmentSource source = FragmentSource::made;
    std::string why;       ///< it failed; may quote the island: hostile text
    std::string lastError; ///< the last line of its island's standard error; hostile text
};

/// The course of a page and of all that it includes, at any depth, while it goes on. One thread.
class PageTrace {
public:
    /// Further fragments leave no trace; they are counted.
    static constexpr std::size_t kMaxFragments = 200;

    PageTrace() : began(std::chrono::steady_clock::now()) {}

    /// Null: there are too many. Stays where it is.
    FragmentTrace* add(std::string_view target, int depth, std::size_t line) {
        if (fragments.size() == kMaxFragments) {
            ++left;
            return nullptr;
        }
        FragmentTrace& trace = fragments.emplace_back();
        trace.target = target;
        trace.depth = depth;
        trace.line = line;
        trace.read = std::chrono::steady_clock::now();
        return &trace;
    }

    FragmentTrace::Time began;
    FragmentTrace::Time headSent; ///< `{}`: it has not left before the page was complete
    FragmentTrace::Time ended;
    std::deque<FragmentTrace> fragments; ///< in the order in which they were read
    std::size_t left = 0;                ///< fragments without a trace
};

} // namespace reef::compose

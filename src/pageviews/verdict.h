#pragma once

#include <cstdint>
#include <string_view>

namespace reef::pageviews {

/// What one request is to the statistics, and why. Rows on disk hold these numbers: never renumber,
/// never reuse. The reason is kept, not only the class, so that a rule found wrong can be undone
/// for the past as well, by reading its number otherwise.
enum class Verdict : std::uint8_t {
    person = 0, ///< a page served to somebody

    agentMissing = 10,  ///< bots: no User-Agent
    agentShort = 11,    ///< too short or too plain for a browser's
    agentAddress = 12,  ///< names a web address, as crawlers do and browsers do not
    clientLibrary = 13, ///< curl and its kind
    knownBot = 14,      ///< on the list of names
    botWord = 15,       ///< says bot, crawler or spider
    scanner = 16,       ///< a tool that looks for holes

    prefetch = 40, ///< loaded ahead by a browser, perhaps never looked at (rule R5)
    feed = 50,     ///< RSS or Atom, whoever asks (rule R3)

    // From here on nothing is recorded.
    notGet = 200,      ///< HEAD, POST, …: a probe or an action (rule R1)
    notServed = 201,   ///< a redirect, an error (rule R2)
    partial = 202,     ///< 206: a piece of a download (rule R2)
    notPage = 203,     ///< a picture, a script, JSON (rule R3)
    notDocument = 204, ///< Sec-Fetch-Dest says it was not for the address bar (rule R6)
};

/// The coarse division that reports show.
enum class Class : std::uint8_t { people, bots, prefetched, feeds, unrecorded };

constexpr Class classOf(Verdict verdict) noexcept {
    const auto number = static_cast<std::uint8_t>(verdict);
    if (number < 10) return Class::people;
    if (number < 40) return Class::bots;
    if (number < 50) return Class::prefetched;
    return number < 200 ? Class::feeds : Class::unrecorded;
}

constexpr bool isRecorded(Verdict verdict) noexcept {
    return classOf(verdict) != Class::unrecorded;
}

/// A word for reports and JSON, for example "client-library"; "unknown" for a number of a later
/// version.
std::string_view nameOf(Verdict verdict) noexcept;

} // namespace reef::pageviews

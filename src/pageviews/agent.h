#pragma once

#include "pageviews/verdict.h"

#include <string_view>

namespace reef::pageviews {

/// Who asked, as far as a User-Agent tells.
struct Agent {
    Verdict verdict = Verdict::agentMissing; ///< `person`, or the bot verdict that fits first
    std::string_view name; ///< "Firefox", "curl", "Googlebot"; a view, see agentOf
};

/// Reads a User-Agent with the tables in agent.cpp, in the order of their weight: tools that look
/// for holes, client libraries, names of bots, the words bot/crawler/spider, a web address,
/// browsers; what is no known browser and too short or plain is a bot as well. Bot words win over
/// browser tokens.
///
/// The name is at most kMaxAgentName bytes of letters, digits, "-", "_", "." and blanks; it lies in
/// static memory or within `userAgent`. Pure; some microseconds, so its caller remembers verdicts.
Agent agentOf(std::string_view userAgent) noexcept;

inline constexpr std::size_t kMaxAgentName = 32;

} // namespace reef::pageviews

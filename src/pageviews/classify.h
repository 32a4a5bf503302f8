#pragma once

#include "pageviews/agent.h"
#include "pageviews/event.h"
#include "pageviews/verdict.h"

namespace reef::pageviews {

/// What the request was, its sender left aside: `person` for a page served to anybody, else
/// `prefetch`, `feed` or a reason not to record it. Pure and fast (no list is searched): decided on
/// the event loop, so that pictures and scripts cost the recorder nothing.
///
/// A 304 counts as the page it stands for. When its handler could not tell the type, Sec-Fetch-Dest
/// "document" tells it.
Verdict classifyRequest(const Event& event) noexcept;

/// The whole decision. `agent` is what `agentOf(event.userAgent)` says; a request that is more, or
/// less, than a page keeps the verdict that says so, whoever sent it.
Verdict classify(const Event& event, const Agent& agent) noexcept;

} // namespace reef::pageviews

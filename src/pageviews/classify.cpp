#include "pageviews/classify.h"

#include "base/text.h"

namespace reef::pageviews {

namespace {

enum class Content : std::uint8_t { page, feed, unknown, other };

Content contentOf(std::string_view contentType) noexcept {
    auto rest = contentType;
    const auto type = text::trim(text::takeUntil(rest, ';'));
    if (type.empty()) return Content::unknown;
    for (const auto page : {"text/html", "application/xhtml+xml"})
        if (text::equalsIgnoreCase(type, page)) return Content::page;
    for (const auto feed : {"application/rss+xml", "application/atom+xml", "application/feed+json"})
        if (text::equalsIgnoreCase(type, feed)) return Content::feed;
    return Content::other;
}

} // namespace

Verdict classifyRequest(const Event& event) noexcept {
    if (event.method != "GET") return Verdict::notGet;
    if (event.status == 206) return Verdict::partial;
    if (event.status != 200 && event.status != 304) return Verdict::notServed;

    auto content = contentOf(event.contentType);
    const bool forAddressBar = text::equalsIgnoreCase(event.fetchDestination, "document");
    if (content == Content::unknown && event.status == 304 && forAddressBar)
        content = Content::page;
    if (content != Content::page && content != Content::feed) return Verdict::notPage;

    if (!text::trim(event.purpose).empty()) return Verdict::prefetch;
    if (content == Content::feed) return Verdict::feed;
    if (!event.fetchDestination.empty() && !forAddressBar) return Verdict::notDocument;
    return Verdict::person;
}

Verdict classify(const Event& event, const Agent& agent) noexcept {
    const Verdict request = classifyRequest(event);
    return request == Verdict::person ? agent.verdict : request;
}

std::string_view nameOf(Verdict verdict) noexcept {
    switch (verdict) {
    case Verdict::person:
        return "person";
    case Verdict::agentMissing:
        return "agent-missing";
    case Verdict::agentShort:
        return "agent-short";
    case Verdict::agentAddress:
        return "agent-address";
    case Verdict::clientLibrary:
        return "client-library";
    case Verdict::knownBot:
        return "known-bot";
    case Verdict::botWord:
        return "bot-word";
    case Verdict::scanner:
        return "scanner";
    case Verdict::prefetch:
        return "prefetch";
    case Verdict::feed:
        return "feed";
    case Verdict::notGet:
        return "not-get";
    case Verdict::notServed:
        return "not-served";
    case Verdict::partial:
        return "partial";
    case Verdict::notPage:
        return "not-page";
    case Verdict::notDocument:
        return "not-document";
    }
    return "unknown";
}

} // namespace reef::pageviews

#include "compose/page_answer.h"

#include "base/content_hash.h"
#include "base/text.h"
#include "compose/page_head.h"

#include <algorithm>
#include <array>
#include <utility>

namespace reef::compose {

namespace {

bool isOneOf(std::string_view name, std::span<const std::string_view> names) noexcept {
    return std::ranges::any_of(
        names, [name](std::string_view other) { return text::equalsIgnoreCase(name, other); });
}

} // namespace

bool isForPages(int status) noexcept {
    return status >= 200 && status != 204 && status != 205 && status != 206 && status != 304;
}

PageAnswer::PageAnswer(const http::ResponseHead& head, Arena& memory, bool keepsLastModified)
    : memory_(memory), head_(pageHead(head, memory, keepsLastModified)) {
    if (!head_.fields.contains("Cache-Control")) return;
    observe(head_.fields);
    says_ = freshFor_.has_value();
    silent_ = false;
}

void PageAnswer::own() {
    http::ResponseHead copy(memory_, head_.status);
    copy.reason = memory_.copy(head_.reason);
    for (const http::HeaderField& field : head_.fields)
        copy.fields.add(memory_.copy(field.name), memory_.copy(field.value));
    head_ = std::move(copy);
}

void PageAnswer::add(const http::HeaderField& field) {
    head_.fields.add(memory_.copy(field.name), memory_.copy(field.value));
}

void PageAnswer::join(const http::ResponseHead& part) {
    constexpr std::array<std::string_view, 2> kJoined{"Set-Cookie", "Link"};
    for (const http::HeaderField& field : part.fields) {
        if (isOneOf(field.name, kJoined)) add(field);
        if (text::equalsIgnoreCase(field.name, "Vary")) varyBy(field.value);
    }
    observe(part.fields);
}

void PageAnswer::observe(const http::HeaderList& fields) {
    const auto own = cache::cacheControlOf(fields);
    caching_.noStore = caching_.noStore || own.noStore;
    caching_.noCache = caching_.noCache || own.noCache;
    caching_.isPrivate = caching_.isPrivate || own.isPrivate || fields.contains("Set-Cookie");
    if (!own.maxAge) {
        silent_ = true;
        return;
    }
    const auto age = text::parseDecimal(fields.find("Age").value_or("0")).value_or(0);
    const auto left = *own.maxAge - std::min(*own.maxAge, std::chrono::seconds(age));
    freshFor_ = std::min(freshFor_.value_or(left), left);
}

void PageAnswer::sayHowLong(bool whole) {
    const bool tells = whole && freshFor_ && (says_ || !silent_);
    if (!caching_.noStore && !caching_.noCache && !caching_.isPrivate && !tells) return;
    std::string said;
    const auto say = [&said](std::string_view what) {
        said += text::concat(said.empty() ? "" : ", ", what);
    };
    if (caching_.noStore) {
        say("no-store");
    } else {
        if (caching_.isPrivate) say("private");
        if (caching_.noCache) say("no-cache");
        if (tells) say(text::concat("max-age=", freshFor_->count()));
    }
    head_.fields.set("Cache-Control", memory_.copy(said));
}

void PageAnswer::varyBy(std::string_view names) {
    while (!names.empty()) {
        const auto name = text::trim(text::takeUntil(names, ','));
        const bool there = head_.fields.hasToken("Vary", name);
        if (!name.empty() && !there) head_.fields.add("Vary", memory_.copy(name));
    }
}

void PageAnswer::adopt(const http::ResponseHead& primary) {
    constexpr std::array<std::string_view, 4> kOfStatus{"Location", "WWW-Authenticate",
                                                        "Retry-After", "Allow"};
    head_.status = primary.status;
    head_.reason = memory_.copy(primary.reason);
    for (const http::HeaderField& field : primary.fields)
        if (isOneOf(field.name, kOfStatus)) add(field);
    join(primary);
}

bool PageAnswer::redirects() const noexcept {
    return head_.status >= 300 && head_.status <= 399 && head_.fields.contains("Location");
}

void PageAnswer::tag(std::span<const ByteView> content) {
    if (head_.status != 200) return;
    if (head_.fields.hasToken("Cache-Control", "no-store")) return;
    ContentHash hash;
    for (const ByteView piece : content)
        hash.add(piece);
    head_.fields.add("ETag", memory_.copy(text::concat('"', hash.text(), '"')));
}

} // namespace reef::compose

#include "compose/page_head.h"

#include "base/text.h"
#include "http/media_type.h"

#include <algorithm>

namespace reef::compose {

namespace {

constexpr std::string_view kStaleFields[] = {"Content-Length", "ETag",        "Last-Modified",
                                             "Accept-Ranges",  "Content-MD5", "Digest",
                                             "Content-Digest", "Repr-Digest"};

bool isStale(std::string_view name) noexcept {
    return std::ranges::any_of(kStaleFields, [name](std::string_view stale) {
        return text::equalsIgnoreCase(stale, name);
    });
}

bool isComposable(const http::ResponseHead& head, Compose which) noexcept {
    if (head.status == 204 || head.status == 206 || head.status == 304) return false;
    const auto coding = head.fields.find("Content-Encoding").value_or("identity");
    if (!text::equalsIgnoreCase(coding, "identity")) return false;
    if (which == Compose::all) return true;
    return http::isMediaType(head.fields.find("Content-Type").value_or(""), "text/html");
}

} // namespace

Treatment treatmentOf(const http::ResponseHead& head, http::Method method, Compose which) noexcept {
    if (!isComposable(head, which)) return Treatment::pass;
    return method == http::Method::head ? Treatment::headOnly : Treatment::compose;
}

http::ResponseHead pageHead(const http::ResponseHead& head, std::pmr::memory_resource& memory,
                            bool keepsLastModified) {
    http::ResponseHead out(memory, head.status);
    for (const http::HeaderField& field : head.fields) {
        const bool kept = keepsLastModified && text::equalsIgnoreCase(field.name, "Last-Modified");
        if (kept || !isStale(field.name)) out.fields.add(field.name, field.value);
    }
    return out;
}

} // namespace reef::compose

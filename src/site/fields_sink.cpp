#include "site/fields_sink.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace reef::site {

namespace {

constexpr std::array<std::string_view, 6> kOfContent{
    "Accept-Ranges", "Content-Encoding", "Content-Range", "ETag", "Last-Modified", "Location"};

bool mayStand(std::string_view name, const http::ResponseHead& head) {
    if (text::equalsIgnoreCase(name, "Content-Type"))
        return head.status != 206 || head.fields.contains("Content-Range");
    if (text::equalsIgnoreCase(name, "Content-Encoding"))
        return !head.fields.contains("Content-Encoding");
    return std::ranges::none_of(
        kOfContent, [&](std::string_view other) { return text::equalsIgnoreCase(name, other); });
}

} // namespace

http::ResponseHead FieldsSink::changed(const http::ResponseHead& head,
                                       std::optional<ByteCount> /*length*/) {
    http::ResponseHead changed = head;
    request_.answerFields.applyTo(changed);
    for (const auto& [name, value] : own_)
        if (mayStand(name, head) && !text::equalsIgnoreCase(name, "Set-Cookie"))
            changed.fields.remove(name);
    for (const auto& [name, value] : own_)
        if (mayStand(name, head)) changed.fields.add(name, value);
    return changed;
}

} // namespace reef::site

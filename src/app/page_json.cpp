#include "app/page_json.h"

namespace reef::app {

namespace {

using Time = compose::FragmentTrace::Time;

void write(JsonWriter& json, std::string_view name, Time began, Time time) {
    json.key(name);
    if (time == Time{}) {
        json.null();
        return;
    }
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(time - began).count();
    json.value(static_cast<std::uint64_t>(since < 0 ? 0 : since));
}

void write(JsonWriter& json, Time began, const compose::FragmentTrace& fragment) {
    const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
    json.beginObject().key("target").value(fragment.target);
    json.key("depth").value(number(fragment.depth)).key("line").value(number(fragment.line));
    json.key("status").value(number(fragment.status));
    json.key("source").value(nameOf(fragment.source));
    json.key("attempts").value(number(fragment.attempts));
    json.key("failed").value(number(fragment.failed));
    json.key("standsIn").value(number(fragment.standsIn));
    json.key("bytes").value(number(fragment.bytes));
    write(json, "read", began, fragment.read);
    write(json, "begun", began, fragment.begun);
    write(json, "admitted", began, fragment.admitted);
    write(json, "firstByte", began, fragment.firstByte);
    write(json, "ended", began, fragment.ended);
    json.key("why").value(fragment.why).key("lastError").value(fragment.lastError).endObject();
}

} // namespace

std::string_view nameOf(compose::FragmentSource source) {
    switch (source) {
    case compose::FragmentSource::made:
        return "made";
    case compose::FragmentSource::cached:
        return "cached";
    case compose::FragmentSource::stale:
        return "stale";
    case compose::FragmentSource::shared:
        return "shared";
    }
    return "";
}

void writePage(JsonWriter& json, const site::PageRecord& page) {
    const auto& trace = page.trace;
    const auto when =
        std::chrono::duration_cast<std::chrono::milliseconds>(page.when.time_since_epoch());
    json.beginObject().key("target").value(page.target).key("host").value(page.host);
    json.key("request").value(page.requestId);
    json.key("when").value(static_cast<std::uint64_t>(when.count()));
    json.key("status").value(static_cast<std::uint64_t>(page.status));
    json.key("bytes").value(static_cast<std::uint64_t>(page.bytes));
    json.key("complete").value(static_cast<std::uint64_t>(page.complete));
    write(json, "head", trace.began, trace.headSent);
    write(json, "ended", trace.began, trace.ended);
    json.key("untraced").value(static_cast<std::uint64_t>(trace.left));
    json.key("fragments").beginArray();
    for (const auto& fragment : trace.fragments)
        write(json, trace.began, fragment);
    json.endArray().endObject();
}

} // namespace reef::app

#include "compose/variables.h"

#include "base/text.h"

#include <algorithm>
#include <iterator>

namespace reef::compose {

namespace {

using Value = std::optional<std::string>;

const http::Request& clientRequest(const http::Request& page) noexcept {
    const http::Request* request = &page;
    while (request->lineage.parent != nullptr)
        request = request->lineage.parent;
    return *request;
}

struct Facts {
    const http::Request& page;   // where the echo stands
    const http::Request& client; // what the client asked for
    const PageTimes& times;
};

Value given(std::string_view text) {
    if (text.empty()) return std::nullopt;
    return std::string(text);
}

Value lastModified(const Facts& facts) {
    if (!facts.times.lastModified) return std::nullopt;
    return formatTime(*facts.times.lastModified, Zone::local, kTimeFormat);
}

Value documentName(const Facts& facts) {
    const auto path = facts.client.path;
    return given(path.substr(path.rfind('/') + 1));
}

Value queryString(const Facts& facts) {
    return std::string(facts.page.hasQuery ? facts.page.query : facts.client.query);
}

Value protocol(const Facts& facts) {
    return facts.client.version == http::Version::http10 ? "HTTP/1.0" : "HTTP/1.1";
}

Value https(const Facts& facts) {
    if (!facts.client.endpoints->secure) return std::nullopt;
    return "on";
}

struct Row {
    std::string_view name;
    Value (*value)(const Facts&);
};

constexpr Row kRows[] = {
    {"DATE_LOCAL",
     [](const Facts& f) -> Value { return formatTime(f.times.now, Zone::local, kTimeFormat); }},
    {"DATE_GMT",
     [](const Facts& f) -> Value { return formatTime(f.times.now, Zone::gmt, kTimeFormat); }},
    {"LAST_MODIFIED", lastModified},
    {"DOCUMENT_NAME", documentName},
    {"DOCUMENT_URI", [](const Facts& f) { return given(f.client.path); }},
    {"DOCUMENT_ARGS", [](const Facts& f) { return given(f.client.query); }},
    {"REQUEST_URI", [](const Facts& f) { return given(f.client.target); }},
    {"REQUEST_METHOD", [](const Facts& f) { return given(f.client.methodName); }},
    {"QUERY_STRING", queryString},
    {"REMOTE_ADDR", [](const Facts& f) { return given(f.client.endpoints->remoteAddress); }},
    {"REMOTE_PORT",
     [](const Facts& f) -> Value { return std::to_string(f.client.endpoints->remotePort); }},
    {"SERVER_NAME", [](const Facts& f) { return given(f.client.host); }},
    {"SERVER_ADDR", [](const Facts& f) { return given(f.client.endpoints->localAddress); }},
    {"SERVER_PORT",
     [](const Facts& f) -> Value { return std::to_string(f.client.endpoints->localPort); }},
    {"SERVER_PROTOCOL", protocol},
    {"HTTPS", https},
};

/// Field names as CGI writes them (RFC 3875 4.1.18). A field whose own name has an underscore is
/// nobody's: it would pass for another.
bool namesField(std::string_view variable, std::string_view field) noexcept {
    return std::ranges::equal(variable, field, [](char v, char f) {
        return f == '-' ? v == '_' : f != '_' && v == text::upper(f);
    });
}

constexpr std::string_view kSecretFields[] = {"AUTHORIZATION", "PROXY_AUTHORIZATION", "PROXY"};

Value requestField(const http::Request& client, std::string_view name) {
    if (std::ranges::find(kSecretFields, name) != std::end(kSecretFields)) return std::nullopt;
    Value value;
    for (const http::HeaderField& field : client.fields) {
        if (!namesField(name, field.name)) continue;
        if (value) {
            *value += name == "COOKIE" ? "; " : ", ";
        } else {
            value.emplace();
        }
        *value += field.value;
    }
    return value;
}

} // namespace

std::string formatTime(std::time_t time, Zone zone, std::string_view format) {
    constexpr std::size_t kLongest = 4096;
    std::string pattern;
    for (std::size_t i = 0; i != format.size(); ++i) {
        pattern += format[i];
        if (format[i] != '%' || i + 1 == format.size()) continue;
        ++i;
        if (zone == Zone::gmt && format[i] == 'Z') {
            pattern.replace(pattern.size() - 1, 1, "GMT");
        } else {
            pattern += format[i];
        }
    }
    pattern += ' '; // tells an empty result from a long one
    std::tm fields{};
    const bool known =
        (zone == Zone::gmt ? gmtime_r(&time, &fields) : localtime_r(&time, &fields)) != nullptr;
    if (!known) return {};
    std::string out;
    for (out.resize(128); out.size() <= kLongest; out.resize(out.size() * 2)) {
        const auto length = std::strftime(out.data(), out.size(), pattern.c_str(), &fields);
        if (length != 0) return out.substr(0, length - 1);
    }
    return {};
}

Value variable(const http::Request& page, std::string_view name, const PageTimes& times) {
    const Facts facts{page, clientRequest(page), times};
    if (name.starts_with("HTTP_")) return requestField(facts.client, name.substr(5));
    const auto* const row = std::ranges::find(kRows, name, &Row::name);
    if (row == std::end(kRows)) return std::nullopt;
    return row->value(facts);
}

} // namespace reef::compose

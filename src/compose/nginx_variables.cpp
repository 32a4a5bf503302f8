#include "compose/nginx_variables.h"

#include "base/text.h"
#include "compose/variables.h"

#include <algorithm>
#include <iterator>

namespace reef::compose {

namespace {

using Value = std::optional<std::string>;

/// `arg_NAME`: the first `NAME=value` of the query, as it was sent.
Value argument(std::string_view query, std::string_view name) {
    while (!query.empty()) {
        const auto pair = text::takeUntil(query, '&');
        const auto mark = pair.find('=');
        if (mark != std::string_view::npos && text::equalsIgnoreCase(pair.substr(0, mark), name))
            return std::string(pair.substr(mark + 1));
    }
    return std::nullopt;
}

Value cookie(const http::Request& page, std::string_view name) {
    const auto all = requestField(page, "Cookie");
    if (!all) return std::nullopt;
    std::string_view rest = *all;
    while (!rest.empty()) {
        const auto pair = text::trim(text::takeUntil(rest, ';'));
        const auto mark = pair.find('=');
        if (mark != std::string_view::npos && text::equalsIgnoreCase(pair.substr(0, mark), name))
            return std::string(pair.substr(mark + 1));
    }
    return std::nullopt;
}

struct Row {
    std::string_view name;
    Value (*value)(const http::Request&);
};

constexpr Row kRows[] = {
    {"uri", [](const http::Request& r) -> Value { return std::string(r.path); }},
    {"document_uri", [](const http::Request& r) -> Value { return std::string(r.path); }},
    {"request_uri", [](const http::Request& r) -> Value { return std::string(r.target); }},
    {"args", [](const http::Request& r) -> Value { return std::string(r.query); }},
    {"query_string", [](const http::Request& r) -> Value { return std::string(r.query); }},
    {"is_args", [](const http::Request& r) -> Value { return r.query.empty() ? "" : "?"; }},
    {"host", [](const http::Request& r) -> Value { return std::string(r.host); }},
    {"scheme",
     [](const http::Request& r) -> Value { return r.endpoints->secure ? "https" : "http"; }},
    {"request_id", [](const http::Request& r) -> Value { return std::string(r.id); }},
    {"content_type", [](const http::Request& r) { return requestField(r, "Content-Type"); }},
    {"content_length", [](const http::Request& r) { return requestField(r, "Content-Length"); }},
    {"request",
     [](const http::Request& r) -> Value {
         const auto& client = clientRequest(r);
         return text::concat(client.methodName, " ", client.target,
                             client.version == http::Version::http10 ? " HTTP/1.0" : " HTTP/1.1");
     }},
};

} // namespace

Value nginxVariable(const http::Request& page, std::string_view name) {
    if (name.starts_with("arg_")) return argument(page.query, name.substr(4));
    if (name.starts_with("http_")) return requestField(page, name.substr(5));
    if (name.starts_with("cookie_")) return cookie(page, name.substr(7));
    const auto* const row = std::ranges::find(kRows, name, &Row::name);
    return row == std::end(kRows) ? std::nullopt : row->value(page);
}

} // namespace reef::compose

#include "compose/variables.h"

#include "base/text.h"
#include "compose/encoding.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace reef::compose {

namespace {

using Value = std::optional<std::string>;

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
    return formatTime(*facts.times.lastModified, Zone::local, facts.times.format);
}

Value documentName(const Facts& facts) {
    if (!facts.client.document.empty()) return std::string(facts.client.document);
    const auto path = facts.client.path;
    return given(path.substr(path.rfind('/') + 1));
}

Value queryString(const Facts& facts) {
    return std::string(facts.page.hasQuery ? facts.page.query : facts.client.query);
}

/// Apache's escape for shells, over the decoded query.
Value queryUnescaped(const Facts& facts) {
    constexpr std::string_view kMarks = "&;`'\"|*?~<>^()[]{}$\\\n";
    const auto query = decoded(*queryString(facts), Encoding::url);
    std::string out;
    for (const char c : query) {
        if (kMarks.contains(c)) out += '\\';
        out += c;
    }
    return out;
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
     [](const Facts& f) -> Value { return formatTime(f.times.now, Zone::local, f.times.format); }},
    {"DATE_GMT",
     [](const Facts& f) -> Value { return formatTime(f.times.now, Zone::gmt, f.times.format); }},
    {"LAST_MODIFIED", lastModified},
    {"DOCUMENT_NAME", documentName},
    {"DOCUMENT_URI", [](const Facts& f) { return given(f.client.path); }},
    {"DOCUMENT_ARGS", [](const Facts& f) { return given(f.client.query); }},
    {"QUERY_STRING_UNESCAPED", queryUnescaped},
    {"REQUEST_SCHEME",
     [](const Facts& f) -> Value { return f.client.endpoints->secure ? "https" : "http"; }},
    {"REMOTE_USER", [](const Facts& f) { return given(f.client.remoteUser); }},
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

Value fieldOf(const http::Request& client, std::string_view name) {
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

/// The length of the conversion `format` begins with (`%`, flags, width, modifier, letter), or 0.
std::size_t conversionLength(std::string_view format) {
    if (!format.starts_with('%')) return 0;
    const auto letter = format.find_first_not_of("_-0^#+123456789EO", 1);
    return letter == std::string_view::npos ? 0 : letter + 1;
}

/// What strftime makes of one conversion. One it does not know stays as it is written: libraries
/// differ there, and musl gives up the whole text.
std::string converted(std::string_view conversion, const std::tm& fields) {
    const auto marked = std::string(conversion) + ' '; // tells an empty result from a refusal
    std::array<char, 256> out{};
    const auto length = std::strftime(out.data(), out.size(), marked.c_str(), &fields);
    return length == 0 ? std::string(conversion) : std::string(out.data(), length - 1);
}

} // namespace

std::string formatTime(std::time_t time, Zone zone, std::string_view format) {
    constexpr std::size_t kLongest = 4096;
    std::tm fields{};
    const bool known =
        (zone == Zone::gmt ? gmtime_r(&time, &fields) : localtime_r(&time, &fields)) != nullptr;
    if (!known) return {};
    std::string out;
    while (!format.empty()) {
        const auto length = conversionLength(format);
        const auto piece = format.substr(0, std::max<std::size_t>(length, 1));
        format.remove_prefix(piece.size());
        if (length == 0) {
            out += piece;
        } else if (zone == Zone::gmt && piece == "%Z") {
            out += "GMT";
        } else {
            out += converted(piece, fields);
        }
        if (out.size() > kLongest) return {};
    }
    return out;
}

const http::Request& clientRequest(const http::Request& page) noexcept {
    const http::Request* request = &page;
    while (request->lineage.parent != nullptr)
        request = request->lineage.parent;
    return *request;
}

Value requestField(const http::Request& page, std::string_view name) {
    std::string variableName;
    for (const char c : name)
        variableName += c == '-' ? '_' : text::upper(c);
    return fieldOf(clientRequest(page), variableName);
}

std::vector<std::string> variableNames(const http::Request& page) {
    std::vector<std::string> names;
    const PageTimes times(0, 0);
    const Facts facts{page, clientRequest(page), times};
    for (const Row& row : kRows)
        if (row.name == "LAST_MODIFIED" || row.value(facts)) names.emplace_back(row.name);
    return names;
}

Value variable(const http::Request& page, std::string_view name, const PageTimes& times) {
    const Facts facts{page, clientRequest(page), times};
    if (name.starts_with("HTTP_")) return fieldOf(facts.client, name.substr(5));
    const auto* const row = std::ranges::find(kRows, name, &Row::name);
    if (row == std::end(kRows)) return std::nullopt;
    return row->value(facts);
}

} // namespace reef::compose

#include "gateway/meta_variables.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>

namespace reef::gateway {

namespace {

/// Fields that do not become HTTP_…: hop-by-hop (RFC 9110 7.6.1), those with a variable of their
/// own, httpoxy.
constexpr std::array<std::string_view, 13> kWithheld{
    "Connection",  "Content-Length",      "Content-Type",     "Keep-Alive",
    "Proxy",       "Proxy-Authorization", "Proxy-Connection", "TE",
    "Trailer",     "Transfer-Encoding",   "Upgrade",          "Expect",
    "X-Request-Id"};

bool isWithheld(std::string_view name, bool passAuthorization) {
    if (name.find('_') != std::string_view::npos) return true;
    if (!passAuthorization && text::equalsIgnoreCase(name, "Authorization")) return true;
    for (const auto withheld : kWithheld) {
        if (text::equalsIgnoreCase(name, withheld)) return true;
    }
    return false;
}

/// Numbers as text beside the list's own strings.
class Writer {
public:
    explicit Writer(process::StringList& list) : list_(list) {}

    void put(std::string_view name, std::string_view value) { list_.add(name, value); }

    void put(std::string_view name, std::uint64_t value) {
        std::array<char, 20> digits;
        const auto end = std::to_chars(digits.begin(), digits.end(), value).ptr;
        put(name, {digits.data(), static_cast<std::size_t>(end - digits.data())});
    }

private:
    process::StringList& list_;
};

std::string variableNameOf(std::string_view fieldName) {
    std::string name = "HTTP_";
    for (const char c : fieldName)
        name += c == '-' ? '_' : text::upper(c);
    return name;
}

bool isFirstOfItsName(const http::HeaderList& fields, const http::HeaderField& field) {
    for (const http::HeaderField& other : fields) {
        if (&other == &field) return true;
        if (text::equalsIgnoreCase(other.name, field.name)) return false;
    }
    return true;
}

std::string joinedValue(const http::HeaderList& fields, std::string_view name,
                        std::string_view separator) {
    std::string value;
    bool first = true;
    for (const http::HeaderField& field : fields) {
        if (!text::equalsIgnoreCase(field.name, name)) continue;
        if (!std::exchange(first, false)) value += separator;
        value += field.value;
    }
    return value;
}

void putHeaderFields(Writer& writer, const http::Request& request, bool passAuthorization) {
    for (const http::HeaderField& field : request.fields) {
        if (isWithheld(field.name, passAuthorization) || !isFirstOfItsName(request.fields, field))
            continue;
        if (text::equalsIgnoreCase(field.name, "Cookie")) {
            const auto cookies = withoutPanelCookies(joinedValue(request.fields, field.name, "; "));
            if (!cookies.empty()) writer.put("HTTP_COOKIE", cookies);
        } else {
            writer.put(variableNameOf(field.name), joinedValue(request.fields, field.name, ", "));
        }
    }
}

/// An address of version 6 stands in brackets (4.1.14).
void putServerName(Writer& writer, std::string_view name) {
    const bool bare = name.find(':') != std::string_view::npos && !name.starts_with('[');
    writer.put("SERVER_NAME", bare ? text::concat("[", name, "]") : std::string(name));
}

/// Over a unix socket there is none, and it must be told (4.1.15): then the scheme's.
std::uint64_t portOf(const http::Endpoints& ends) {
    if (ends.localPort != 0) return ends.localPort;
    return ends.secure ? 443 : 80;
}

void putConnection(Writer& writer, const http::Request& request, const ScriptTarget& target) {
    const http::Endpoints& ends = *request.endpoints;
    if (!request.remoteUser.empty()) {
        writer.put("AUTH_TYPE", "Basic");
        writer.put("REMOTE_USER", request.remoteUser);
    }
    putServerName(writer, request.host.empty() ? target.serverName : request.host);
    writer.put("SERVER_PORT", portOf(ends));
    if (!ends.localAddress.empty()) writer.put("SERVER_ADDR", ends.localAddress);
    writer.put("REMOTE_ADDR", ends.remoteAddress);
    writer.put("REMOTE_HOST", ends.remoteAddress); // no name is looked up (4.1.9)
    writer.put("REMOTE_PORT", ends.remotePort);
    writer.put("REQUEST_SCHEME", ends.secure ? "https" : "http");
    if (ends.secure) writer.put("HTTPS", "on");
}

} // namespace

std::string withoutPanelCookies(std::string_view cookies) {
    std::string kept;
    while (!cookies.empty()) {
        const auto cookie = text::trim(text::takeUntil(cookies, ';'));
        const auto name = text::trim(cookie.substr(0, cookie.find('=')));
        if (cookie.empty() || std::ranges::find(kPanelCookies, name) != std::end(kPanelCookies))
            continue;
        if (!kept.empty()) kept += "; ";
        kept += cookie;
    }
    return kept;
}

process::StringList metaVariables(const http::Request& request, const ScriptTarget& target,
                                  std::optional<ByteCount> contentLength) {
    constexpr std::size_t kUsualBytes = 2048;
    process::StringList variables;
    variables.reserve(kUsualBytes);
    Writer writer(variables);
    writer.put("GATEWAY_INTERFACE", "CGI/1.1");
    writer.put("SERVER_SOFTWARE", target.serverSoftware);
    writer.put("SERVER_PROTOCOL",
               request.version == http::Version::http11 ? "HTTP/1.1" : "HTTP/1.0");
    putConnection(writer, request, target);
    writer.put("REQUEST_METHOD", request.methodName);
    writer.put("REQUEST_URI", request.target);
    writer.put("SCRIPT_NAME", target.scriptName);
    writer.put("SCRIPT_FILENAME", target.scriptFile);
    if (target.interpreted) writer.put("REDIRECT_STATUS", "200");
    writer.put("DOCUMENT_ROOT", target.documentRoot);
    writer.put("QUERY_STRING", request.query);
    writer.put("PATH_INFO", target.pathInfo);
    if (!target.pathTranslated.empty()) writer.put("PATH_TRANSLATED", target.pathTranslated);
    if (contentLength) writer.put("CONTENT_LENGTH", *contentLength);
    if (const auto type = request.fields.find("Content-Type")) writer.put("CONTENT_TYPE", *type);
    writer.put("REQUEST_ID", request.id);
    writer.put("UNIQUE_ID", request.id); // its name with Apache's mod_unique_id
    writer.put("HTTP_X_REQUEST_ID", request.id);
    writer.put("PATH", target.searchPath);
    putHeaderFields(writer, request, target.passAuthorization);
    for (const auto& [name, value] : target.variables)
        writer.put(name, value);
    return variables;
}

} // namespace reef::gateway

#include "site/fragment_variables.h"

#include "base/text.h"

#include <algorithm>
#include <iterator>

namespace reef::site {

namespace {

bool isIdentifier(std::string_view name) noexcept {
    return !name.empty() && !text::isDigit(name.front()) && std::ranges::all_of(name, [](char c) {
        return text::isAlpha(c) || text::isDigit(c) || c == '_';
    });
}

/// CGI's, and those that programs act on before their first line.
constexpr std::string_view kReserved[] = {"AUTH_TYPE",
                                          "CDPATH",
                                          "CLASSPATH",
                                          "CONTENT_LENGTH",
                                          "CONTENT_TYPE",
                                          "DOCUMENT_NAME",
                                          "DOCUMENT_ROOT",
                                          "DOCUMENT_URI",
                                          "ENV",
                                          "GATEWAY_INTERFACE",
                                          "HOME",
                                          "HTTPS",
                                          "IFS",
                                          "LOCPATH",
                                          "NLSPATH",
                                          "PATH",
                                          "PATH_INFO",
                                          "PATH_TRANSLATED",
                                          "PS4",
                                          "PWD",
                                          "QUERY_STRING",
                                          "REQUEST_ID",
                                          "REQUEST_METHOD",
                                          "REQUEST_SCHEME",
                                          "REQUEST_URI",
                                          "SCRIPT_FILENAME",
                                          "SCRIPT_NAME",
                                          "SHELL",
                                          "SHELLOPTS",
                                          "TMPDIR",
                                          "TZ",
                                          "TZDIR",
                                          "UNIQUE_ID",
                                          "USER"};
constexpr std::string_view kReservedFronts[] = {
    "ATOLL_", "BASH",   "CURL_",     "DYLD_",   "GCONV_", "GIT_",    "GLIBC_", "HTTP_",    "JAVA_",
    "JDK_",   "LANG",   "LC_",       "LD_",     "LUA_",   "MALLOC_", "NODE_",  "OPENSSL_", "PERL",
    "PHP",    "PYTHON", "REDIRECT_", "REMOTE_", "RUBY",   "SERVER_", "SSH_",   "SSL_",     "_JAVA"};

bool isReserved(std::string_view name) noexcept {
    if (std::ranges::find(kReserved, name) != std::end(kReserved)) return true;
    if (text::toLower(name).ends_with("_proxy")) return true; // what clients of HTTP obey
    return std::ranges::any_of(kReservedFronts,
                               [name](std::string_view front) { return name.starts_with(front); });
}

const http::Request& clientPage(const http::Request& page) noexcept {
    const http::Request* request = &page;
    while (request->lineage.parent != nullptr)
        request = request->lineage.parent;
    return *request;
}

} // namespace

FragmentVariables fragmentVariables(const compose::FragmentSpec& spec) {
    const http::Request& page = clientPage(*spec.page);
    FragmentVariables out;
    out.emplace_back("DOCUMENT_URI", page.path);
    const auto name =
        page.document.empty() ? page.path.substr(page.path.rfind('/') + 1) : page.document;
    out.emplace_back("DOCUMENT_NAME", name);
    if (spec.variables == nullptr || spec.foreign) return out;
    for (const auto& [variable, value] : spec.variables->entries()) {
        if (!isIdentifier(variable) || isReserved(variable) || value.contains('\0')) continue;
        out.emplace_back(variable, value);
    }
    return out;
}

} // namespace reef::site

#include "compose/expression_names.h"

#include <algorithm>

namespace reef::compose {

namespace {

constexpr std::string_view kTests = "nzTRAUF";
constexpr std::string_view kFileTests = "defsLhx";
constexpr std::string_view kRelations[] = {"ipmatch", "strmatch", "strcmatch", "fnmatch"};
constexpr std::string_view kFunctions[] = {
    "base64", "env",        "escape", "http", "ldap",    "md5",     "note",     "osenv",    "req",
    "reqenv", "req_novary", "resp",   "sha1", "tolower", "toupper", "unbase64", "unescape", "v"};
constexpr std::string_view kFileFunctions[] = {"file", "filemod", "filesize"};
constexpr std::string_view kServerVariables[] = {"AUTH_TYPE",
                                                 "CONN_LOG_ID",
                                                 "CONN_REMOTE_ADDR",
                                                 "CONTENT_TYPE",
                                                 "CONTEXT_PREFIX",
                                                 "DOCUMENT_ROOT",
                                                 "CONTEXT_DOCUMENT_ROOT",
                                                 "DOCUMENT_URI",
                                                 "HANDLER",
                                                 "HTTP2",
                                                 "HTTPS",
                                                 "HTTP_ACCEPT",
                                                 "HTTP_COOKIE",
                                                 "HTTP_FORWARDED",
                                                 "HTTP_HOST",
                                                 "HTTP_PROXY_CONNECTION",
                                                 "HTTP_REFERER",
                                                 "HTTP_USER_AGENT",
                                                 "IPV6",
                                                 "IS_SUBREQ",
                                                 "LAST_MODIFIED",
                                                 "PATH_INFO",
                                                 "QUERY_STRING",
                                                 "REMOTE_ADDR",
                                                 "REMOTE_HOST",
                                                 "REMOTE_IDENT",
                                                 "REMOTE_PORT",
                                                 "REMOTE_USER",
                                                 "REQUEST_FILENAME",
                                                 "REQUEST_LOG_ID",
                                                 "REQUEST_METHOD",
                                                 "REQUEST_SCHEME",
                                                 "REQUEST_STATUS",
                                                 "REQUEST_URI",
                                                 "SCRIPT_FILENAME",
                                                 "SERVER_ADDR",
                                                 "SERVER_ADMIN",
                                                 "SERVER_NAME",
                                                 "SERVER_PORT",
                                                 "SERVER_PROTOCOL",
                                                 "SERVER_SOFTWARE",
                                                 "THE_REQUEST",
                                                 "TIME",
                                                 "TIME_DAY",
                                                 "TIME_HOUR",
                                                 "TIME_MIN",
                                                 "TIME_MON",
                                                 "TIME_SEC",
                                                 "TIME_WDAY",
                                                 "TIME_YEAR"};

template<class List>
bool has(const List& list, std::string_view name) noexcept {
    return std::ranges::find(list, name) != std::end(list);
}

} // namespace

bool isKnownTest(char letter) noexcept {
    return kTests.contains(letter) || isFileTest(letter);
}

bool isFileTest(char letter) noexcept {
    return kFileTests.contains(letter);
}

bool isKnownRelation(std::string_view name) noexcept {
    return has(kRelations, name);
}

bool isKnownFunction(std::string_view name) noexcept {
    return has(kFunctions, name);
}

bool isFileFunction(std::string_view name) noexcept {
    return has(kFileFunctions, name);
}

bool isServerVariable(std::string_view name) noexcept {
    return has(kServerVariables, name);
}

} // namespace reef::compose

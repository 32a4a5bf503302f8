#pragma once

#include "base/bytes.h"
#include "gateway/shebang.h"
#include "http/request.h"
#include "process/string_list.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace reef::gateway {

/// Where a request meets the program that answers it (RFC 3875 4.1). All views live in the
/// request's arena or longer.
struct ScriptTarget {
    std::string_view scriptName;     ///< URL path of the program, decoded: "/cgi-bin/form.pl"
    std::string_view pathInfo;       ///< decoded rest of the path: "/a/b", or ""
    std::string_view scriptFile;     ///< absolute file name
    std::string_view documentRoot;   ///< absolute directory
    std::string_view pathTranslated; ///< the file that `pathInfo` as a path of the site means
    std::string_view serverSoftware = "Atoll";
    std::string_view serverName;               ///< used when the request names no host
    std::string_view searchPath = kSearchPath; ///< PATH
    bool interpreted = false; ///< REDIRECT_STATUS: php-cgi refuses to run without it
    std::span<const std::string_view> arguments; ///< of the program, behind its name
    std::string_view directory;                  ///< it works in; empty: where it lies

    /// Further variables of its environment, for a fragment of a page. The caller sees to it that
    /// none has the name of a meta-variable.
    std::span<const std::pair<std::string, std::string>> variables;
    bool passAuthorization =
        false; ///< HTTP_AUTHORIZATION: off, so that no program sees passwords unasked
    bool queryArguments = false; ///< the command line may come from the query (RFC 3875 4.4)
};

/// Cookies of the panel: browsers send them to a site on the same host too (cookies do not tell
/// ports apart), and no island may act as the administrator.
inline constexpr std::string_view kPanelCookies[] = {"atoll_session", "atoll_form"};

/// The Cookie field without the panel's: an island must not be able to act as the administrator.
std::string withoutPanelCookies(std::string_view cookies);

/// Names a run, as no other is named: what a program has started and left behind is found by it.
/// Behind "=" at most kMaxRunName bytes.
inline constexpr std::string_view kRunVariable = "ATOLL_RUN";
inline constexpr std::size_t kMaxRunName = 64;

/// The meta-variables of a request, built from nothing: the server's own environment never shows.
/// `contentLength`: of the request's content, when it has any.
///
/// Header fields become HTTP_NAME; those of one name are joined (by "; " for Cookie, else ", ").
/// Left out: Proxy (httpoxy), names with an underscore (they could pass for others), hop-by-hop
/// fields, Content-Length and Content-Type (which have variables of their own), and the panel's
/// cookie. The request's id is REQUEST_ID, UNIQUE_ID and HTTP_X_REQUEST_ID, whatever the client
/// sends.
process::StringList metaVariables(const http::Request& request, const ScriptTarget& target,
                                  std::optional<ByteCount> contentLength);

} // namespace reef::gateway

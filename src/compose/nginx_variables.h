#pragma once

#include "http/request.h"

#include <optional>
#include <string>
#include <string_view>

namespace reef::compose {

/// nginx's variables of a request, by their names in small letters: uri, document_uri, request_uri,
/// args, query_string, is_args, arg_NAME, http_NAME, cookie_NAME, host, scheme, request,
/// request_id, content_type, content_length. Nothing: none of these; the ones that CGI has too
/// (remote_addr, request_method, document_root, date_local) are found by their names in capitals.
std::optional<std::string> nginxVariable(const http::Request& page, std::string_view name);

} // namespace reef::compose

#pragma once

#include "http/header_list.h"
#include "http/request.h"

#include <span>
#include <string>
#include <string_view>

namespace reef::admin {

/// Whether the panel may be asked for under this host (lower case, without port): "localhost",
/// "127.0.0.1", "[::1]", the address itself that the client has reached (`localAddress`, without
/// brackets), and those configured. A page of a stranger whose name has been turned to our address
/// (DNS rebinding) comes with the stranger's name.
bool isOurHost(std::string_view host, std::string_view localAddress,
               std::span<const std::string> configured) noexcept;

/// Who made a browser send a request.
enum class Sender : std::uint8_t {
    ourselves, ///< a page of this panel, or the person directly
    unknown,   ///< no browser: neither Origin nor Sec-Fetch-Site
    stranger,  ///< a page of another origin; another port of the same host is one too
};

/// From Sec-Fetch-Site and Origin, as the browser states them; a page cannot forge either.
Sender senderOf(const http::HeaderList& fields, std::string_view authority) noexcept;

} // namespace reef::admin

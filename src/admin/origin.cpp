#include "admin/origin.h"

#include "base/text.h"

#include <algorithm>

namespace reef::admin {

bool isOurHost(std::string_view host, std::string_view localAddress,
               std::span<const std::string> configured) noexcept {
    if (host == "localhost" || host == "127.0.0.1" || host == "[::1]") return true;
    if (std::ranges::any_of(configured, [&](const std::string& ours) { return host == ours; }))
        return true;
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    return !host.empty() && host == localAddress;
}

Sender senderOf(const http::HeaderList& fields, std::string_view authority) noexcept {
    // Every line is looked at: of a doubled field we cannot know which one is the browser's.
    Sender sender = Sender::unknown;
    for (const auto& [name, value] : fields) {
        if (text::equalsIgnoreCase(name, "Sec-Fetch-Site")) {
            if (value != "same-origin" && value != "none") return Sender::stranger;
            sender = Sender::ourselves;
        } else if (text::equalsIgnoreCase(name, "Origin")) {
            // Either scheme: behind a proxy that ends TLS we do not see which one the browser used,
            // and a stranger cannot be at our host and port with the other one.
            std::string_view origin = value;
            if (origin.starts_with("https://"))
                origin.remove_prefix(8);
            else if (origin.starts_with("http://"))
                origin.remove_prefix(7);
            else
                return Sender::stranger;
            if (!text::equalsIgnoreCase(origin, authority)) return Sender::stranger;
            sender = Sender::ourselves;
        }
    }
    return sender;
}

} // namespace reef::admin

#include "app/banner.h"

#include "base/text.h"
#include "base/version.h"

namespace reef::app {

std::string urlOf(const io::Address& address) {
    if (address.isUnix()) return address.describe();
    const std::string host = address.host();
    const bool all = host == "::" || host == "0.0.0.0";
    const bool brackets = host.find(':') != std::string::npos && !all;
    const std::string name = all ? "localhost" : brackets ? text::concat("[", host, "]") : host;
    const std::string port =
        address.port() == 80 ? std::string() : text::concat(":", address.port());
    return text::concat("http://", name, port, "/");
}

std::string describeStart(const Announcement& announcement, bool terminal) {
    const std::string_view bold = terminal ? "\x1b[1m" : "";
    const std::string_view plain = terminal ? "\x1b[0m" : "";
    const std::string link =
        announcement.setupToken.empty()
            ? std::string()
            : text::concat(announcement.panel, "setup?token=", announcement.setupToken);
    if (announcement.restarted) {
        if (link.empty()) return {};
        return text::concat("Panel, first account: ", link,
                            "  (a new link: the server was restarted)\n");
    }
    std::string out = text::concat("\n  ", bold, "Atoll ", buildInfo().version, plain, " serves ",
                                   announcement.directory, "\n\n");
    for (const std::string& site : announcement.sites)
        out += text::concat("  Site   ", bold, site, plain, "\n");
    if (!announcement.panel.empty()) out += text::concat("  Panel  ", announcement.panel, "\n");
    if (!link.empty())
        out += text::concat(
            "\n  The panel has no account yet. This link makes the first one, and works once:\n  ",
            bold, link, plain, "\n");
    return out + "\n  Ctrl-C stops it.\n\n";
}

} // namespace reef::app

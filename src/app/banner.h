#pragma once

#include "io/address.h"

#include <string>
#include <vector>

namespace reef::app {

/// What a started server tells the person at the terminal.
struct Announcement {
    std::string directory;
    std::vector<std::string> sites; ///< URLs
    std::string panel;              ///< URL; "": there is none
    std::string setupToken;         ///< of the panel's one-time link; "": accounts exist
    bool restarted = false; ///< the keeper has started the server again: only a new link is news
};

/// The text, with line ends. `terminal`: with bold type.
std::string describeStart(const Announcement& announcement, bool terminal);

/// "http://localhost:8080/" for a browser on this machine; "unix:/run/site.sock" as it is.
std::string urlOf(const io::Address& address);

} // namespace reef::app

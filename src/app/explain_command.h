#pragma once

#include "app/commands.h"

#include <string>

namespace reef::app {

/// `atoll explain URL`: has the running server of `directory` answer a path ("/page.shtml?x=1", or
/// "http://example.org/page.shtml" for a site of that host) as if a visitor from this machine had
/// asked, and shows the course of the page: when each of its parts began, brought its first byte
/// and ended.
int explainPage(const std::string& directory, const std::string& url, Format format);

/// `atoll explain`: the last pages that were composed, and the islands that take longest.
int showPages(const std::string& directory, Format format);

} // namespace reef::app

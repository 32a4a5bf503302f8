#pragma once

#include "compose/host.h"

#include <string>
#include <utility>
#include <vector>

namespace reef::site {

using FragmentVariables = std::vector<std::pair<std::string, std::string>>;

/// What the program of a fragment gets in its environment beside CGI's variables: DOCUMENT_URI and
/// DOCUMENT_NAME of the client's page, and what the page has `set` so far. Left out is what is set
/// in a page that an island has written, or under a name that is no identifier, that CGI or the
/// server uses (PATH, HTTP_...), or that makes a loader, a shell or an interpreter run something
/// else (LD_..., PERL5..., BASH_ENV): what is set may come from a visitor. A value with a NUL is
/// left out too.
FragmentVariables fragmentVariables(const compose::FragmentSpec& spec);

} // namespace reef::site

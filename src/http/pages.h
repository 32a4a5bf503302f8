#pragma once

#include <string>
#include <string_view>

/// The server's own pages. Pure functions: text in, a complete HTML document out, with its style
/// inline and no script, picture or link to another file, so that they work when nothing else does.
/// They follow the reader's light or dark mode and tell nothing of paths, versions or programs.
namespace reef::http {

/// The Content-Security-Policy that all of them are made for.
inline constexpr std::string_view kPagePolicy =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

/// A page in the look of the others: `title` is escaped already, `content` is what stands in its
/// `main`, `moreStyle` is added to the style sheet (see pages.cpp for its colours).
std::string ownPage(std::string_view title, std::string_view content,
                    std::string_view moreStyle = {});

/// The page for an error status (400 to 599): the code, its `reason` phrase, a sentence in plain
/// words. `reference`, if not empty, is shown as what to quote when asking for help; it is the
/// request's id in the log. Both texts are escaped here.
std::string errorPage(int status, std::string_view reason, std::string_view reference = {});

/// The page of a site directory that holds no document yet: what to put where. Not meant for a
/// directory that has pages of its own.
std::string welcomePage();

} // namespace reef::http

#pragma once

#include "base/text.h"
#include "compose/host.h"
#include "compose/page_trace.h"

#include <cstddef>
#include <ctime>
#include <optional>

namespace reef::compose {

/// What a page shares with all that it includes. Owned by the composer of the client's page, which
/// outlives the others.
struct PageContext {
    PageContext(std::size_t fragments, PageTrace* watch) noexcept
        : fragmentsLeft(fragments), trace(watch) {}

    std::size_t fragmentsLeft;               ///< that may still be included, at any depth
    std::optional<std::time_t> lastModified; ///< of the client's page, if its head told
    PageTrace* trace;                        ///< null: nobody wants to know

    /// Of what is wrong with a page, the log is told so much: an author needs no more, and who asks
    /// for a broken page over and over must not fill the disk.
    std::size_t problemsLeft = 20;

    void tell(Host& host, const http::Request& page, std::size_t line, std::string_view what) {
        if (problemsLeft == 0) return;
        const bool last = --problemsLeft == 0;
        host.problem(page, line,
                     last ? text::concat(what, " (what else is wrong with this page is not logged)")
                          : std::string(what));
    }
};

} // namespace reef::compose

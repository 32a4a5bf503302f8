#pragma once

#include "base/bytes.h"
#include "compose/assignments.h"
#include "coro/task.h"
#include "http/failure.h"
#include "http/request.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::compose {

class Place;

/// How a page names what it includes.
enum class FragmentKind : std::uint8_t {
    virtualPath, ///< `virtual`: a URL path of this site, run through its dispatcher
    file,        ///< `file`: a file in the page's directory or below; never run as a program
    cgi,         ///< `exec cgi`: the URL path of an island, and of nothing else
    command, ///< `exec cmd`: `target` is a command for the shell; it runs in the page's directory
};

/// How long the answer to an include may be used again, by its `ttl` and `stale`; it stands over
/// what the answer itself says. Seconds are whole.
struct FragmentKeeping {
    std::chrono::seconds ttl{0};   ///< after which it is made anew
    std::chrono::seconds stale{0}; ///< for so long after that it stands in for one that is being
                                   ///< made, or that cannot be made
};

/// Fields of a request beside the client's: name and value.
using FragmentFields = std::vector<std::pair<std::string, std::string>>;

/// One include, resolved and checked: what the fragment's request is made of. All views live in the
/// page's arena.
struct FragmentSpec {
    FragmentSpec(FragmentKind how, const http::Request& includer) noexcept
        : kind(how), page(&includer) {}

    FragmentKind kind;
    std::string_view target;  ///< request-target: raw path, and `?query` if there is one
    std::string_view rawPath; ///< percent-encoded
    std::string_view path;    ///< decoded and normalised as http::Request::path
    std::string_view query;
    bool hasQuery = false;     ///< only with virtualPath
    const http::Request* page; ///< the page that includes it
    std::size_t line = 0;      ///< in the page

    /// What all attempts at it may take together; nothing: as long as the site lets them. Time in
    /// which it waits for the page does not count.
    std::optional<std::chrono::milliseconds> timeout;
    std::optional<FragmentKeeping> keeping; ///< nothing: as its route and its answer say

    /// Of what the page has `set`, what its `headers` names: "SSI-User" for `user`. Null: nothing.
    std::shared_ptr<const FragmentFields> fields;

    /// What the page had `set` when it came to the include; null: nothing. Islands get it as
    /// environment, pages begin with it.
    std::shared_ptr<const Assignments> variables;
    bool foreign = false; ///< a page that an island wrote has set some: names may be a stranger's

    /// For the fragment's request.
    http::Lineage lineage() const noexcept { return {page, page->lineage.depth + 1}; }
};

/// What `fsize` and `flastmod` tell.
struct FileFacts {
    ByteCount size = 0;
    std::time_t modified = 0;
};

/// What composition needs from the site. One loop. Must outlive the composers that use it.
class Host {
public:
    virtual ~Host() = default;

    /// Answers one include into its place. Both arguments live until the task has ended or was
    /// dropped; dropping it is how an island of a page that nobody waits for is stopped.
    ///
    /// The host makes a GET request out of `spec` (its lineage, no content, no conditions or
    /// ranges), dispatches it and returns the handler's answer. An answer that is composed in turn
    /// goes through a Composer of its own, made with `&place` as the enclosing place. The
    /// right to start something costly (a process) is the place's to hold: `place.hold(permit)`.
    virtual Task<http::Handled> fragment(const FragmentSpec& spec, Place& place) = 0;

    /// Ends with `work`, or with a failure of 504 when it has taken longer than `limit`, without
    /// the time in which `place` waited for its page; then drops it. Arguments live as long as the
    /// task.
    virtual Task<http::Handled> within(std::chrono::milliseconds limit, const Place& place,
                                       Task<http::Handled> work) = 0;

    /// The value of a variable, asked before compose/variables.h: what only the site knows
    /// (DOCUMENT_ROOT, SERVER_SOFTWARE, USER_NAME).
    virtual std::optional<std::string> variable(const http::Request& page,
                                                std::string_view name) = 0;

    /// The file that an include would send as it is. Nothing: there is none that may be shown.
    virtual std::optional<FileFacts> factsOf(const FragmentSpec& spec) = 0;

    /// Whether a visitor may see what a path of the site leads to, if it leads to anything.
    virtual bool mayAccess(const FragmentSpec& spec) = 0;

    /// Whether an address lies in a network ("10.0.0.0/8", or an address). Nothing: that is none.
    virtual std::optional<bool> liesIn(std::string_view address, std::string_view network) = 0;

    /// Something in a page is wrong, or a fragment of it failed: the error text stands in its
    /// place, and this is for the log. `what` may quote the page, the request and the island:
    /// hostile text.
    virtual void problem(const http::Request& page, std::size_t line, std::string_view what) = 0;

    /// The time of DATE_LOCAL and DATE_GMT.
    virtual std::time_t now() const { return std::time(nullptr); }
};

} // namespace reef::compose

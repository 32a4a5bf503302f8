#pragma once

#include "base/arena.h"
#include "base/bytes.h"
#include "cache/cache_control.h"
#include "http/response.h"

#include <chrono>
#include <optional>
#include <span>

namespace reef::compose {

/// The head of a page's answer: what its handler said, and what the heads of its fragments add to
/// it as long as it has not left (docs/ssi.md, "What the page's head says"). One thread; the arena
/// outlives it.
class PageAnswer {
public:
    /// The fields are views of `head`'s until `own`.
    PageAnswer(const http::ResponseHead& head, Arena& memory, bool keepsLastModified);

    const http::ResponseHead& head() const noexcept { return head_; }

    /// Copies what it views.
    void own();

    /// A fragment that is a part of the page has this head: its cookies and links go with the
    /// page's, and what the page's answer varies by is what it varies by, too.
    void join(const http::ResponseHead& part);

    /// The primary fragment has it: its status is the page's, with what belongs to that (Location,
    /// WWW-Authenticate, Retry-After, Allow).
    void adopt(const http::ResponseHead& primary);

    /// The primary fragment has failed, with this status.
    void failWith(int status) noexcept { head_.status = status; }

    /// The page leads elsewhere, and has no content.
    bool redirects() const noexcept;

    /// How long the page may be kept, by what its parts say that have joined it: what one forbids
    /// (no-store, private, no-cache, a cookie) holds for the page. With all parts there (`whole`)
    /// also the shortest lifetime of those that tell one, if all do, or the page itself does.
    void sayHowLong(bool whole);

    /// This is all of the content: an entity tag is made of it, if the answer is one that has one.
    void tag(std::span<const ByteView> content);

private:
    void add(const http::HeaderField& field);
    void varyBy(std::string_view names);
    void observe(const http::HeaderList& fields);

    Arena& memory_;
    http::ResponseHead head_;
    cache::CacheControl caching_;                  ///< of all parts that have joined
    std::optional<std::chrono::seconds> freshFor_; ///< the shortest
    bool says_ = false;                            ///< the page itself says how long
    bool silent_ = false;                          ///< a part does not
};

/// Whether a page can take the status of a fragment for its own: it goes with content.
bool isForPages(int status) noexcept;

} // namespace reef::compose

#pragma once

#include "compose/byte_queue.h"
#include "compose/place.h"
#include "compose/pool_allocator.h"

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>

namespace reef::compose {

/// What of a page has not gone out yet, in document order: runs of text, each but the last with a
/// fragment behind it. Decides what may go out and which fragment starts next; starts and sends
/// nothing itself.
class Outline {
public:
    struct Section {
        Section() = default;
        Section(const Section&) = delete;
        Section& operator=(const Section&) = delete;

        ByteQueue text;
        std::optional<Place> fragment; ///< after the text
        bool started = false;
        bool atWork = false; ///< a task refers to the fragment
        std::list<Section, PoolAllocator<Section>>::iterator self;
    };

    Outline();

    /// Text at the page's end so far: a copy, or a view that is needed until it has gone out or
    /// `own` was called.
    void append(std::string_view text);
    void lend(ByteView text);

    /// Copies what was lent.
    void own();

    /// Ends the run of text with a fragment, whose place lasts until it has settled and gone out.
    Place& add(PlaceOwner& owner, const Inclusion& inclusion, std::size_t limit, std::size_t least);

    /// What went to `take`'s queue, and of whom.
    struct Taken {
        Place* fragment =
            nullptr; ///< the first unsettled fragment: it counts `bytes` as held still
        std::size_t bytes = 0;
    };

    /// Moves to `out` all that may go out now: text and settled fragments, up to what the first
    /// unsettled fragment has so far.
    Taken take(ByteQueue& out);

    /// The first fragment that was not handed out here yet, which is thereby at work; there must be
    /// one. Tell `concluded` when its task is over.
    Section& startNext();

    /// The same of the fragment that was added last, before its turn.
    Section& startLast();
    void concluded(Section& section);

    /// Everything has gone out.
    bool empty() const noexcept;

    /// All fragments are settled.
    bool settled() noexcept { return head() == nullptr; }

    /// There is a fragment for `startNext`.
    bool hasNext() noexcept;

    /// The first unsettled fragment, or null.
    const Place* head() noexcept;

    std::size_t textOwned() const noexcept { return textOwned_; } ///< bytes of text that are copies
    std::size_t textBytes() const noexcept { return textOwned_ + textLent_; }
    std::size_t fragmentBytes() const noexcept { return fragmentBytes_; } ///< held by all fragments

    /// Forgets all of it. No task may be at work.
    void clear();

private:
    using Sections = std::list<Section, PoolAllocator<Section>>;

    void open();
    void restart();
    void leave(Section& section);

    std::size_t textOwned_ = 0;
    std::size_t textLent_ = 0;
    std::size_t fragmentBytes_ = 0;
    Sections sections_;       // never empty; the last one has no fragment
    Sections left_;           // gone out, and still at work
    Sections::iterator next_; // to start
    Sections::iterator head_; // no unsettled fragment is before it
};

} // namespace reef::compose

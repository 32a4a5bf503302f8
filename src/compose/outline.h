#pragma once

#include "compose/byte_queue.h"
#include "compose/place.h"
#include "compose/pool_allocator.h"

#include <cstddef>
#include <list>
#include <optional>

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
        bool atWork = false;           ///< its task refers to it
        std::list<Section, PoolAllocator<Section>>::iterator self;
    };

    Outline();

    /// At the end of the page.
    ByteQueue& text() noexcept { return sections_.back().text; }
    void addFragment(PlaceOwner& owner, const FragmentSpec& spec,
                     std::shared_ptr<const std::string> errorText, std::size_t limit);

    /// Moves to `out` all that may go out now: settled fragments and the text between, then what
    /// the first unsettled fragment has so far. Returns that fragment with `taken` bytes of it in
    /// `out`.
    Place* takeReady(ByteQueue& out, std::size_t& taken);

    /// The first fragment that was not given out yet, which is thereby at work. Null: there is
    /// none.
    Section* nextToStart();
    bool headWaits() const noexcept; ///< the first fragment of the page is not started

    /// The task of this section is over.
    void ended(Section& section);

    /// Nothing is left to go out.
    bool empty() const noexcept;

    /// All fragments are settled.
    bool settled() const noexcept;

    const Place* head() const noexcept;

    std::size_t textBytes() const noexcept; ///< owned and lent, of the page itself
    std::size_t ahead() const noexcept;     ///< held by all fragments

    /// Copies the text that was lent.
    void own();

private:
    using Sections = std::list<Section, PoolAllocator<Section>>;
    Sections sections_; // never empty; the last one has no fragment
    Sections left_;     // gone out, and still at work
    Sections::iterator next_;
};

} // namespace reef::compose

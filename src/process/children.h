#pragma once

#include "process/clock.h"
#include "process/protocol.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::process {

/// The keeper's table of children, and how they are brought to an end: TERM to the process group,
/// KILL after a grace, and the same for what is left of a group whose leader has ended.
///
/// A process group's number stays taken while one of our children is in it; that is asked of the
/// kernel before a signal is sent to a group whose leader was reaped, so the signal cannot hit a
/// stranger. As the keeper is the reaper of orphans (PR_SET_CHILD_SUBREAPER), what a dead leader
/// leaves behind are children of ours.
///
/// A few hundred children at most, so the table is a dense vector that is searched from its start:
/// no allocation for a child, and no faster structure at this size.
class Children {
public:
    /// Who is told: the link's number, and the id the server chose.
    struct Owner {
        std::uint32_t link = 0;
        std::uint32_t id = 0;
        friend bool operator==(const Owner&, const Owner&) = default;
    };

    void add(pid_t pid, Owner owner, Leftovers leftovers);

    std::size_t size() const noexcept { return children_.size(); }
    bool holds(Owner owner) const noexcept;

    /// TERM, and KILL after the grace; a shorter grace than before makes it shorter. With a `mark`
    /// every descendant of ours that has it in its environment is killed when the child has ended
    /// (see killMarked). Nothing when the owner names no child.
    void terminate(Owner owner, std::chrono::milliseconds grace, Clock::time_point now,
                   std::string_view mark = {});

    /// Kills every descendant of ours that has `mark` in its environment, from the next `expire` on
    /// until none is found (see killMarked).
    void hunt(std::string_view mark, Clock::time_point now);

    /// KILL to all children of a link: the server behind it is gone. Nobody is told of their end.
    void abandon(std::uint32_t link);

    /// KILL to every child and every remaining group.
    void killAll();

    /// A child was reaped. Returns who is to be told; nothing when it was none of these (an orphan,
    /// or abandoned).
    std::optional<Owner> reaped(pid_t pid, Clock::time_point now);

    /// Does what is due.
    void expire(Clock::time_point now);

    /// When `expire` has something to do next.
    Deadline deadline() const noexcept;

private:
    struct Entry {
        pid_t pid = 0;
        Owner owner;
        Leftovers leftovers = Leftovers::end;
        bool abandoned = false;
        bool told = false; ///< TERM was sent
        Deadline kill;
        std::string mark;
    };
    /// A group without its leader.
    struct Remains {
        pid_t group = 0;
        Clock::time_point kill;
    };

    /// What is left of a child, wherever it has gone.
    struct Hunt {
        std::string mark;
        Clock::time_point next;
        Clock::time_point giveUp;
        std::size_t killed = 0;
    };

    Entry* find(Owner owner) noexcept;
    static bool isOver(Hunt& hunt, Clock::time_point now);

    std::vector<Entry> children_;
    std::vector<Remains> remains_;
    std::vector<Hunt> hunts_;
};

} // namespace reef::process

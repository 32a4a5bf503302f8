#include "process/children.h"

#include "base/log.h"
#include "base/text.h"
#include "process/sweep.h"

#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace reef::process {

namespace {

constexpr std::chrono::seconds kLeftoverGrace{2};
constexpr std::chrono::seconds kHuntTime{10};
constexpr std::chrono::milliseconds kHuntPause{10};

/// A child that has left its own group is reached by its pid: it is ours, and was not reaped.
void signalChild(pid_t pid, int signal) {
    if (::kill(-pid, signal) != 0) ::kill(pid, signal);
}

void killChild(pid_t pid) {
    ::kill(-pid, SIGKILL);
    ::kill(pid, SIGKILL);
}

/// Whether a child of ours, dead or alive, is in the group.
bool groupRemains(pid_t group) {
    siginfo_t info{};
    return ::waitid(P_PGID, static_cast<id_t>(group), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

void killRemains(pid_t group) {
    if (groupRemains(group)) ::kill(-group, SIGKILL);
}

} // namespace

void Children::add(pid_t pid, Owner owner, Leftovers leftovers) {
    // The number was free, so no group had it.
    std::erase_if(remains_, [pid](const Remains& remains) { return remains.group == pid; });
    children_.push_back({pid, owner, leftovers, false, false, {}, {}});
}

bool Children::holds(Owner owner) const noexcept {
    return std::ranges::any_of(children_, [owner](const Entry& child) {
        return child.owner == owner && !child.abandoned;
    });
}

Children::Entry* Children::find(Owner owner) noexcept {
    const auto found = std::ranges::find_if(children_, [owner](const Entry& child) {
        return child.owner == owner && !child.abandoned;
    });
    return found == children_.end() ? nullptr : &*found;
}

void Children::terminate(Owner owner, std::chrono::milliseconds grace, Clock::time_point now,
                         std::string_view mark) {
    Entry* child = find(owner);
    if (child == nullptr) return;
    if (!mark.empty()) child->mark = mark;
    if (grace <= std::chrono::milliseconds::zero()) {
        killChild(child->pid);
        return;
    }
    child->kill = earlier(child->kill, now + grace);
    if (!std::exchange(child->told, true)) signalChild(child->pid, SIGTERM);
}

void Children::hunt(std::string_view mark, Clock::time_point now) {
    const auto isSame = [mark](const Hunt& hunt) { return hunt.mark == mark; };
    if (std::ranges::any_of(hunts_, isSame)) return;
    hunts_.push_back({std::string(mark), now, now + kHuntTime});
}

void Children::abandon(std::uint32_t link) {
    for (Entry& child : children_) {
        if (child.owner.link != link || child.abandoned) continue;
        child.abandoned = true;
        child.leftovers = Leftovers::end;
        child.told = true;
        killChild(child.pid);
    }
}

void Children::killAll() {
    for (const Entry& child : children_)
        killChild(child.pid);
    for (const Remains& remains : remains_)
        killRemains(remains.group);
}

std::optional<Children::Owner> Children::reaped(pid_t pid, Clock::time_point now) {
    const auto found = std::ranges::find(children_, pid, &Entry::pid);
    if (found == children_.end()) return std::nullopt;
    const Entry child = *found;
    *found = children_.back();
    children_.pop_back();
    if (child.leftovers == Leftovers::end && groupRemains(pid)) {
        if (!child.told) ::kill(-pid, SIGTERM);
        remains_.push_back({pid, child.kill.value_or(now + kLeftoverGrace)});
    }
    if (!child.mark.empty()) hunt(child.mark, now);
    if (child.abandoned) return std::nullopt;
    return child.owner;
}

/// Who forks while it is hunted is found the next time.
bool Children::isOver(Hunt& hunt, Clock::time_point now) {
    if (hunt.next > now) return false;
    const std::size_t found = killMarked(hunt.mark);
    hunt.killed += found;
    hunt.next = now + kHuntPause;
    if (found != 0 && now < hunt.giveUp) return false;
    if (found != 0) {
        log::error("keeper", text::concat("processes with ", text::escapeControls(hunt.mark),
                                          " come faster than they can be killed"));
    } else if (hunt.killed != 0) {
        log::warning("keeper",
                     text::concat("killed ", hunt.killed, " processes with ",
                                  text::escapeControls(hunt.mark), " that outlived their island"));
    }
    return true;
}

void Children::expire(Clock::time_point now) {
    for (Entry& child : children_) {
        if (!due(child.kill, now)) continue;
        child.kill.reset();
        killChild(child.pid);
    }
    std::erase_if(hunts_, [now](Hunt& hunt) { return isOver(hunt, now); });
    std::erase_if(remains_, [now](const Remains& remains) {
        if (remains.kill > now) return false;
        killRemains(remains.group);
        return true;
    });
}

Deadline Children::deadline() const noexcept {
    Deadline next;
    for (const Entry& child : children_)
        next = earlier(next, child.kill);
    for (const Remains& remains : remains_)
        next = earlier(next, remains.kill);
    for (const Hunt& hunt : hunts_)
        next = earlier(next, hunt.next);
    return next;
}

} // namespace reef::process

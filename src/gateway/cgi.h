#pragma once

#include "coro/scope.h"
#include "gateway/handover.h"
#include "gateway/island_directory.h"
#include "gateway/island_numbers.h"
#include "gateway/island_rules.h"
#include "gateway/meta_variables.h"
#include "gateway/warm_islands.h"
#include "http/handler.h"
#include "io/buffer_pool.h"
#include "io/loop.h"
#include "process/keeper_client.h"

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

namespace reef::gateway {

/// What the run of an island asks of the site. Outlives the run.
class IslandHost {
public:
    virtual ~IslandHost() = default;

    /// Waits for the right to run one more program; it lasts as long as the host. Asked for when
    /// all that the program needs is there, so that a client who sends slowly keeps nobody from
    /// running. A failure: it may not run (503).
    virtual Task<http::Handled> admit() = 0;

    /// The run is over, and these were the last lines of its standard error (hostile text).
    virtual void said(std::span<const std::string> lines) { static_cast<void>(lines); }

    /// Limits of the run.
    virtual const IslandRules& rules() const noexcept = 0;
};

/// What running islands needs on one loop. Outlives the runs.
struct CgiServices {
    CgiServices(io::Loop& l, process::KeeperClient& k, IslandNumbers& n, coro::Scope& e)
        : loop(l), keeper(k), numbers(n), endings(e) {}

    io::Loop& loop;
    process::KeeperClient& keeper;
    IslandNumbers& numbers; ///< learns of each run
    coro::Scope& endings;   ///< for those whose end the answer does not wait for
    io::BufferPool buffers;
    std::string spoolDirectory = "/tmp"; ///< for unlinked files of large contents
    WarmIslands* warm = nullptr; ///< interpreters that have loaded islands; null: none is kept
    std::uint64_t runs = 0;      ///< so far
    bool forOthers = false; ///< a program may be another user, and may open /dev/stdin all the same
};

/// Runs one island for one request (RFC 3875): its output goes to `sink` as it comes, the request's
/// content to its standard input, its standard error to the log. The program is started when the
/// content has come, if it is short (64 KiB) or of unknown length; longer content goes on to it as
/// it comes. Both directions move at once, so a program may write before it reads, or never read.
/// An island that is `warm` is run by an interpreter that has loaded it, when one is there, in a
/// process of its own all the same (docs/warm-islands.md).
/// The answer ends when the program has ended, even when a descendant still holds its output.
/// Dropping the task ends the program (TERM, then KILL). A program that hands the answer over to
/// the site (gateway/handover.h) has ended when the task has.
///
/// The length that a program announces (Content-Length) is not believed, for a client that was told
/// a wrong one takes the rest for the next answer, or waits. What happens depends on the announced
/// number and on what is written, never on when:
/// - It fits the buffer (32 KiB with the head): the answer is held back until it is whole, and goes
///   out with its true length. More than fits is written: it goes out whole, without a length.
/// - It is larger: it is told to the client at once, for a download's progress, and kept. What is
///   written beyond it is dropped; if the program ends before, the response is cut.
/// A number that was wrong is logged as a warning; but one too large, of a program that then
/// failed, is a failure. Answers to HEAD pass it on.
///
/// Failures: 500 it could not be started; 502 its answer cannot be understood, or it was killed;
/// 503 no process or descriptor to be had; 504 it took too long; 507 no room on the disk for the
/// request's content; 413, 408 or 400 that content itself.
/// After the head has gone out they mean that the response is cut, never that it looks complete.
Task<IslandResult> runIsland(CgiServices& services, const Island& island,
                             const ScriptTarget& target, http::Request& request,
                             http::ResponseSink& sink, IslandHost& host);

} // namespace reef::gateway

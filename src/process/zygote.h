#pragma once

#include "base/fd.h"
#include "coro/scope.h"
#include "io/loop.h"
#include "io/packet.h"
#include "process/child.h"
#include "process/keeper_client.h"
#include "process/outbox.h"
#include "process/zygote_protocol.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace reef::process {

/// An interpreter that has loaded a script, and forks a process for each run of it: the server's
/// end of it. The keeper starts the interpreter as it starts any process, and knows of nothing
/// else; its children die with it (PR_SET_PDEATHSIG). On the loop's thread alone, which outlives
/// it, as the keeper's client does.
///
/// The interpreter runs the code of a site's author and may be taken over: who says anything that
/// the protocol does not allow, or does not answer in time, is ended, and all its children with it.
class Zygote final : public ChildOwner {
public:
    enum class State : std::uint8_t {
        starting, ///< takes nothing yet
        serving,
        stale,   ///< what it has loaded has changed on the disk
        leaving, ///< ends when its children have ended
        lost     ///< its process has ended, or is about to
    };

    /// How long an interpreter may load its script, and how long it may take to answer.
    static constexpr std::chrono::seconds kLoadTime{30};
    static constexpr std::chrono::seconds kAnswerTime{5};

    /// `request` starts an interpreter with `program`, which it finds as descriptor 4 and which
    /// serves on descriptor 3. Nothing of `request.extra`. Failures of the start are found in
    /// `loss`.
    Zygote(io::Loop& loop, KeeperClient& keeper, SpawnRequest request, std::string_view program);
    ~Zygote();

    State state() const noexcept { return state_; }

    /// Why it was lost: "exit code 2". Empty while nobody knows.
    const std::string& loss() const noexcept { return loss_; }

    /// The interpreter's process; 0 until it has started.
    pid_t pid() const noexcept { return process_.pid(); }

    /// `StartResult<Child> child = co_await zygote.run(request);` while it is serving.
    ///
    /// Of the request: arguments behind the `leading` ones, which name script and interpreter,
    /// environment, standard descriptors (lent, until the start is answered), grace, and the limit
    /// of CPU time. Failures: zygoteRefused, nothing was begun; zygoteLost.
    StartAwaiter run(const SpawnRequest& request, std::size_t leading = 1);

    /// Lets it end when its children have ended. It takes no more runs.
    void retire();

    /// Ends it when it owes an answer for too long. To be called once a second or so.
    void lookAfter();

    /// Whether its process has ended, so that nothing more happens.
    bool hasEnded() const noexcept { return over_; }

    /// Whether it has ended, and no child or awaiter of it is in use: only then may it go, or when
    /// all is about to end.
    bool isOver() const noexcept { return over_ && !holdsAny(); }

private:
    using Time = std::chrono::steady_clock::time_point;
    /// An answer that is due.
    struct Debt {
        std::uint32_t id;
        Time due;
    };

    void terminate(ChildRecord& record, std::chrono::milliseconds grace,
                   std::string_view mark) override;
    StartResult<void> send(const ChildRecord& record, const SpawnRequest& request,
                           std::size_t leading);
    void finishWhenAlone();
    Task<void> live(SpawnRequest request);
    Task<Status> listen();
    Task<void> drain();
    Status apply(const ZygoteAnswer& answer);
    void hunt(std::uint32_t id);
    void lose(std::string_view why);

    io::Loop& loop_;
    KeeperClient& keeper_;
    State state_ = State::starting;
    bool isReady_ = false; ///< it has said so
    bool over_ = false;
    std::string loss_;
    Child process_;
    std::unique_ptr<io::PacketSocket> socket_;
    Outbox outbox_; ///< of ZygoteEnd alone
    coro::Event outboxFilled_;
    std::vector<char> room_;
    std::deque<Debt> starts_; ///< in the order in which they are due
    std::vector<Debt> ends_;
    std::map<std::uint32_t, std::string> marks_; ///< of children with all that they leave is to end
    Time due_;                                   ///< of Ready, or of its end
    coro::Scope tasks_;                          // last member: its tasks go first
};

} // namespace reef::process

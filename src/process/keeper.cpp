#include "process/keeper.h"

#include "base/log.h"
#include "base/text.h"
#include "io/packet.h"
#include "io/signals.h"
#include "process/guardian.h"
#include "process/restart_policy.h"
#include "process/server_process.h"
#include "process/spawner.h"
#include "process/sweep.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

extern char** environ;

namespace reef::process {

namespace {

constexpr int kReapsPerTurn = 256;            // the links have their turn during a fork bomb, too
constexpr std::chrono::seconds kExitGrace{2}; // for a server that has nothing left to do
constexpr std::chrono::milliseconds kLastGrace{1000}; // for its databases, when all must end

void prepareProcess() {
    ::signal(SIGPIPE, SIG_IGN); // a log whose reader has gone must not end the site
    ::signal(SIGXFSZ, SIG_IGN); // nor one that has become as large as a file may be
    ::signal(SIGCHLD, SIG_DFL); // one that was inherited as ignored would hide every exit
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0)
        throw std::system_error(errno, std::generic_category(), "PR_SET_CHILD_SUBREAPER");
    closeInheritedOnExec();
}

int pollMilliseconds(Deadline deadline, Clock::time_point now) {
    if (!deadline) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - now).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

} // namespace

class Keeper::Work {
public:
    explicit Work(KeeperSpec spec)
        : signals_((prepareProcess(), io::signalDescriptor({SIGCHLD, SIGTERM, SIGINT, SIGHUP}))),
          listeners_(std::move(spec.listeners)), server_(std::move(spec.server), spec.links),
          spawner_(std::move(spec.identities), spec.maxChildren), drainGrace_(spec.drainGrace),
          firstReady_(std::move(spec.firstReady)), room_(kMaxPacketBytes) {}

    int run() {
        startServer();
        while (phase_ != Phase::over)
            turn();
        listeners_.closeAll();
        spawner_.dropLinks();
        spawner_.children().killAll();
        endDescendants();
        return exitStatus_;
    }

private:
    enum class Phase : std::uint8_t { serving, draining, over };

    void turn() {
        entries_.clear();
        entries_.push_back({signals_.get(), POLLIN, 0});
        server_.watch(entries_);
        spawner_.watch(entries_);
        const int timeout = mustReapMore_ ? 0 : pollMilliseconds(nextDeadline(), Clock::now());
        ::poll(entries_.data(), entries_.size(), timeout); // a failure leaves nothing ready
        const auto now = Clock::now();
        if (entries_.front().revents != 0 || mustReapMore_) takeSignal(now);
        for (std::size_t i = 1; i < entries_.size(); ++i)
            serve(entries_[i], now);
        if (server_.running() && server_.controlDescriptor() < 0)
            killServerAt_ = earlier(killServerAt_, now + kExitGrace); // it cannot be spoken to
        expire(now);
        spawner_.flush();
    }

    Deadline nextDeadline() const {
        return earlier(earlier(restartAt_, killServerAt_), spawner_.children().deadline());
    }

    void takeSignal(Clock::time_point now) {
        const auto [signal, sender] = io::takeSignal(signals_.get());
        if (signal == SIGCHLD || mustReapMore_) reap(now);
        if (signal == SIGHUP) server_.tell(process::Reload{});
        if (signal == SIGTERM || signal == SIGINT) stopBySignal(sender, now);
    }

    /// Who signals all our processes at once reaches us twice: directly, and through the guardian.
    /// That is one wish. A guardian that is gone has sent its last.
    void stopBySignal(pid_t sender, Clock::time_point now) {
        if (watched_ && guardian() == 0) {
            watched_ = false;
            log::error("keeper", "the guardian was killed; ending everything");
            drainGrace_ = std::min(drainGrace_, kLastGrace);
            if (phase_ == Phase::draining) killServerAt_ = earlier(killServerAt_, now + kLastGrace);
            if (phase_ == Phase::serving) stop(now);
            return;
        }
        bool& told = watched_ && sender == guardian() ? toldByGuardian_ : toldDirectly_;
        const bool again = std::exchange(told, true);
        if (phase_ == Phase::serving || again) stop(now);
    }

    void reap(Clock::time_point now) {
        mustReapMore_ = false;
        for (int count = 0; count < kReapsPerTurn; ++count) {
            int status = 0;
            rusage usage{};
            const pid_t pid = ::wait4(-1, &status, WNOHANG, &usage);
            if (pid <= 0) return;
            if (pid == server_.pid()) {
                serverEnded(status, now);
            } else {
                spawner_.reaped(pid, status, usage, now);
            }
        }
        mustReapMore_ = true;
    }

    void serve(const pollfd& entry, Clock::time_point now) {
        if (entry.revents == 0) return;
        if (entry.fd != server_.controlDescriptor()) return spawner_.serve(entry, now);
        server_.flush();
        const auto packet = server_.receive(room_);
        if (!packet) return;
        for (PacketReader reader(*packet); !reader.atEnd();) {
            const auto request = reader.next<ControlRequest>();
            if (!request) return server_.disown(request.error());
            std::visit([this, now](const auto& message) { answer(message, now); }, *request);
        }
    }

    void expire(Clock::time_point now) {
        spawner_.children().expire(now);
        if (due(restartAt_, now)) startServer();
        if (due(killServerAt_, now)) {
            killServerAt_.reset();
            log::warning("keeper", "the server did not end in time and is killed");
            server_.kill();
        }
    }

    // What the server says.

    void answer(const Ready&, Clock::time_point) {
        ready_ = true;
        if (firstReady_) std::exchange(firstReady_, nullptr)();
    }

    void answer(const Drained&, Clock::time_point now) {
        if (phase_ == Phase::draining) killServerAt_ = earlier(killServerAt_, now + kExitGrace);
    }

    void answer(const Quit&, Clock::time_point now) {
        toldByGuardian_ = toldDirectly_ = true;
        if (phase_ == Phase::serving) stop(now);
    }

    void answer(const Listen& request, Clock::time_point) {
        const auto address = io::Address::parse(request.address);
        // A server that was taken over shall not have root make files for it.
        if (!address || (address->isUnix() && maySwitchIdentity()))
            return server_.tell(Listening{request.id, ENOTSUP});
        const auto entry = listeners_.add(*address, request.copies);
        if (!entry) {
            const int code = entry.error().systemError();
            return server_.tell(Listening{request.id, code != 0 ? code : ENOTSUP});
        }
        std::vector<int> numbers;
        for (const Fd& socket : (*entry)->sockets)
            numbers.push_back(socket.get());
        server_.tell(Listening{request.id, 0}, numbers);
    }

    void answer(const Unlisten& request, Clock::time_point) {
        const auto address = io::Address::parse(request.address);
        const Status removed = address ? listeners_.remove(*address) : fail(address.error());
        if (!removed)
            log::warning("keeper", text::concat("cannot stop listening at ", request.address, ": ",
                                                removed.error().describe()));
    }

    void answer(const AskStatus& request, Clock::time_point now) {
        const auto age = std::chrono::duration_cast<std::chrono::seconds>(now - began_);
        server_.tell(KeeperStatus{request.id, ::getpid(), server_.generation() - 1,
                                  static_cast<std::uint32_t>(spawner_.children().size()),
                                  spawner_.started(), spawner_.failed(),
                                  static_cast<std::uint64_t>(age.count())});
    }

    // The server's life.

    void startServer() {
        restartAt_.reset();
        ready_ = false;
        std::vector<Fd> links;
        if (const auto started = server_.start(listeners_, links); !started) {
            log::error("keeper",
                       text::concat("cannot start the server: ", started.error().describe()));
            if (server_.generation() == 1) return end(1);
            return restartLater(Clock::now());
        }
        for (Fd& link : links)
            spawner_.addLink(std::move(link));
    }

    void serverEnded(int status, Clock::time_point now) {
        const Exit exit{status};
        const auto who = text::concat("the server (pid ", server_.pid(), ") ended: ");
        server_.ended();
        spawner_.dropLinks();
        killServerAt_.reset();
        if (phase_ == Phase::draining) {
            if (!exit.succeeded()) log::error("keeper", who + exit.describe());
            return end(exit.succeeded() ? 0 : 1);
        }
        if (server_.generation() == 1 && !ready_ && exit.signal() == 0) return end(exit.code());
        log::error("keeper", text::concat(who, exit.describe(), "; starting it again"));
        restartLater(now);
    }

    void restartLater(Clock::time_point now) {
        const auto delay = policy_.delayAfterDeath(now);
        restartAt_ = now + delay;
        if (delay == Clock::duration::zero()) return;
        log::warning("keeper", "the server has ended 5 times within 10 seconds; the next start "
                               "waits 1 second, and connections wait with it");
    }

    /// The first time asks, the second time insists.
    void stop(Clock::time_point now) {
        if (phase_ == Phase::draining) {
            log::warning("keeper", "told to stop again: everything is killed");
            server_.kill();
            spawner_.children().killAll();
            return;
        }
        phase_ = Phase::draining;
        listeners_.closeAll();
        restartAt_.reset();
        if (!server_.running()) return end(0);
        killServerAt_ = now + drainGrace_;
        server_.tell(process::Stop{millisecondsOf(drainGrace_)});
    }

    void end(int status) {
        exitStatus_ = status;
        phase_ = Phase::over;
    }

    Fd signals_; // first: before it there are no children
    Listeners listeners_;
    ServerProcess server_;
    Spawner spawner_;
    RestartPolicy policy_;
    std::chrono::milliseconds drainGrace_;
    std::function<void()> firstReady_;
    Clock::time_point began_ = Clock::now();

    Phase phase_ = Phase::serving;
    int exitStatus_ = 0;
    bool ready_ = false; ///< the running server has said so
    bool mustReapMore_ = false;
    bool watched_ = guardian() != 0;
    bool toldByGuardian_ = false; ///< to stop
    bool toldDirectly_ = false;
    Deadline restartAt_;
    Deadline killServerAt_;

    std::vector<pollfd> entries_;
    std::vector<char> room_;
};

Keeper::Keeper(KeeperSpec spec) : work_(std::make_unique<Work>(std::move(spec))) {}
Keeper::~Keeper() = default;

int Keeper::run() {
    return work_->run();
}

Fd openOwnExecutable() {
    Fd executable(::open("/proc/self/exe", O_PATH | O_CLOEXEC));
    if (!executable) throw std::system_error(errno, std::generic_category(), "/proc/self/exe");
    return executable;
}

std::vector<std::string> ownEnvironment() {
    std::vector<std::string> list;
    for (char** entry = environ; *entry != nullptr; ++entry)
        list.emplace_back(*entry);
    return list;
}

} // namespace reef::process

#include "process/zygote.h"

#include "base/text.h"
#include "base/write_all.h"
#include "process/clock.h"
#include "process/drain_awaiter.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace reef::process {

namespace {

Result<Fd> fileWith(std::string_view program) {
    Fd file(::memfd_create("warm", MFD_CLOEXEC));
    if (!file) return fail(Error::fromErrno());
    if (const auto written = writeAll(file.get(), bytesOf(program)); !written)
        return fail(written.error());
    if (::lseek(file.get(), 0, SEEK_SET) < 0) return fail(Error::fromErrno());
    return file;
}

/// Without its first strings.
StringListView behind(std::size_t leading, StringListView list) {
    for (; leading != 0 && list.count != 0; --leading)
        list = {list.bytes.substr(list.bytes.find('\0') + 1), list.count - 1};
    return list;
}

/// The standard descriptors of a run, as they are attached.
struct Attached {
    explicit Attached(const SpawnRequest& request) {
        const std::array standard{&request.input, &request.output, &request.error};
        for (unsigned i = 0; i < standard.size(); ++i) {
            if (standard[i]->absent()) continue;
            mask |= static_cast<std::uint8_t>(1U << i);
            numbers[count++] = standard[i]->number();
        }
    }
    std::span<const int> view() const noexcept { return {numbers.data(), count}; }

    std::array<int, 3> numbers{};
    std::size_t count = 0;
    std::uint8_t mask = 0;
};

} // namespace

Zygote::Zygote(io::Loop& loop, KeeperClient& keeper, SpawnRequest request, std::string_view program)
    : loop_(loop), keeper_(keeper), room_(kMaxZygoteAnswerBytes), due_(loop.now() + kLoadTime) {
    auto ends = io::packetPair();
    auto file = fileWith(program);
    if (!ends || !file) {
        lose((ends ? file.error() : ends.error()).describe());
        over_ = true;
        return;
    }
    socket_ = std::make_unique<io::PacketSocket>(loop, std::move(ends->first));
    request.extra.emplace_back(std::move(ends->second));
    request.extra.emplace_back(std::move(*file));
    tasks_.start(drain());
    tasks_.start(live(std::move(request)));
}

Zygote::~Zygote() = default;

// What it is told.

StartAwaiter Zygote::run(const SpawnRequest& request, std::size_t leading) {
    ChildRecord& record = newRecord(request.grace);
    if (const auto sent = send(record, request, leading); sent)
        starts_.push_back({record.id, loop_.now() + kAnswerTime});
    else
        noteFailure(record, sent.error());
    return {*this, record};
}

StartResult<void> Zygote::send(const ChildRecord& record, const SpawnRequest& request,
                               std::size_t leading) {
    if (state_ != State::serving || !outbox_.empty())
        return failStart(StartStep::zygoteRefused, EAGAIN);
    const Attached attached(request);
    ZygoteRun message;
    message.id = record.id;
    message.standard = attached.mask;
    if (request.limits.cpuTime && !isUnlimited(*request.limits.cpuTime))
        message.cpuSeconds = request.limits.cpuTime->count();
    message.arguments = behind(leading, request.arguments.view());
    message.environment = request.environment.view();
    const std::string packet = zygotePacket(message);
    if (packet.size() > kMaxZygoteRequestBytes) return failStart(StartStep::zygoteRefused, E2BIG);
    const Status sent = io::sendPacket(socket_->watch().descriptor(), packet, attached.view());
    if (sent) return {};
    return failStart(StartStep::zygoteRefused,
                     sent.error() == Error::unavailable ? EAGAIN : sent.error().systemError());
}

void Zygote::terminate(ChildRecord& record, std::chrono::milliseconds grace,
                       std::string_view mark) {
    if (state_ == State::lost) return;
    if (!mark.empty()) marks_.insert_or_assign(record.id, mark);
    ends_.push_back({record.id, loop_.now() + grace + kAnswerTime});
    const Status sent = outbox_.send(socket_->watch().descriptor(),
                                     zygotePacket(ZygoteEnd{record.id, millisecondsOf(grace)}));
    if (!outbox_.empty()) outboxFilled_.set();
    if (!sent) process_.terminate(std::chrono::milliseconds(0)); // it has closed its end
}

Task<void> Zygote::drain() {
    for (;;) {
        co_await outboxFilled_.wait();
        outboxFilled_.clear();
        const Status sent = co_await DrainAwaiter(socket_->watch(), outbox_);
        if (!sent) process_.terminate(std::chrono::milliseconds(0));
    }
}

void Zygote::retire() {
    if (state_ == State::leaving || state_ == State::lost) return;
    state_ = State::leaving;
    finishWhenAlone();
}

/// A zygote whose other end has closed ends by itself.
void Zygote::finishWhenAlone() {
    if (state_ != State::leaving || running() != 0) return;
    due_ = loop_.now() + kAnswerTime;
    ::shutdown(socket_->watch().descriptor(), SHUT_WR);
}

void Zygote::lookAfter() {
    const Time now = loop_.now();
    const auto isDue = [now](const Debt& debt) { return debt.due <= now; };
    bool owes = state_ == State::starting && due_ <= now;
    owes = owes || (state_ == State::leaving && running() == 0 && due_ <= now);
    owes = owes || (!starts_.empty() && isDue(starts_.front()));
    owes = owes || std::ranges::any_of(ends_, isDue);
    if (!owes || state_ == State::lost) return;
    lose("it does not answer");
    process_.terminate(std::chrono::milliseconds(0));
}

// What it says, and its end.

Task<void> Zygote::live(SpawnRequest request) {
    auto started = co_await keeper_.spawn(std::move(request));
    if (!started) {
        lose(started.error().describe());
        over_ = true;
        co_return;
    }
    process_ = std::move(*started);
    if (state_ == State::lost) process_.terminate(std::chrono::milliseconds(0));
    const Status heard = co_await listen();
    if (heard.error() != Error::peerClosed) lose("it breaks the protocol");
    // A process that is ending keeps its status, whatever is sent to it.
    process_.terminate(std::chrono::milliseconds(0));
    const bool wasLeaving = state_ == State::leaving;
    lose({});
    const auto exit = co_await process_.exited();
    if (loss_.empty() && !wasLeaving) loss_ = exit ? exit->describe() : "the keeper is gone";
    over_ = true;
}

/// Until it closes its end, or says what it may not say. Who says nothing but what is allowed
/// cannot say more than it was asked for, so that this comes to a wait.
Task<Status> Zygote::listen() {
    for (;;) {
        const auto packet = co_await socket_->receive(room_);
        if (!packet) co_return fail(packet.error());
        if (!packet->descriptors.empty()) co_return fail(Error::malformed);
        for (ByteView rest = ByteView(room_).first(packet->size); !rest.empty();) {
            const auto answer = takeZygoteAnswer(rest);
            const Status applied = answer ? apply(*answer) : fail(answer.error());
            if (!applied) co_return applied;
        }
    }
}

Status Zygote::apply(const ZygoteAnswer& answer) {
    if (std::holds_alternative<ZygoteReady>(answer)) {
        if (std::exchange(isReady_, true)) return fail(Error::malformed);
        if (state_ == State::starting) state_ = State::serving;
        return {};
    }
    const auto id = std::visit(
        [](const auto& message) -> std::uint32_t {
            if constexpr (requires { message.id; })
                return message.id;
            else
                return 0;
        },
        answer);
    ChildRecord* const record = recordOf(id);
    if (record == nullptr) return fail(Error::malformed);
    const bool known = record->startKnown.isSet();
    const auto isOfIt = [id](const Debt& debt) { return debt.id == id; };
    if (const auto* exited = std::get_if<Exited>(&answer)) {
        if (!known) return fail(Error::malformed);
        std::erase_if(ends_, isOfIt);
        hunt(id);
        noteExit(*record, exited->exit);
        finishWhenAlone();
        return {};
    }
    if (known) return fail(Error::malformed);
    std::erase_if(starts_, isOfIt);
    if (const auto* started = std::get_if<Started>(&answer)) {
        noteStart(*record, started->pid);
    } else if (const auto* refused = std::get_if<ZygoteRefused>(&answer)) {
        std::erase_if(ends_, isOfIt);
        marks_.erase(id);
        if (refused->code == ESTALE && state_ == State::serving) state_ = State::stale;
        noteFailure(*record, {StartStep::zygoteRefused, refused->code});
        finishWhenAlone();
    }
    return {};
}

/// What a child has left behind that was to end with it, wherever that has gone. The keeper reaches
/// it: it is a descendant of the keeper's, too.
void Zygote::hunt(std::uint32_t id) {
    const auto found = marks_.find(id);
    if (found == marks_.end()) return;
    keeper_.hunt(found->second);
    marks_.erase(found);
}

/// Its children are killed by the kernel when it ends, and it is to end now.
void Zygote::lose(std::string_view why) {
    if (loss_.empty()) loss_ = why;
    state_ = State::lost;
    starts_.clear();
    ends_.clear();
    outbox_.clear();
    forEachRunning([this](ChildRecord& record) {
        hunt(record.id);
        if (record.startKnown.isSet()) return noteExit(record, Exit{SIGKILL, {}, {}, 0});
        noteFailure(record, {StartStep::zygoteLost, EPIPE});
    });
}

} // namespace reef::process

#include "process/server_control.h"

#include "base/log.h"
#include "base/text.h"
#include "process/drain_awaiter.h"

#include <algorithm>
#include <cerrno>

namespace reef::process {

/// Registers an answer for as long as the frame that awaits it lives.
class ServerControl::Waiting {
public:
    Waiting(ServerControl& control, Answer& answer) : control_(control), answer_(answer) {
        control_.answers_.push_back(&answer_);
    }
    ~Waiting() { std::erase(control_.answers_, &answer_); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    ServerControl& control_;
    Answer& answer_;
};

ServerControl::ServerControl(io::Loop& loop, Fd control)
    : socket_(loop, std::move(control)), room_(kMaxPacketBytes) {
    tasks_.start(receive());
    tasks_.start(drain());
}

Task<ServerControl::Wish> ServerControl::next() {
    while (wishes_.empty() && !lost_)
        co_await wished_.wait();
    if (wishes_.empty()) co_return Lost{};
    const Wish wish = wishes_.front();
    wishes_.pop_front();
    co_return wish;
}

Status ServerControl::ready() {
    return send(process::Ready{});
}
Status ServerControl::drained() {
    return send(process::Drained{});
}
Status ServerControl::quit() {
    return send(process::Quit{});
}

Status ServerControl::unlisten(const io::Address& address) {
    const auto text = address.describe();
    return send(Unlisten{text});
}

Task<Result<std::vector<Fd>>> ServerControl::listen(io::Address address, std::uint16_t copies) {
    Answer answer(++lastId_);
    const Waiting waiting(*this, answer);
    const auto text = address.describe();
    if (!send(Listen{answer.id, copies, text})) co_return fail(Error::unavailable);
    co_await answer.arrived.wait();
    if (answer.lost) co_return fail(Error::unavailable);
    if (answer.code == ENOTSUP) co_return fail(Error::unsupported);
    if (answer.code != 0) co_return fail({Error::system, answer.code});
    co_return std::move(answer.sockets);
}

Task<Result<KeeperStatus>> ServerControl::status() {
    Answer answer(++lastId_);
    const Waiting waiting(*this, answer);
    if (!send(AskStatus{answer.id})) co_return fail(Error::unavailable);
    co_await answer.arrived.wait();
    if (answer.lost) co_return fail(Error::unavailable);
    co_return answer.status;
}

Status ServerControl::send(const ControlRequest& request) {
    if (lost_) return fail(Error::peerClosed);
    std::string packet;
    append(packet, request);
    const Status sent = outbox_.send(socket_.watch().descriptor(), packet);
    if (!outbox_.empty()) outboxFilled_.set();
    return sent;
}

Task<void> ServerControl::receive() {
    for (;;) {
        auto packet = co_await socket_.receive(room_);
        if (!packet) {
            if (packet.error() != Error::peerClosed)
                log::error("keeper", text::concat("the control socket is given up: ",
                                                  packet.error().describe()));
            co_return lose();
        }
        PacketReader reader(ByteView(room_).first(packet->size));
        const auto notice = reader.next<ControlNotice>();
        if (!notice || !reader.atEnd()) {
            log::error("keeper", "the keeper sent a packet that cannot be read");
            co_return lose();
        }
        apply(*notice, std::move(packet->descriptors));
    }
}

ServerControl::Answer* ServerControl::answerOf(std::uint32_t id) noexcept {
    const auto found = std::ranges::find(answers_, id, &Answer::id);
    return found == answers_.end() ? nullptr : *found; // who asked may have been dropped
}

void ServerControl::apply(const ControlNotice& notice, std::vector<Fd> descriptors) {
    if (std::holds_alternative<process::Reload>(notice)) {
        wishes_.emplace_back(Reload{});
        wished_.pulse();
    } else if (const auto* stop = std::get_if<process::Stop>(&notice)) {
        wishes_.emplace_back(Stop{std::chrono::milliseconds(stop->graceMilliseconds)});
        wished_.pulse();
    } else if (const auto* listening = std::get_if<Listening>(&notice)) {
        Answer* answer = answerOf(listening->id);
        if (answer == nullptr) return;
        answer->code = listening->code;
        answer->sockets = std::move(descriptors);
        answer->lost = false;
        answer->arrived.set();
    } else if (const auto* status = std::get_if<KeeperStatus>(&notice)) {
        Answer* answer = answerOf(status->id);
        if (answer == nullptr) return;
        answer->status = *status;
        answer->lost = false;
        answer->arrived.set();
    }
}

Task<void> ServerControl::drain() {
    for (;;) {
        co_await outboxFilled_.wait();
        outboxFilled_.clear();
        if (!co_await DrainAwaiter(socket_.watch(), outbox_)) co_return lose();
    }
}

void ServerControl::lose() noexcept {
    lost_ = true;
    outbox_.clear();
    for (Answer* answer : answers_)
        answer->arrived.set();
    wished_.pulse();
}

} // namespace reef::process

#include "process/keeper_client.h"

#include "base/log.h"
#include "base/text.h"
#include "base/write_all.h"
#include "process/clock.h"
#include "process/drain_awaiter.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace reef::process {

namespace {

/// The numbers of a request's descriptors in the order in which they are attached.
class Attachment {
public:
    StartResult<void> fill(const SpawnRequest& request) {
        if (request.extra.size() > kMaxExtraDescriptors)
            return failStart(StartStep::request, EMFILE);
        const std::array standard{&request.input, &request.output, &request.error};
        for (unsigned i = 0; i < standard.size(); ++i) {
            if (standard[i]->absent()) continue;
            mask_ |= static_cast<std::uint8_t>(1U << i);
            add(standard[i]->number());
        }
        for (const auto& descriptor : request.extra) {
            if (descriptor.absent()) return failStart(StartStep::request, EBADF);
            add(descriptor.number());
        }
        return {};
    }
    void add(int number) noexcept { numbers_[count_++] = number; }

    std::uint8_t mask() const noexcept { return mask_; }
    std::span<const int> numbers() const noexcept { return {numbers_.data(), count_}; }

private:
    std::array<int, 3 + kMaxExtraDescriptors + 1> numbers_{}; // and the file of a large request
    std::size_t count_ = 0;
    std::uint8_t mask_ = 0;
};

Spawn messageOf(const SpawnRequest& request, std::uint32_t id, std::uint8_t mask) {
    Spawn message;
    message.id = id;
    message.standard = mask;
    message.extraDescriptors = static_cast<std::uint8_t>(request.extra.size());
    message.identity = request.identity;
    message.leftovers = request.leftovers;
    message.limits = request.limits;
    message.path = request.path;
    message.directory = request.directory;
    message.arguments = request.arguments.view();
    message.environment = request.environment.view();
    return message;
}

bool sendable(const SpawnRequest& request) {
    const auto nul = std::string::npos;
    return !request.path.empty() && request.arguments.count() > 0 &&
           request.path.find('\0') == nul && request.directory.find('\0') == nul;
}

Result<Fd> memoryFileWith(std::string_view bytes) {
    Fd file(::memfd_create("spawn", MFD_CLOEXEC));
    if (!file) return fail(Error::fromErrno());
    if (const auto written = writeAll(file.get(), bytesOf(bytes)); !written)
        return fail(written.error());
    return file;
}

void closeAll(SpawnRequest& request) {
    request.input.close();
    request.output.close();
    request.error.close();
    request.extra.clear();
}

} // namespace

KeeperClient::KeeperClient(io::Loop& loop, Fd link)
    : socket_(loop, std::move(link)), room_(kMaxPacketBytes) {
    tasks_.start(receive());
    tasks_.start(drain());
}

KeeperClient::~KeeperClient() = default;

StartAwaiter KeeperClient::spawn(SpawnRequest request) {
    ChildRecord& record = newRecord(request.grace);
    if (const auto sent = sendSpawn(record, request); !sent) noteFailure(record, sent.error());
    closeAll(request);
    return StartAwaiter(*this, record);
}

StartResult<void> KeeperClient::sendSpawn(const ChildRecord& record, SpawnRequest& request) {
    if (lost_.isSet()) return failStart(StartStep::keeper, EPIPE);
    if (!sendable(request)) return failStart(StartStep::request, EINVAL);
    Attachment attachment;
    if (const auto filled = attachment.fill(request); !filled) return filled;
    packet_.clear();
    append(packet_, LinkRequest(messageOf(request, record.id, attachment.mask())));
    Fd file; // until the packet is sent
    if (packet_.size() > kMaxPacketBytes) {
        if (packet_.size() > kMaxSpawnBytes) return failStart(StartStep::request, E2BIG);
        auto made = memoryFileWith(packet_);
        if (!made) return failStart(StartStep::request, made.error().systemError());
        file = std::move(*made);
        attachment.add(file.get());
        const auto bytes = static_cast<std::uint32_t>(packet_.size());
        packet_ = std::string(); // gives the room back
        append(packet_, LinkRequest(SpawnInFile{record.id, bytes}));
    }
    const Status sent = send(packet_, attachment.numbers());
    if (sent) return {};
    if (sent.error() == Error::peerClosed) return failStart(StartStep::keeper, EPIPE);
    return failStart(StartStep::request, sent.error().systemError());
}

Status KeeperClient::send(ByteView bytes, std::span<const int> descriptors) {
    const Status sent = outbox_.send(socket_.watch().descriptor(), bytes, descriptors);
    if (!outbox_.empty()) outboxFilled_.set();
    return sent;
}

void KeeperClient::terminate(ChildRecord& record, std::chrono::milliseconds grace,
                             std::string_view mark) {
    std::string packet;
    append(packet, LinkRequest(Terminate{record.id, millisecondsOf(grace), mark}));
    // Fails only when the keeper is gone; `receive` is about to see that and to kill.
    if (const Status sent = send(packet, {}); !sent && sent.error() != Error::peerClosed)
        log::error("keeper",
                   text::concat("cannot end process ", record.pid, ": ", sent.error().describe()));
}

void KeeperClient::hunt(std::string_view mark) {
    std::string packet;
    append(packet, LinkRequest(Hunt{mark}));
    if (const Status sent = send(packet, {}); !sent && sent.error() != Error::peerClosed)
        log::error("keeper",
                   text::concat("cannot end what an island has left: ", sent.error().describe()));
}

// What the keeper says.

Task<void> KeeperClient::receive() {
    for (;;) {
        const auto packet = co_await socket_.receive(room_);
        Status read = packet ? Status() : fail(packet.error());
        if (packet) read = readReplies(ByteView(room_).first(packet->size));
        if (read) continue;
        if (read.error() != Error::peerClosed)
            log::error("keeper", text::concat("the link to the keeper is given up: ",
                                              read.error().describe()));
        co_return lose();
    }
}

Status KeeperClient::readReplies(ByteView packet) {
    for (PacketReader reader(packet); !reader.atEnd();) {
        const auto reply = reader.next<LinkReply>();
        if (!reply) return fail(reply.error());
        if (const Status applied = apply(*reply); !applied) return applied;
    }
    return {};
}

Status KeeperClient::apply(const LinkReply& reply) {
    ChildRecord* record =
        recordOf(std::visit([](const auto& message) { return message.id; }, reply));
    if (record == nullptr) return fail(Error::malformed);
    if (const auto* started = std::get_if<Started>(&reply)) {
        noteStart(*record, started->pid);
    } else if (const auto* failed = std::get_if<StartFailed>(&reply)) {
        noteFailure(*record, failed->failure);
    } else if (const auto* exited = std::get_if<Exited>(&reply)) {
        noteExit(*record, exited->exit);
    }
    return {};
}

Task<void> KeeperClient::drain() {
    for (;;) {
        co_await outboxFilled_.wait();
        outboxFilled_.clear();
        const Status sent = co_await DrainAwaiter(socket_.watch(), outbox_);
        if (!sent && sent.error() != Error::peerClosed)
            log::error("keeper",
                       text::concat("a request to the keeper was lost: ", sent.error().describe()));
        if (!sent) co_return lose();
    }
}

/// The keeper is gone. The kernel has killed the children it was tied to; their groups are ours to
/// end, as far as this user may.
void KeeperClient::lose() noexcept {
    if (lost_.isSet()) return;
    lost_.set();
    outbox_.clear();
    forEachRunning([this](ChildRecord& record) {
        if (record.pid > 0) ::kill(-record.pid, SIGKILL);
        if (record.startKnown.isSet()) return noteExit(record, fail(Error::unavailable));
        noteFailure(record, {StartStep::keeper, EPIPE});
    });
}

} // namespace reef::process

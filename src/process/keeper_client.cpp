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

KeeperClient::SpawnAwaiter KeeperClient::spawn(SpawnRequest request) {
    Record& record = newRecord();
    record.grace = request.grace;
    if (const auto sent = sendSpawn(record, request); !sent) {
        record.start = sent;
        record.ended = true;
        record.startKnown.set();
        record.exitKnown.set();
        --running_;
    }
    closeAll(request);
    return SpawnAwaiter(*this, record);
}

StartResult<void> KeeperClient::sendSpawn(const Record& record, SpawnRequest& request) {
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

void KeeperClient::terminate(Record& record, std::chrono::milliseconds grace) {
    if (record.ended) return;
    std::string packet;
    append(packet, LinkRequest(Terminate{record.id, millisecondsOf(grace)}));
    // Fails only when the keeper is gone; `receive` is about to see that and to kill.
    if (const Status sent = send(packet, {}); !sent && sent.error() != Error::peerClosed)
        log::error("keeper",
                   text::concat("cannot end process ", record.pid, ": ", sent.error().describe()));
}

// Records.

KeeperClient::Record& KeeperClient::newRecord() {
    if (free_.empty()) {
        const auto id = static_cast<std::uint32_t>(records_.size());
        records_.push_back(std::make_unique<Record>(id));
        free_.push_back(id);
    }
    Record& record = *records_[free_.back()];
    free_.pop_back();
    record.free = false;
    record.held = true;
    record.ended = false;
    record.pid = 0;
    record.start = {};
    record.exit = fail(Error::unavailable);
    record.startKnown.clear();
    record.exitKnown.clear();
    ++running_;
    return record;
}

void KeeperClient::retire(Record& record) noexcept {
    record.free = true;
    free_.push_back(record.id);
}

/// The holder is gone: what still runs is to end, and its record waits for that.
void KeeperClient::letGo(Record& record) noexcept {
    record.held = false;
    if (record.ended) return retire(record);
    terminate(record, record.grace);
}

KeeperClient::Record* KeeperClient::recordOf(std::uint32_t id) noexcept {
    if (id >= records_.size() || records_[id]->free || records_[id]->ended) return nullptr;
    return records_[id].get();
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
    Record* record = recordOf(std::visit([](const auto& message) { return message.id; }, reply));
    if (record == nullptr) return fail(Error::malformed);
    if (const auto* started = std::get_if<Started>(&reply)) {
        record->pid = started->pid;
        record->startKnown.set();
        return {};
    }
    if (const auto* failed = std::get_if<StartFailed>(&reply)) {
        record->start = std::unexpected(failed->failure);
    } else if (const auto* exited = std::get_if<Exited>(&reply)) {
        record->exit = exited->exit;
    }
    record->ended = true;
    --running_;
    record->startKnown.set();
    record->exitKnown.set();
    if (!record->held) retire(*record);
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
    for (const auto& record : records_) {
        if (record->free || record->ended) continue;
        if (record->pid > 0) ::kill(-record->pid, SIGKILL);
        if (!record->startKnown.isSet()) record->start = failStart(StartStep::keeper, EPIPE);
        record->ended = true;
        --running_;
        record->startKnown.set();
        record->exitKnown.set();
        if (!record->held) retire(*record);
    }
}

// Children and awaiters.

Child::Child(Child&& other) noexcept
    : client_(other.client_), record_(std::exchange(other.record_, nullptr)) {}

Child& Child::operator=(Child&& other) noexcept {
    if (this == &other) return *this;
    letGo();
    client_ = other.client_;
    record_ = std::exchange(other.record_, nullptr);
    return *this;
}

void Child::letGo() noexcept {
    if (record_ != nullptr) client_->letGo(*std::exchange(record_, nullptr));
}

pid_t Child::pid() const noexcept {
    return record_ != nullptr ? record_->pid : 0;
}

bool Child::running() const noexcept {
    return record_ != nullptr && !record_->ended;
}

KeeperClient::ExitAwaiter Child::exited() noexcept {
    return KeeperClient::ExitAwaiter(*record_);
}

void Child::terminate(std::chrono::milliseconds grace) {
    if (record_ != nullptr) client_->terminate(*record_, grace);
}

StartResult<Child> KeeperClient::SpawnAwaiter::await_resume() noexcept {
    auto started = child_.record_->start;
    if (!started) return std::unexpected(started.error());
    return std::move(child_);
}

} // namespace reef::process

#include "process/spawner.h"

#include "base/log.h"
#include "base/text.h"
#include "io/packet.h"
#include "process/dev_null.h"

#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

namespace reef::process {

namespace {

std::chrono::microseconds microsecondsOf(const timeval& time) {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

Exit exitOf(int waitStatus, const rusage& usage) {
    return {waitStatus, microsecondsOf(usage.ru_utime), microsecondsOf(usage.ru_stime),
            static_cast<ByteCount>(usage.ru_maxrss) * 1024};
}

/// The child's 0, 1, 2 and the extra ones behind them, as numbers here.
class Wiring {
public:
    Wiring(const Spawn& request, const std::vector<Fd>& attached, int devNull) {
        std::size_t next = 0;
        for (unsigned i = 0; i < 3; ++i) {
            const bool given = ((request.standard >> i) & 1U) != 0;
            numbers_[count_++] = given ? attached[next++].get() : devNull;
        }
        while (next < attached.size())
            numbers_[count_++] = attached[next++].get();
    }
    std::span<const int> numbers() const noexcept { return {numbers_.data(), count_}; }

private:
    std::array<int, 3 + kMaxExtraDescriptors> numbers_{};
    std::size_t count_ = 0;
};

std::size_t attachedTo(const Spawn& request) {
    return static_cast<std::size_t>(std::popcount(request.standard)) + request.extraDescriptors;
}

/// The whole of a memfd. Only a file in memory is read, for another could keep the keeper waiting:
/// asking for its seals tells.
Status readMemoryFile(int file, std::span<char> room) {
    if (::fcntl(file, F_GET_SEALS) < 0) return fail(Error::malformed);
    for (std::size_t done = 0; done < room.size();) {
        const auto got =
            ::pread(file, room.data() + done, room.size() - done, static_cast<off_t>(done));
        if (got <= 0) return fail(Error::malformed);
        done += static_cast<std::size_t>(got);
    }
    return {};
}

} // namespace

Spawner::Spawner(std::vector<Identity> identities, std::size_t maxChildren)
    : identities_(std::move(identities)), maxChildren_(maxChildren),
      resetSignals_(SignalSet::notDefault()), devNull_(openDevNull()), packet_(kMaxPacketBytes) {}

void Spawner::addLink(Fd socket) {
    links_.push_back({++lastLink_, std::move(socket), {}, {}, false});
}

void Spawner::dropLinks() {
    for (const Link& link : links_)
        children_.abandon(link.number);
    links_.clear();
}

void Spawner::watch(std::vector<pollfd>& entries) const {
    for (const Link& link : links_) {
        // A server that does not read its answers gets no more served: what waits here is bounded.
        const short events = link.outbox.empty() ? POLLIN : POLLOUT;
        entries.push_back({link.socket.get(), events, 0});
    }
}

void Spawner::serve(const pollfd& entry, Clock::time_point now) {
    const auto found = std::ranges::find_if(
        links_, [&entry](const Link& link) { return link.socket.get() == entry.fd; });
    if (found == links_.end() || entry.revents == 0) return;
    if (!found->outbox.empty()) {
        if (const Status sent = found->outbox.flush(entry.fd); !sent)
            breakLink(*found, sent.error());
    } else {
        receive(*found, now);
    }
    removeBroken();
}

void Spawner::receive(Link& link, Clock::time_point now) {
    auto packet = io::receivePacket(link.socket.get(), packet_);
    if (!packet && packet.error() == Error::unavailable) return;
    if (!packet) return breakLink(link, packet.error());
    const Status done =
        handle(link, ByteView(packet_).first(packet->size), packet->descriptors, now);
    if (!done) breakLink(link, done.error());
}

Status Spawner::handle(Link& link, ByteView packet, Descriptors& attached, Clock::time_point now) {
    for (PacketReader reader(packet); !reader.atEnd();) {
        const auto request = reader.next<LinkRequest>();
        if (!request) return fail(request.error());
        Status done;
        if (const auto* spawn = std::get_if<Spawn>(&*request)) {
            done = start(link, *spawn, attached);
            attached.clear(); // closes our copies: the child has its own
        } else if (const auto* inFile = std::get_if<SpawnInFile>(&*request)) {
            done = startFromFile(link, *inFile, attached);
            attached.clear();
        } else if (const auto* end = std::get_if<Terminate>(&*request)) {
            children_.terminate({link.number, end->id},
                                std::chrono::milliseconds(end->graceMilliseconds), now, end->mark);
        } else if (const auto* hunt = std::get_if<Hunt>(&*request)) {
            children_.hunt(hunt->mark, now);
        }
        if (!done) return done;
    }
    return {};
}

Status Spawner::startFromFile(Link& link, const SpawnInFile& request, Descriptors& attached) {
    if (attached.empty() || request.bytes > kMaxSpawnBytes) return fail(Error::malformed);
    const Fd file = std::move(attached.back());
    attached.pop_back();
    std::vector<char> bytes(request.bytes);
    if (const Status read = readMemoryFile(file.get(), bytes); !read) return read;
    PacketReader reader(bytes);
    const auto inner = reader.next<LinkRequest>();
    const auto* spawn = inner ? std::get_if<Spawn>(&*inner) : nullptr;
    if (spawn == nullptr || spawn->id != request.id || !reader.atEnd())
        return fail(Error::malformed);
    return start(link, *spawn, attached);
}

Status Spawner::start(Link& link, const Spawn& request, const Descriptors& attached) {
    const Children::Owner owner{link.number, request.id};
    if (attached.size() != attachedTo(request) || children_.holds(owner))
        return fail(Error::malformed);
    const auto child = tryStart(request, attached);
    if (child) {
        ++started_;
        children_.add(*child, owner, request.leftovers);
        append(link.answers, LinkReply(Started{request.id, *child}));
    } else {
        ++failed_;
        append(link.answers, LinkReply(StartFailed{request.id, child.error()}));
    }
    return {};
}

StartResult<pid_t> Spawner::tryStart(const Spawn& request, const Descriptors& attached) {
    if (children_.size() >= maxChildren_) return failStart(StartStep::capacity, EAGAIN);
    const bool ownIdentity = identities_.empty() && request.identity == 0;
    if (!ownIdentity && request.identity >= identities_.size())
        return failStart(StartStep::request, EINVAL);
    request.arguments.pointers(arguments_);
    request.environment.pointers(environment_);
    const Wiring wiring(request, attached, devNull_.get());
    SpawnSpec spec;
    spec.path = request.path.data(); // a NUL follows in the packet
    spec.arguments = arguments_;
    spec.environment = environment_;
    spec.directory = request.directory.empty() ? nullptr : request.directory.data();
    spec.descriptors = wiring.numbers();
    spec.limits = request.limits;
    spec.identity = ownIdentity ? nullptr : &identities_[request.identity];
    spec.resetSignals = resetSignals_;
    return spawn(spec);
}

void Spawner::reaped(pid_t pid, int waitStatus, const rusage& usage, Clock::time_point now) {
    const auto owner = children_.reaped(pid, now);
    if (!owner) return;
    const auto link = std::ranges::find(links_, owner->link, &Link::number);
    if (link == links_.end()) return;
    append(link->answers, LinkReply(Exited{owner->id, exitOf(waitStatus, usage)}));
}

void Spawner::flush() {
    for (Link& link : links_) {
        if (link.answers.empty()) continue;
        const Status sent = link.outbox.send(link.socket.get(), link.answers);
        link.answers.clear();
        if (!sent) breakLink(link, sent.error());
    }
    removeBroken();
}

void Spawner::breakLink(Link& link, Error why) {
    if (why != Error::peerClosed)
        log::error("keeper", text::concat("a link of the server is closed: ", why.describe()));
    children_.abandon(link.number);
    link.broken = true;
}

void Spawner::removeBroken() {
    std::erase_if(links_, [](const Link& link) { return link.broken; });
}

} // namespace reef::process

#include "process/server_process.h"

#include "base/log.h"
#include "base/text.h"
#include "io/packet.h"
#include "process/dev_null.h"
#include "process/inheritance.h"

#include <fcntl.h>
#include <system_error>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>

namespace reef::process {

namespace {

std::vector<const char*> pointersTo(const std::vector<std::string>& strings) {
    std::vector<const char*> pointers;
    for (const auto& text : strings)
        pointers.push_back(text.c_str());
    pointers.push_back(nullptr);
    return pointers;
}

std::vector<int> numbersOf(const std::vector<Fd>& descriptors) {
    std::vector<int> numbers;
    for (const Fd& descriptor : descriptors)
        numbers.push_back(descriptor.get());
    return numbers;
}

} // namespace

ServerProcess::ServerProcess(ServerProgram program, unsigned links)
    : program_(std::move(program)), links_(links), devNull_(openDevNull()),
      resetSignals_(SignalSet::notDefault()) {
    if (links == 0 || links > io::kMaxPacketFds)
        throw std::invalid_argument("a server has 1 to 32 links to its keeper");
    program_.arguments.emplace_back("--keeper-fd");
    program_.arguments.push_back(std::to_string(kControlDescriptor));
}

StartResult<void> ServerProcess::start(const Listeners& listeners, std::vector<Fd>& keepersLinks) {
    auto control = io::packetPair();
    if (!control) return failStart(StartStep::descriptors, control.error().systemError());
    control_ = std::move(control->first);
    ++generation_;
    const auto given = handOver(listeners, keepersLinks);
    const auto pid = given ? execute(control->second.get()) : std::unexpected(given.error());
    if (!pid) {
        ended();
        return std::unexpected(pid.error());
    }
    pid_ = *pid;
    return {};
}

/// Everything is in the socket before the server's first instruction.
StartResult<void> ServerProcess::handOver(const Listeners& listeners,
                                          std::vector<Fd>& keepersLinks) {
    std::vector<Fd> serversLinks;
    keepersLinks.clear();
    for (unsigned i = 0; i < links_; ++i) {
        auto link = io::packetPair();
        if (!link) return failStart(StartStep::descriptors, link.error().systemError());
        keepersLinks.push_back(std::move(link->first));
        serversLinks.push_back(std::move(link->second));
    }
    const auto count = static_cast<std::uint16_t>(listeners.entries().size());
    const auto welcome = Welcome{generation_, static_cast<std::uint16_t>(links_), count};
    tell(welcome, numbersOf(serversLinks));
    for (const auto& entry : listeners.entries()) {
        const auto address = entry.address.describe();
        tell(Listener{address}, numbersOf(entry.sockets));
    }
    return {};
}

StartResult<pid_t> ServerProcess::execute(int control) {
    const auto arguments = pointersTo(program_.arguments);
    const auto environment = pointersTo(program_.environment);
    const std::array descriptors{devNull_.get(), STDOUT_FILENO, STDERR_FILENO, control};
    static_assert(descriptors.size() == kControlDescriptor + 1);
    SpawnSpec spec;
    spec.program = program_.executable.get();
    spec.arguments = arguments;
    spec.environment = environment;
    spec.descriptors = descriptors;
    spec.identity = program_.identity ? &*program_.identity : nullptr;
    spec.limits.coreSize.reset();
    spec.resetSignals = resetSignals_;
    spec.parentDeathSignal = 0;
    return spawn(spec);
}

void ServerProcess::ended() noexcept {
    pid_ = 0;
    control_.reset();
    outbox_.clear();
}

void ServerProcess::kill() noexcept {
    if (pid_ == 0) return;
    ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
}

void ServerProcess::tell(const ControlNotice& notice, std::span<const int> descriptors) {
    if (!control_) return;
    std::string packet;
    append(packet, notice);
    if (const Status sent = outbox_.send(control_.get(), packet, descriptors); !sent)
        disown(sent.error());
}

void ServerProcess::watch(std::vector<pollfd>& entries) const {
    if (!control_) return;
    const short events = outbox_.empty() ? POLLIN : POLLIN | POLLOUT;
    entries.push_back({control_.get(), events, 0});
}

void ServerProcess::flush() {
    if (!control_ || outbox_.empty()) return;
    if (const Status sent = outbox_.flush(control_.get()); !sent) disown(sent.error());
}

std::optional<ByteView> ServerProcess::receive(ByteRoom room) {
    if (!control_) return std::nullopt;
    const auto packet = io::receivePacket(control_.get(), room);
    if (packet) return ByteView(room).first(packet->size);
    if (packet.error() != Error::unavailable) disown(packet.error());
    return std::nullopt;
}

void ServerProcess::disown(Error why) {
    if (why != Error::peerClosed)
        log::error("keeper",
                   text::concat("the server's control socket is closed: ", why.describe()));
    control_.reset();
    outbox_.clear();
}

} // namespace reef::process

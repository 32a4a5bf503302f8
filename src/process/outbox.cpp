#include "process/outbox.h"

#include "io/packet.h"

#include <fcntl.h>

#include <cerrno>

namespace reef::process {

namespace {

Result<std::vector<Fd>> duplicatesOf(std::span<const int> descriptors) {
    std::vector<Fd> copies;
    copies.reserve(descriptors.size());
    for (const int number : descriptors) {
        copies.emplace_back(::fcntl(number, F_DUPFD_CLOEXEC, 0));
        if (!copies.back()) return fail(Error::fromErrno());
    }
    return copies;
}

} // namespace

Status Outbox::send(int socket, ByteView bytes, std::span<const int> descriptors) {
    if (waiting_.empty()) {
        const Status sent = io::sendPacket(socket, bytes, descriptors);
        if (sent || sent.error() != Error::unavailable) return sent;
    }
    auto copies = duplicatesOf(descriptors);
    if (!copies) return fail(copies.error());
    waiting_.push_back({std::string(textOf(bytes)), std::move(*copies)});
    return {};
}

Status Outbox::flush(int socket) {
    while (!waiting_.empty()) {
        const Packet& packet = waiting_.front();
        std::vector<int> numbers;
        for (const Fd& descriptor : packet.descriptors)
            numbers.push_back(descriptor.get());
        const Status sent = io::sendPacket(socket, packet.bytes, numbers);
        if (!sent && sent.error() == Error::unavailable) return {};
        waiting_.pop_front();
        if (!sent) return sent;
    }
    return {};
}

} // namespace reef::process

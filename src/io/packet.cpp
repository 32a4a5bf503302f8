#include "io/packet.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace reef::io {

namespace {

Error errorOf(int code) {
    switch (code) {
    case EAGAIN:
        return Error::unavailable;
    case EPIPE:
    case ECONNRESET:
    case ECONNREFUSED:
        return {Error::peerClosed, code};
    default:
        return {Error::system, code};
    }
}

// musl's macro compares a size with a difference of pointers.
cmsghdr* partAfter(msghdr& message, cmsghdr* part) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wsign-compare"
    return CMSG_NXTHDR(&message, part);
#pragma clang diagnostic pop
}

std::vector<Fd> descriptorsOf(msghdr& message) {
    std::vector<Fd> descriptors;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = partAfter(message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int number = -1;
            std::memcpy(&number, CMSG_DATA(part) + i * sizeof(int), sizeof number);
            descriptors.emplace_back(number);
        }
    }
    return descriptors;
}

} // namespace

Result<std::pair<Fd, Fd>> packetPair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return fail(Error::fromErrno());
    return std::pair{Fd(ends[0]), Fd(ends[1])};
}

Status sendPacket(int socket, ByteView bytes, std::span<const int> descriptors) {
    if (descriptors.size() > kMaxPacketFds) return fail(Error::tooLarge);
    iovec piece{const_cast<char*>(bytes.data()), bytes.size()};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(kMaxPacketFds * sizeof(int))] = {};
    if (!descriptors.empty()) {
        message.msg_control = control;
        message.msg_controllen =
            static_cast<decltype(message.msg_controllen)>(CMSG_SPACE(descriptors.size_bytes()));
        cmsghdr* rights = CMSG_FIRSTHDR(&message);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len =
            static_cast<decltype(rights->cmsg_len)>(CMSG_LEN(descriptors.size_bytes()));
        std::memcpy(CMSG_DATA(rights), descriptors.data(), descriptors.size_bytes());
    }
    ssize_t sent = 0;
    do {
        sent = ::sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) return fail(errorOf(errno));
    return {};
}

Result<Packet> receivePacket(int socket, ByteRoom room) {
    iovec piece{room.data(), room.size()};
    alignas(cmsghdr) char control[CMSG_SPACE(kMaxPacketFds * sizeof(int))];
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    ssize_t got = 0;
    do {
        got = ::recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return fail(errorOf(errno));
    Packet packet{static_cast<std::size_t>(got), descriptorsOf(message)};
    if ((message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) != 0) return fail(Error::tooLarge);
    if (got == 0 && packet.descriptors.empty())
        return fail(Error::peerClosed); // no packet of ours is empty
    return packet;
}

IoAwaiter::Step PacketSocket::ReceiveAwaiter::attempt() {
    if (!watch().mayRead()) return Step::wantsRead;
    outcome_ = receivePacket(watch().descriptor(), room_);
    if (outcome_ || !(outcome_.error() == Error::unavailable)) return Step::done;
    watch().readDrained();
    if (watch().mayRead()) { // nothing waits, and the other end has gone
        outcome_ = fail(Error::peerClosed);
        return Step::done;
    }
    return Step::wantsRead;
}

IoAwaiter::Step PacketSocket::SendAwaiter::attempt() {
    outcome_ = sendPacket(watch().descriptor(), bytes_, descriptors_);
    if (outcome_ || !(outcome_.error() == Error::unavailable)) return Step::done;
    watch().writeFilled();
    return Step::wantsWrite;
}

} // namespace reef::io

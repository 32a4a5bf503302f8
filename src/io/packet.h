#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"
#include "io/watch.h"

#include <span>
#include <utility>
#include <vector>

namespace reef::io {

/// Packets with descriptors attached, over SOCK_SEQPACKET unix sockets (unix(7), SCM_RIGHTS).

inline constexpr std::size_t kMaxPacketFds = 32;

/// Two connected ends, close-on-exec, both non-blocking. Error: system.
Result<std::pair<Fd, Fd>> packetPair();

/// Sends one packet; the receiver gets copies of `descriptors`, ours stay ours. Errors: unavailable
/// when the receiver's queue is full (try again when writable), peerClosed, system.
Status sendPacket(int socket, ByteView bytes, std::span<const int> descriptors);

struct Packet {
    std::size_t size = 0; ///< bytes put into the room
    std::vector<Fd> descriptors;
};

/// Receives one packet into `room`. Errors: unavailable when none waits, peerClosed when the other
/// end is gone, tooLarge when bytes or descriptors did not fit (what was received is dropped).
Result<Packet> receivePacket(int socket, ByteRoom room);

/// The coroutine side of a packet socket.
class PacketSocket {
public:
    PacketSocket(Loop& loop, Fd socket) : watch_(loop, std::move(socket)) {}

    class ReceiveAwaiter final : public IoAwaiter {
    public:
        ReceiveAwaiter(Watch& watch, ByteRoom room) noexcept
            : IoAwaiter(watch, kNever), room_(room) {}
        Result<Packet> await_resume() noexcept { return std::move(outcome_); }

    private:
        Step attempt() override;
        void timedOut() noexcept override {}
        ByteRoom room_;
        Result<Packet> outcome_ = fail(Error::failed);
    };

    class SendAwaiter final : public IoAwaiter {
    public:
        SendAwaiter(Watch& watch, ByteView bytes, std::span<const int> descriptors) noexcept
            : IoAwaiter(watch, kNever), bytes_(bytes), descriptors_(descriptors) {}
        Status await_resume() const noexcept { return outcome_; }

    private:
        Step attempt() override;
        void timedOut() noexcept override {}
        ByteView bytes_;
        std::span<const int> descriptors_;
        Status outcome_;
    };

    ReceiveAwaiter receive(ByteRoom room) noexcept { return {watch_, room}; }
    SendAwaiter send(ByteView bytes, std::span<const int> descriptors = {}) noexcept {
        return {watch_, bytes, descriptors};
    }
    Watch& watch() noexcept { return watch_; }

private:
    Watch watch_;
};

} // namespace reef::io

#include "process/inheritance.h"

#include "io/packet.h"
#include "process/clock.h"
#include "process/protocol.h"

#include <fcntl.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace reef::process {

namespace {

constexpr std::chrono::seconds kPatience{10};

struct Notice {
    ControlNotice message;
    std::vector<Fd> descriptors;
};

class Receiver {
public:
    explicit Receiver(int control) : control_(control), room_(kMaxPacketBytes) {}

    /// The next packet, which holds one message. Views in it are valid until the next call.
    Result<Notice> next() {
        for (;;) {
            auto packet = io::receivePacket(control_, room_);
            if (packet) return decode(*packet);
            if (packet.error() != Error::unavailable) return fail(packet.error());
            if (const Status ready = wait(); !ready) return fail(ready.error());
        }
    }

private:
    Result<Notice> decode(io::Packet& packet) const {
        PacketReader reader(ByteView(room_).first(packet.size));
        auto message = reader.next<ControlNotice>();
        if (!message) return fail(message.error());
        if (!reader.atEnd()) return fail(Error::malformed);
        return Notice{*message, std::move(packet.descriptors)};
    }

    Status wait() const {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(giveUp_ - Clock::now());
        if (left.count() <= 0) return fail(Error::timedOut);
        pollfd entry{control_, POLLIN, 0};
        if (::poll(&entry, 1, static_cast<int>(left.count())) < 0 && errno != EINTR)
            return fail(Error::fromErrno());
        return {};
    }

    int control_;
    std::vector<char> room_;
    Clock::time_point giveUp_ = Clock::now() + kPatience;
};

} // namespace

Result<Inheritance> receiveInheritance(Fd control) {
    ::fcntl(control.get(), F_SETFD, FD_CLOEXEC); // it came through an exec
    Receiver receiver(control.get());
    auto first = receiver.next();
    if (!first) return fail(first.error());
    const auto* welcome = std::get_if<Welcome>(&first->message);
    if (welcome == nullptr || welcome->links != first->descriptors.size())
        return fail(Error::malformed);
    Inheritance all{welcome->generation, std::move(control), std::move(first->descriptors), {}};
    while (all.listeners.size() < welcome->listeners) {
        auto notice = receiver.next();
        if (!notice) return fail(notice.error());
        const auto* listener = std::get_if<Listener>(&notice->message);
        if (listener == nullptr || notice->descriptors.empty()) return fail(Error::malformed);
        const auto address = io::Address::parse(listener->address);
        if (!address) return fail(address.error());
        all.listeners.push_back({*address, std::move(notice->descriptors)});
    }
    return all;
}

} // namespace reef::process

#include "io/stream.h"

#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace reef::io {

namespace {

constexpr std::size_t kMaxPieces = 64; // of one writev
constexpr std::size_t kMaxSendFileBytes =
    1U << 20U; // per call, so that one connection cannot hold the loop

std::size_t totalOf(std::span<const iovec> pieces) {
    std::size_t total = 0;
    for (const iovec& piece : pieces)
        total += piece.iov_len;
    return total;
}

/// Reads errno after a call that returned -1.
IoStep stepFromErrno(IoStep::Kind direction) noexcept {
    switch (errno) {
    case EAGAIN:
        return IoStep::waitFor(direction);
    case EPIPE:
    case ECONNRESET:
        return IoStep::broke({Error::peerClosed, errno});
    default:
        return IoStep::broke(Error::fromErrno());
    }
}

IoStep afterRead(Watch& watch, ssize_t got, std::size_t wanted) noexcept {
    if (got < 0) {
        const IoStep step = stepFromErrno(IoStep::wantsRead);
        if (step.kind == IoStep::wantsRead) watch.readDrained();
        return step;
    }
    const auto count = static_cast<std::size_t>(got);
    if (count < wanted && count != 0) watch.readDrained();
    return IoStep::did(count);
}

IoStep afterWrite(Watch& watch, ssize_t put, std::size_t wanted) noexcept {
    if (put < 0) {
        const IoStep step = stepFromErrno(IoStep::wantsWrite);
        if (step.kind == IoStep::wantsWrite) watch.writeFilled();
        return step;
    }
    const auto count = static_cast<std::size_t>(put);
    if (count < wanted) watch.writeFilled();
    return IoStep::did(count);
}

template<class Call>
ssize_t uninterrupted(Call call) noexcept {
    ssize_t result = 0;
    do {
        result = call();
    } while (result < 0 && errno == EINTR);
    return result;
}

} // namespace

StreamAwaiter::StreamAwaiter(Stream& stream, Timeout timeout, Pace* pace) noexcept
    : IoAwaiter(stream.watch(), pace != nullptr ? pace->allowance(timeout) : timeout),
      stream_(stream), pace_(pace), each_(timeout), since_(stream.watch().loop().now()) {}

void StreamAwaiter::progressed(std::size_t bytes) noexcept {
    if (pace_ == nullptr) return restartTimeoutIfArmed();
    pace_->move(bytes);
    const auto now = watch().loop().now();
    if (now == since_) return; // the same turn: nobody has waited
    pace_->wait(now - since_);
    since_ = now;
    restartTimeoutIfArmed(pace_->allowance(each_));
}

IoAwaiter::Step StreamAwaiter::waitAs(const IoStep& step) noexcept {
    return step.kind == IoStep::wantsWrite ? Step::wantsWrite : Step::wantsRead;
}

IoAwaiter::Step ReadAwaiter::attempt() {
    const IoStep step = stream_.tryRead(room_);
    if (step.kind == IoStep::moved) {
        outcome_ = step.count;
        progressed(step.count);
    } else if (step.kind == IoStep::failed) {
        outcome_ = fail(step.error);
    } else {
        return waitAs(step);
    }
    return Step::done;
}

IoAwaiter::Step WriteAwaiter::attempt() {
    while (!pieces_.empty()) {
        if (pieces_.front().iov_len == 0) {
            pieces_ = pieces_.subspan(1);
            continue;
        }
        const IoStep step =
            stream_.tryWrite(pieces_.first(std::min(pieces_.size(), kMaxPieces)), more_);
        if (step.kind == IoStep::failed) {
            outcome_ = fail(step.error);
            return Step::done;
        }
        if (step.kind != IoStep::moved) return waitAs(step);
        advance(step.count);
        progressed(step.count);
    }
    return Step::done;
}

void WriteAwaiter::advance(std::size_t count) noexcept {
    while (count != 0) {
        iovec& piece = pieces_.front();
        const auto taken = std::min(count, piece.iov_len);
        piece.iov_base = static_cast<char*>(piece.iov_base) + taken;
        piece.iov_len -= taken;
        count -= taken;
        if (piece.iov_len == 0) pieces_ = pieces_.subspan(1);
    }
}

IoAwaiter::Step SendFileAwaiter::attempt() {
    while (left_ != 0) {
        const auto count = static_cast<std::size_t>(std::min<ByteCount>(left_, kMaxSendFileBytes));
        const IoStep step = stream_.trySendFile(file_, offset_, count);
        if (step.kind == IoStep::failed || (step.kind == IoStep::moved && step.count == 0)) {
            outcome_ = fail(step.kind == IoStep::failed ? step.error : Error(Error::failed));
            return Step::done;
        }
        if (step.kind != IoStep::moved) return waitAs(step);
        offset_ += step.count;
        left_ -= step.count;
        progressed(step.count);
    }
    return Step::done;
}

void SocketStream::endWriting() noexcept {
    ::shutdown(watch_.descriptor(), SHUT_WR);
}

IoStep SocketStream::tryRead(ByteRoom room) noexcept {
    if (!watch_.mayRead()) return IoStep::waitFor(IoStep::wantsRead);
    const auto got =
        uninterrupted([&] { return ::recv(watch_.descriptor(), room.data(), room.size(), 0); });
    return afterRead(watch_, got, room.size());
}

IoStep SocketStream::tryWrite(std::span<const iovec> pieces, More more) noexcept {
    if (!watch_.mayWrite()) return IoStep::waitFor(IoStep::wantsWrite);
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(pieces.data());
    message.msg_iovlen = static_cast<decltype(message.msg_iovlen)>(pieces.size());
    const int flags = MSG_NOSIGNAL | (more == More::yes ? MSG_MORE : 0);
    const auto put = uninterrupted([&] { return ::sendmsg(watch_.descriptor(), &message, flags); });
    return afterWrite(watch_, put, totalOf(pieces));
}

IoStep SocketStream::trySendFile(int file, ByteCount offset, std::size_t count) noexcept {
    if (!watch_.mayWrite()) return IoStep::waitFor(IoStep::wantsWrite);
    auto place = static_cast<off_t>(offset);
    const auto put =
        uninterrupted([&] { return ::sendfile(watch_.descriptor(), file, &place, count); });
    if (put == 0) return IoStep::did(0); // the file ends before the promised length
    // A short sendfile is no proof of a full socket (it also stops at page-cache borders): try
    // again.
    if (put > 0) return IoStep::did(static_cast<std::size_t>(put));
    return afterWrite(watch_, put, count);
}

IoStep PipeStream::tryRead(ByteRoom room) noexcept {
    if (!watch_.mayRead()) return IoStep::waitFor(IoStep::wantsRead);
    const auto got =
        uninterrupted([&] { return ::read(watch_.descriptor(), room.data(), room.size()); });
    return afterRead(watch_, got, room.size());
}

IoStep PipeStream::tryWrite(std::span<const iovec> pieces, More) noexcept {
    if (!watch_.mayWrite()) return IoStep::waitFor(IoStep::wantsWrite);
    const auto put = uninterrupted([&] {
        return ::writev(watch_.descriptor(), pieces.data(), static_cast<int>(pieces.size()));
    });
    return afterWrite(watch_, put, totalOf(pieces));
}

IoStep PipeStream::trySendFile(int file, ByteCount offset, std::size_t count) noexcept {
    if (!watch_.mayWrite()) return IoStep::waitFor(IoStep::wantsWrite);
    auto place = static_cast<off_t>(offset);
    const auto put = uninterrupted([&] {
        return ::splice(file, &place, watch_.descriptor(), nullptr, count, SPLICE_F_NONBLOCK);
    });
    return put >= 0 ? IoStep::did(static_cast<std::size_t>(put)) : afterWrite(watch_, put, count);
}

Result<PipeEnds> makePipe(OurEnd ours) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return fail(Error::fromErrno());
    PipeEnds pipe{Fd(ends[0]), Fd(ends[1])};
    const int mine = ours == OurEnd::read ? pipe.read.get() : pipe.write.get();
    if (::fcntl(mine, F_SETFL, O_NONBLOCK | (ours == OurEnd::read ? O_RDONLY : O_WRONLY)) != 0)
        return fail(Error::fromErrno());
    return pipe;
}

} // namespace reef::io

#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "io/pace.h"
#include "io/watch.h"

#include <sys/uio.h>

#include <cstddef>
#include <span>

namespace reef::io {

class Stream;

/// Whether more bytes follow at once, so that a partial packet is not worth sending yet.
enum class More : std::uint8_t { no, yes };

/// What one non-blocking call brought.
struct IoStep {
    enum Kind : std::uint8_t { moved, wantsRead, wantsWrite, failed };
    Kind kind;
    std::size_t count = 0; ///< bytes, with `moved`
    Error error = Error::failed;

    static IoStep did(std::size_t n) noexcept { return {moved, n}; }
    static IoStep waitFor(Kind direction) noexcept { return {direction}; }
    static IoStep broke(Error why) noexcept { return {failed, 0, why}; }
};

/// What reads, writes and sends of files have in common. With a `pace` (which outlives the wait)
/// the peer's speed is measured, and a wait ends early when it was too slow.
class StreamAwaiter : public IoAwaiter {
protected:
    StreamAwaiter(Stream& stream, Timeout timeout, Pace* pace) noexcept;
    static Step waitAs(const IoStep& step) noexcept;

    /// So many bytes have moved: the timeout begins anew.
    void progressed(std::size_t bytes) noexcept;

    Stream& stream_;

private:
    Pace* pace_;
    Timeout each_; ///< the timeout of a wait, whatever the pace
    std::chrono::steady_clock::time_point since_;
};

/// `Result<std::size_t> n = co_await stream.read(room, timeout)`: at least one byte, or 0 when the
/// peer has ended its side.
class ReadAwaiter final : public StreamAwaiter {
public:
    ReadAwaiter(Stream& stream, ByteRoom room, Timeout timeout, Pace* pace) noexcept
        : StreamAwaiter(stream, timeout, pace), room_(room) {}
    Result<std::size_t> await_resume() const noexcept { return outcome_; }

private:
    Step attempt() override;
    void timedOut() noexcept override { outcome_ = fail(Error::timedOut); }
    ByteRoom room_;
    Result<std::size_t> outcome_ = 0;
};

/// `Status done = co_await stream.write(pieces, timeout)`: all bytes, or the failure. The timeout
/// is for each wait without progress.
class WriteAwaiter final : public StreamAwaiter {
public:
    WriteAwaiter(Stream& stream, std::span<iovec> pieces, More more, Timeout timeout,
                 Pace* pace) noexcept
        : StreamAwaiter(stream, timeout, pace), pieces_(pieces), more_(more) {}
    WriteAwaiter(Stream& stream, ByteView piece, More more, Timeout timeout, Pace* pace) noexcept
        : StreamAwaiter(stream, timeout, pace),
          single_{const_cast<char*>(piece.data()), piece.size()}, pieces_(&single_, 1),
          more_(more) {}
    Status await_resume() const noexcept { return outcome_; }

private:
    Step attempt() override;
    void timedOut() noexcept override { outcome_ = fail(Error::timedOut); }
    void advance(std::size_t count) noexcept;
    iovec single_{};
    std::span<iovec> pieces_;
    More more_;
    Status outcome_;
};

/// `Status done = co_await stream.sendFile(file, offset, count, timeout)`: all of it, or the
/// failure. A file that has become shorter is `failed`.
class SendFileAwaiter final : public StreamAwaiter {
public:
    SendFileAwaiter(Stream& stream, int file, ByteCount offset, ByteCount count, Timeout timeout,
                    Pace* pace) noexcept
        : StreamAwaiter(stream, timeout, pace), file_(file), offset_(offset), left_(count) {}
    Status await_resume() const noexcept { return outcome_; }

private:
    Step attempt() override;
    void timedOut() noexcept override { outcome_ = fail(Error::timedOut); }
    int file_;
    ByteCount offset_;
    ByteCount left_;
    Status outcome_;
};

/// `Status worth = co_await stream.readable(timeout)`: ends when a read may bring something, or the
/// timeout passes. Holds no buffer: how an idle connection waits.
class ReadableAwaiter final : public IoAwaiter {
public:
    ReadableAwaiter(Watch& watch, Timeout timeout) noexcept : IoAwaiter(watch, timeout) {}
    Status await_resume() const noexcept { return outcome_; }

private:
    Step attempt() override { return watch().mayRead() ? Step::done : Step::wantsRead; }
    void timedOut() noexcept override { outcome_ = fail(Error::timedOut); }
    Status outcome_;
};

/// `co_await stream.peerFinished()`: ends when the peer has closed its sending side, or the
/// connection broke.
class HangupAwaiter final : public IoAwaiter {
public:
    explicit HangupAwaiter(Watch& watch) noexcept : IoAwaiter(watch, kNever) {}
    void await_resume() const noexcept {}

private:
    Step attempt() override {
        return watch().peerFinished() || watch().broken() ? Step::done : Step::wantsHangup;
    }
    void timedOut() noexcept override {}
};

/// Bytes both ways: plain now, TLS behind the same face later. An implementation only says what one
/// non-blocking call does; waiting, timeouts and completion are here. One reader and one writer at
/// a time. Buffers and `pieces` (which are used up) belong to the caller until the await has ended.
class Stream {
public:
    virtual ~Stream() = default;
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    ReadAwaiter read(ByteRoom room, Timeout timeout = kNever, Pace* pace = nullptr) noexcept {
        return {*this, room, timeout, pace};
    }
    WriteAwaiter write(std::span<iovec> pieces, Timeout timeout = kNever, More more = More::no,
                       Pace* pace = nullptr) noexcept {
        return {*this, pieces, more, timeout, pace};
    }
    WriteAwaiter write(ByteView piece, Timeout timeout = kNever, More more = More::no,
                       Pace* pace = nullptr) noexcept {
        return {*this, piece, more, timeout, pace};
    }
    SendFileAwaiter sendFile(int file, ByteCount offset, ByteCount count, Timeout timeout = kNever,
                             Pace* pace = nullptr) noexcept {
        return {*this, file, offset, count, timeout, pace};
    }
    ReadableAwaiter readable(Timeout timeout = kNever) noexcept { return {watch_, timeout}; }
    HangupAwaiter peerFinished() noexcept { return HangupAwaiter(watch_); }

    /// One read that does not wait. Error: unavailable when nothing is there yet.
    Result<std::size_t> readNow(ByteRoom room) noexcept {
        const IoStep step = tryRead(room);
        if (step.kind == IoStep::moved) return step.count;
        return fail(step.kind == IoStep::failed ? step.error : Error(Error::unavailable));
    }

    Watch& watch() noexcept { return watch_; }

    /// Tells the peer that no more comes (FIN, close-notify). What was written is still delivered.
    virtual void endWriting() noexcept = 0;

protected:
    Stream(Loop& loop, Fd descriptor) : watch_(loop, std::move(descriptor)) {}

    virtual IoStep tryRead(ByteRoom room) noexcept = 0;
    virtual IoStep tryWrite(std::span<const iovec> pieces, More more) noexcept = 0;
    virtual IoStep trySendFile(int file, ByteCount offset, std::size_t count) noexcept = 0;

    Watch watch_;

private:
    friend class ReadAwaiter;
    friend class WriteAwaiter;
    friend class SendFileAwaiter;
};

/// A connected socket.
class SocketStream final : public Stream {
public:
    SocketStream(Loop& loop, Fd socket) : Stream(loop, std::move(socket)) {}
    void endWriting() noexcept override;

private:
    IoStep tryRead(ByteRoom room) noexcept override;
    IoStep tryWrite(std::span<const iovec> pieces, More more) noexcept override;
    IoStep trySendFile(int file, ByteCount offset, std::size_t count) noexcept override;
};

/// One end of a pipe.
class PipeStream final : public Stream {
public:
    PipeStream(Loop& loop, Fd end) : Stream(loop, std::move(end)) {}
    void endWriting() noexcept override {} // a pipe's end is told by closing it

private:
    IoStep tryRead(ByteRoom room) noexcept override;
    IoStep tryWrite(std::span<const iovec> pieces, More more) noexcept override;
    IoStep trySendFile(int file, ByteCount offset, std::size_t count) noexcept override;
};

/// The two ends of a new pipe, close-on-exec; the end named by `ours` is non-blocking, the other is
/// for a child and blocks. Errors: system (EMFILE, ENFILE).
struct PipeEnds {
    Fd read;
    Fd write;
};
enum class OurEnd : std::uint8_t { read, write };
Result<PipeEnds> makePipe(OurEnd ours);

} // namespace reef::io

#pragma once

#include "base/bytes.h"
#include "base/fd.h"
#include "base/result.h"
#include "coro/task.h"
#include "gateway/spool.h"
#include "http/body.h"
#include "io/stream.h"

#include <memory>
#include <optional>
#include <string>

namespace reef::gateway {

/// The content of a request on its way to a program's standard input. Lives in the frame of the
/// run; loop and body outlive it.
class ScriptInput {
public:
    ScriptInput(io::Loop& loop, http::Body& body) : loop_(loop), body_(body) {}

    /// Makes ready what the program will read. Short content (64 KiB) is read whole, into a pipe;
    /// content of unknown length is collected, in memory or an unlinked file in `spoolDirectory`,
    /// so that CONTENT_LENGTH can be told; longer content of known length gets a pipe to be fed by
    /// `feed`. Errors: the body's own, tooLarge, system (descriptors, disk).
    Task<Status> prepare(std::string spoolDirectory);

    /// CONTENT_LENGTH; nothing: there is no content, and the program reads /dev/null (RFC
    /// 3875 4.1.2).
    std::optional<ByteCount> length() const noexcept { return length_; }

    /// For the program, once.
    Fd takeProgramsEnd() noexcept { return std::move(programsEnd_); }

    bool needsFeeding() const noexcept { return pipe_ != nullptr; }

    /// Passes the content on as it comes, to its end. A program that reads no more is in its right.
    /// Errors: the body's own.
    Task<Status> feed();

private:
    Task<Status> fill(Fd pipe);

    io::Loop& loop_;
    http::Body& body_;
    std::optional<ByteCount> length_;
    Fd programsEnd_;
    std::unique_ptr<io::PipeStream> pipe_;
    SpoolShare share_; ///< of content that was collected
    ByteView unfed_;   ///< of the piece of content that was read last
};

} // namespace reef::gateway

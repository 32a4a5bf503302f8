#pragma once

#include "base/bytes.h"
#include "coro/task.h"
#include "gateway/announced_length.h"
#include "gateway/handover.h"
#include "gateway/island_directory.h"
#include "gateway/program.h"
#include "gateway/script_head.h"
#include "http/request.h"
#include "http/response.h"
#include "io/buffer_pool.h"

#include <cstddef>
#include <optional>

namespace reef::gateway {

/// Passes the answer of a program on to a sink (see runIsland for what becomes of lengths), or says
/// what the site is to answer instead. Lives in the frame of the run; all that it is given outlives
/// it.
class AnswerRelay {
public:
    AnswerRelay(Program& program, const Island& island, const http::Request& request,
                http::ResponseSink& sink, io::BufferPool& buffers)
        : program_(program), island_(island), request_(request), sink_(sink),
          buffer_(buffers.take()), head_(*request.arena, ScriptHead::formOf(island.name)) {}

    /// Once. Failures are those of runIsland.
    Task<IslandResult> relay();

private:
    Task<http::Handled> readHead();
    Task<http::Handled> passOn();
    Task<http::Handled> sendWhole(ByteView content);
    Task<http::Handled> stream(ByteView content);
    Task<Status> writeOn(ByteView content);
    Task<http::Handled> discardRest();
    Handover handover() const;
    bool fitsBuffer() const noexcept;
    bool hasContent() const noexcept;
    ByteRoom room() const { return buffer_.room().subspan(used_); }

    Program& program_;
    const Island& island_;
    const http::Request& request_;
    http::ResponseSink& sink_;
    io::BufferPool::Lease buffer_;
    std::size_t used_ = 0; ///< bytes in the buffer while the head is read
    ScriptHead head_;
    AnnouncedLength announced_{std::nullopt};
};

} // namespace reef::gateway

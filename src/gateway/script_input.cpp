#include "gateway/script_input.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace reef::gateway {

namespace {

constexpr ByteCount kHeldBytes = 64_KiB;

} // namespace

Task<Status> ScriptInput::prepare(std::string spoolDirectory) {
    length_ = body_.length();
    if (!length_) {
        auto spooled = co_await spool(body_, std::move(spoolDirectory));
        if (!spooled) co_return fail(spooled.error());
        length_ = spooled->length;
        programsEnd_ = std::move(spooled->file);
        share_ = std::move(spooled->share);
        co_return Status{};
    }
    if (*length_ == 0) {
        length_.reset();
        co_return Status{};
    }
    auto pipe = io::makePipe(io::OurEnd::write);
    if (!pipe) co_return fail(pipe.error());
    programsEnd_ = std::move(pipe->read);
    if (*length_ <= kHeldBytes) co_return co_await fill(std::move(pipe->write));
    pipe_ = std::make_unique<io::PipeStream>(loop_, std::move(pipe->write));
    co_return Status{};
}

/// Puts the whole content into a pipe that usually holds it (pipe(7): 64 KiB), and closes the pipe.
/// A pipe that is smaller, because this user has so many, is fed like longer content.
Task<Status> ScriptInput::fill(Fd pipe) {
    for (;;) {
        const auto piece = co_await body_.read();
        if (!piece) co_return fail(piece.error());
        if (piece->empty()) co_return Status{};
        const auto written = ::write(pipe.get(), piece->data(), piece->size());
        if (written == static_cast<ssize_t>(piece->size())) continue;
        if (written < 0 && errno != EAGAIN) co_return fail(Error::fromErrno());
        unfed_ = piece->subspan(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
        pipe_ = std::make_unique<io::PipeStream>(loop_, std::move(pipe));
        co_return Status{};
    }
}

Task<Status> ScriptInput::feed() {
    ByteView piece = std::exchange(unfed_, {});
    for (;;) {
        if (piece.empty()) {
            const auto next = co_await body_.read();
            if (!next) {
                pipe_.reset();
                co_return fail(next.error());
            }
            if (next->empty()) break;
            piece = *next;
        }
        if (!co_await pipe_->write(piece)) break;
        piece = {};
    }
    pipe_.reset();
    co_return Status{};
}

} // namespace reef::gateway

#pragma once

#include "http/response.h"

namespace reef::http {

/// A filter before a sink that changes the head of what goes through, and nothing else. The next
/// sink outlives it.
class HeadFilter : public ResponseSink {
public:
    explicit HeadFilter(ResponseSink& next) noexcept : next_(next) {}

    Task<Status> begin(const ResponseHead& head) override {
        const auto sent = changed(head, head.length);
        co_return co_await next_.begin(sent);
    }
    Task<Status> write(std::span<const ByteView> pieces) override { return next_.write(pieces); }
    Task<Status> writeFile(int file, ByteCount offset, ByteCount count) override {
        return next_.writeFile(file, offset, count);
    }
    Task<Status> flush() override { return next_.flush(); }
    Task<Status> end() override { return next_.end(); }
    Task<Status> send(const ResponseHead& head, std::span<const ByteView> pieces) override {
        ByteCount length = 0;
        for (const ByteView piece : pieces)
            length += piece.size();
        const auto sent = changed(head, length);
        co_return co_await next_.send(sent, pieces);
    }
    Task<Status> sendFile(const ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override {
        const auto sent = changed(head, count);
        co_return co_await next_.sendFile(sent, file, offset, count);
    }
    bool begun() const noexcept override { return next_.begun(); }

protected:
    /// The head in its place. Called once. `length` is that of the whole content, if it is known.
    virtual ResponseHead changed(const ResponseHead& head, std::optional<ByteCount> length) = 0;

private:
    ResponseSink& next_;
};

} // namespace reef::http

#pragma once

#include "http/failure.h"
#include "http/response.h"

namespace reef::site {

/// Stands before a sink while a page is made for a failure: the page comes with the failure's
/// status and fields, and without what would let it be kept or taken in parts.
class StatusSink final : public http::ResponseSink {
public:
    /// Both outlive it.
    StatusSink(http::ResponseSink& sink, const http::Failure& failure)
        : sink_(sink), failure_(failure) {}

    Task<Status> begin(const http::ResponseHead& head) override;
    Task<Status> write(std::span<const ByteView> pieces) override { return sink_.write(pieces); }
    Task<Status> writeFile(int file, ByteCount offset, ByteCount count) override {
        return sink_.writeFile(file, offset, count);
    }
    Task<Status> flush() override { return sink_.flush(); }
    Task<Status> end() override { return sink_.end(); }
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override;
    Task<Status> sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                          ByteCount count) override;
    bool begun() const noexcept override { return sink_.begun(); }

private:
    http::ResponseHead failed(const http::ResponseHead& head) const;

    http::ResponseSink& sink_;
    const http::Failure& failure_;
};

} // namespace reef::site

#pragma once

#include "http/failure.h"
#include "http/head_filter.h"

namespace reef::site {

/// Stands before a sink while a page is made for a failure: the page comes with the failure's
/// status and fields, and without what would let it be kept or taken in parts.
class StatusSink final : public http::HeadFilter {
public:
    /// Both outlive it.
    StatusSink(http::ResponseSink& sink, const http::Failure& failure)
        : HeadFilter(sink), failure_(failure) {}

private:
    http::ResponseHead changed(const http::ResponseHead& head,
                               std::optional<ByteCount> length) override;

    const http::Failure& failure_;
};

} // namespace reef::site

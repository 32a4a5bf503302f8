#pragma once

#include "http/head_filter.h"

#include <functional>

namespace reef::site {

/// Stands before a sink and tells the status of the answer before it goes there.
class WatchingSink final : public http::HeadFilter {
public:
    WatchingSink(http::ResponseSink& next, std::function<void(int status)> tell)
        : HeadFilter(next), tell_(std::move(tell)) {}

private:
    http::ResponseHead changed(const http::ResponseHead& head, std::optional<ByteCount>) override {
        tell_(head.status);
        return head;
    }

    std::function<void(int status)> tell_;
};

} // namespace reef::site

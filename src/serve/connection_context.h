#pragma once

#include "http/handler.h"
#include "io/loop.h"
#include "serve/address_limit.h"
#include "serve/request_log.h"
#include "serve/request_slot.h"
#include "serve/settings.h"

#include <cstdint>
#include <memory>
#include <string>

namespace reef::serve {

/// What all connections of a loop share. Outlives them.
struct ConnectionContext {
    ConnectionContext(io::Loop& l, const Settings& s, http::Handler& h, RequestLog& r,
                      std::shared_ptr<AddressLimit> a = nullptr)
        : loop(l), settings(std::make_shared<const Settings>(s)), handler(h), requestLog(r),
          addresses(a ? std::move(a) : std::make_shared<AddressLimit>()) {}

    /// Value of Date, renewed once a second.
    std::string_view date();
    std::string_view nextRequestId(Arena& memory);

    io::Loop& loop;
    std::shared_ptr<const Settings> settings; ///< never null; read anew for each request
    http::Handler& handler;
    RequestLog& requestLog;
    std::shared_ptr<AddressLimit> addresses; ///< never null
    SlotPool slots;
    bool draining = false; ///< connections end after the request they serve

private:
    std::int64_t dateSecond_ = -1;
    std::string dateText_;
    std::string idPrefix_;
    std::uint64_t idCounter_ = 0;
};

} // namespace reef::serve

#pragma once

#include "http/handler.h"
#include "io/address.h"
#include "io/stream.h"
#include "serve/client_body.h"
#include "serve/client_sink.h"
#include "serve/request_log.h"
#include "serve/request_slot.h"
#include "serve/settings.h"

#include <string>

namespace reef::serve {

/// What all connections of a loop share. Outlives them.
struct ConnectionContext {
    ConnectionContext(io::Loop& l, const Settings& s, http::Handler& h, RequestLog& r)
        : loop(l), settings(s), handler(h), requestLog(r) {}

    /// Value of Date, renewed once a second.
    std::string_view date();
    std::string_view nextRequestId(Arena& memory);

    io::Loop& loop;
    const Settings& settings;
    http::Handler& handler;
    RequestLog& requestLog;
    SlotPool slots;
    bool draining = false; ///< connections end after the request they serve

private:
    std::int64_t dateSecond_ = -1;
    std::string dateText_;
    std::string idPrefix_;
    std::uint64_t idCounter_ = 0;
};

/// One client connection: reads requests in order, has them handled, keeps or closes. Lives in the
/// frame of the task that runs it.
class Connection {
public:
    Connection(ConnectionContext& context, Fd socket, const io::Address& peer,
               const io::Address& local);

    /// Serves until the connection ends, by either side.
    Task<void> run();

    /// A connection that waits for its next request ends now: no request is cut.
    void endIfIdle() noexcept;

private:
    enum class Next : std::uint8_t { keep, close, linger };

    Task<bool> waitForBytes();
    Task<Next> serveRequest();
    Task<bool> readHead(http::RequestParser& parser, http::Request& request);
    Task<http::Handled> handle(http::Request& request, const ClientBody& body, ClientSink& sink,
                               bool keepAlive);
    Task<http::Handled> answerForServer(http::Request& request, ClientSink& sink);
    Task<Next> settle(http::Request& request, ClientBody& body, ClientSink& sink,
                      http::Handled handled);
    Task<void> explain(http::Request& request, ClientSink& sink, const http::Failure& failure);
    Task<void> answerFailure(http::Request& request, ClientSink& sink,
                             const http::Failure& failure);
    Task<Next> reject(http::Request& request, const http::RequestParser& parser);
    Task<void> linger();
    void record(const http::Request& request, const ClientSink& sink, bool clientLeft,
                std::string_view detail) noexcept;

    ConnectionContext& context_;
    io::SocketStream stream_;
    std::string remoteAddress_;
    std::string localAddress_;
    http::Endpoints endpoints_;
    SlotPool::Lease slot_ = SlotPool::none();
    bool idle_ = false;
};

} // namespace reef::serve

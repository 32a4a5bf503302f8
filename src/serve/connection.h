#pragma once

#include "http/handler.h"
#include "io/address.h"
#include "io/stream.h"
#include "serve/client_body.h"
#include "serve/client_sink.h"
#include "serve/connection_context.h"
#include "serve/listener_options.h"

#include <chrono>
#include <optional>
#include <string>

namespace reef::serve {

/// One client connection: reads requests in order, has them handled, keeps or closes. Lives in the
/// frame of the task that runs it.
class Connection {
public:
    Connection(ConnectionContext& context, Fd socket, const io::Address& peer,
               const io::Address& local, ListenerOptions options = {});

    /// Serves until the connection ends, by either side.
    Task<void> run();

    /// A connection that waits for its next request ends now: no request is cut.
    void endIfIdle() noexcept;

    /// The same when it has waited for so long, for a request or for the rest of a head: others
    /// need its descriptor. Whether it ends.
    bool endIfWaitingFor(std::chrono::milliseconds time) noexcept;

private:
    enum class Next : std::uint8_t { keep, close, linger };
    enum class Waits : std::uint8_t { no, forRequest, forHead };

    Task<bool> readProxyHeader();
    bool takePlace();
    bool isTrustedPeer() const noexcept;
    void beginWait(Waits waits) noexcept;
    void endReading() noexcept;
    Task<bool> waitForBytes();
    io::Timeout idleTimeout() const noexcept;
    Task<Next> serveRequest();
    Task<Result<http::Verdict>> readHead(http::RequestParser& parser, http::Request& request);
    io::Timeout timeLeft(std::chrono::steady_clock::time_point began,
                         io::Timeout longest) const noexcept;
    bool believeProxy(http::Request& request);
    http::AnswerContext answerContext(const http::Request& request, bool keepAlive);
    Task<http::Handled> handle(http::Request& request, const ClientBody& body, ClientSink& sink,
                               bool keepAlive);
    Task<http::Handled> callHandler(http::Request& request, const ClientBody& body,
                                    ClientSink& sink, bool keepAlive);
    Task<http::Handled> answerForServer(http::Request& request, ClientSink& sink);
    Task<Next> settle(http::Request& request, ClientBody& body, ClientSink& sink,
                      http::Handled handled);
    Task<void> explain(http::Request& request, ClientSink& sink, const http::Failure& failure);
    Task<void> answerFailure(http::Request& request, ClientSink& sink,
                             const http::Failure& failure);
    Task<Next> reject(http::Request& request, http::Rejection rejection);
    Task<void> linger();
    void record(const http::Request& request, const ClientSink& sink, ByteCount received,
                bool clientLeft, std::string_view detail) noexcept;

    ConnectionContext& context_;
    std::shared_ptr<const Settings> settings_; ///< of the request at work; never null
    io::SocketStream stream_;
    ListenerOptions options_;
    std::string remoteAddress_;
    std::string localAddress_;
    http::Endpoints endpoints_;
    std::optional<io::HostBits> peer_; ///< nothing over a unix socket
    bool overUnix_;                    ///< and no proxy header has said more
    AddressLimit::Place place_;
    SlotPool::Lease slot_ = SlotPool::none();
    ByteCount headBytes_ = 0; ///< of the request at work
    Waits waits_ = Waits::no;
    std::chrono::steady_clock::time_point waitsSince_;
};

} // namespace reef::serve

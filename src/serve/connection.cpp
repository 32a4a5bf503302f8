#include "serve/connection.h"

#include "base/log.h"
#include "base/text.h"
#include "http/pages.h"
#include "http/path.h"
#include "http/status.h"
#include "io/sleep.h"
#include "serve/until_client_leaves.h"

#include <sys/socket.h>

#include <algorithm>

namespace reef::serve {

namespace {

constexpr ByteCount kMaxDiscardedBytes =
    256_KiB; // of unread content, for the sake of a kept connection
// So long a client may go on to send what nobody reads, before the connection is closed: many read
// the answer only after that, and a close would take it from them.
constexpr io::Timeout kLingerTime = std::chrono::seconds(5);
constexpr ByteCount kMaxLingerBytes = 16_MiB;
constexpr io::Timeout kWaitForLast = std::chrono::seconds(1);

/// Whether what has come of a chunked content is well-formed. A handler that reads none of it would
/// answer before anybody has noticed.
bool beginsChunked(ByteView received, Arena& memory) {
    http::ChunkedDecoder decoder(memory);
    while (!received.empty() && decoder.state() == http::ChunkedDecoder::State::reading)
        received = received.subspan(decoder.take(received).consumed);
    return decoder.state() != http::ChunkedDecoder::State::rejected;
}

} // namespace

Connection::Connection(ConnectionContext& context, Fd socket, const io::Address& peer,
                       const io::Address& local, ListenerOptions options)
    : context_(context), settings_(context.settings), stream_(context.loop, std::move(socket)),
      options_(options), remoteAddress_(peer.isUnix() ? std::string() : peer.host()),
      localAddress_(local.host()), peer_(io::hostOf(peer)), overUnix_(peer.isUnix()) {
    endpoints_.remoteAddress = remoteAddress_;
    endpoints_.remotePort = peer.port();
    endpoints_.localAddress = localAddress_;
    endpoints_.localPort = local.port();
}

Task<void> Connection::run() {
    if (options_.proxyProtocol == ProxyProtocol::required && !co_await readProxyHeader()) co_return;
    if (!takePlace()) co_return;
    Next next = Next::keep;
    while (next == Next::keep && co_await waitForBytes()) {
        next = co_await serveRequest();
        if (next == Next::keep && context_.draining) next = Next::close;
        // A pipelining client lets others go first. One that is not gives its slot back at once: of
        // many clients only those in the midst of a request hold one.
        if (next == Next::keep && slot_ && slot_->used != 0) co_await io::Yield();
    }
    if (next == Next::linger) co_await linger();
}

void Connection::beginWait(Waits waits) noexcept {
    waits_ = waits;
    waitsSince_ = context_.loop.now();
}

/// Reading then finds the end of the stream, and the task ends by itself (rule 5).
void Connection::endReading() noexcept {
    ::shutdown(stream_.watch().descriptor(), SHUT_RD);
}

void Connection::endIfIdle() noexcept {
    if (waits_ == Waits::forRequest) endReading();
}

bool Connection::endIfWaitingFor(std::chrono::milliseconds time) noexcept {
    if (waits_ == Waits::no || context_.loop.now() - waitsSince_ < time) return false;
    waits_ = Waits::no; // asked once
    endReading();
    return true;
}

/// Waits for the first bytes of a request. False: the client has closed, or was idle for too long.
Task<bool> Connection::waitForBytes() {
    while (!slot_ || slot_->used == 0) {
        slot_ = SlotPool::none();
        beginWait(Waits::forRequest);
        const auto readable = co_await stream_.readable(idleTimeout());
        waits_ = Waits::no;
        if (!readable) co_return false;
        slot_ = context_.slots.take();
        const auto got = stream_.readNow(slot_->room());
        if (got) {
            slot_->used = *got;
            if (*got == 0) co_return false;
        } else if (!(got.error() == Error::unavailable)) {
            co_return false;
        }
    }
    co_return true;
}

/// While the server drains only those wait who came in at the last moment.
io::Timeout Connection::idleTimeout() const noexcept {
    const auto usual = context_.settings->idleTimeout;
    return context_.draining ? std::min(usual, kWaitForLast) : usual;
}

/// Reads until the parser has its verdict. Errors: timedOut; peerClosed, and there is nobody to
/// tell.
Task<Result<http::Verdict>> Connection::readHead(http::RequestParser& parser,
                                                 http::Request& request) {
    const auto longest = std::min(settings_->headTimeout, settings_->totalTimeout);
    for (;;) {
        const auto verdict = parser.parse(slot_->received(), request);
        if (verdict != http::Verdict::incomplete) co_return verdict;
        if (waits_ == Waits::no) beginWait(Waits::forHead);
        if (slot_->room().empty()) slot_->grow();
        const auto left = timeLeft(request.began, longest);
        if (left.count() <= 0) co_return fail(Error::timedOut);
        const auto got = co_await stream_.read(slot_->room(), left);
        if (!got) co_return fail(got.error());
        if (*got == 0) co_return fail(Error::peerClosed);
        slot_->used += *got;
    }
}

/// What is left of a time that began then; kNever stays so.
io::Timeout Connection::timeLeft(std::chrono::steady_clock::time_point began,
                                 io::Timeout longest) const noexcept {
    if (longest == io::kNever) return longest;
    return longest - std::chrono::duration_cast<io::Timeout>(context_.loop.now() - began);
}

Task<Connection::Next> Connection::serveRequest() {
    if (settings_ != context_.settings) settings_ = context_.settings;
    Arena& arena = slot_->arena;
    arena.release();
    ClientBody body(stream_, *settings_, arena);
    http::Request request(arena, body, endpoints_);
    request.began = context_.loop.now();
    http::RequestParser parser(settings_->head);
    const auto verdict = co_await readHead(parser, request);
    waits_ = Waits::no;
    request.id = context_.nextRequestId(arena);
    if (!verdict) {
        if (!(verdict.error() == Error::timedOut)) co_return Next::close;
        co_return co_await reject(request, {408, "the head came too slowly"});
    }
    if (*verdict == http::Verdict::rejected) co_return co_await reject(request, parser.rejection());
    headBytes_ = parser.headLength();
    if (isTrustedPeer() && !believeProxy(request))
        co_return co_await reject(
            request, {400, "Forwarded and X-Forwarded-For name different clients: one is not the "
                           "proxy's"});

    const http::Framing& framing = parser.framing();
    const ByteView received = slot_->received().subspan(parser.headLength());
    if (framing.body == http::BodyKind::chunked && !beginsChunked(received, arena))
        co_return co_await reject(request, {400, "bad chunks"});
    body.begin(framing, received);
    ClientSink sink(stream_, *settings_, answerContext(request, framing.keepAlive), arena);
    sink.forbidKeepAliveIf(context_.draining);
    auto handled = co_await handle(request, body, sink, framing.keepAlive);
    co_return co_await settle(request, body, sink, std::move(handled));
}

http::AnswerContext Connection::answerContext(const http::Request& request, bool keepAlive) {
    http::AnswerContext answer(request.method, request.version, keepAlive && !context_.draining);
    answer.date = context_.date();
    answer.server = settings_->serverName;
    answer.fields = &request.answerFields;
    answer.trailers = &request.trailers;
    if (settings_->requestIdField) answer.requestId = request.id;
    return answer;
}

Task<http::Handled> Connection::handle(http::Request& request, const ClientBody& body,
                                       ClientSink& sink, bool keepAlive) {
    if (request.method == http::Method::connect) {
        sink.forbidKeepAlive(); // whoever thinks that it has a tunnel speaks no HTTP in it
        co_return http::failWith(501, "CONNECT is for proxies (RFC 9110 9.3.6)");
    }
    if (request.rawPath == "*") co_return co_await answerForServer(request, sink);
    const auto path = http::decodePath(request.rawPath, *request.arena);
    if (!path) {
        const int status = http::statusOf(path.error());
        if (status == 400) sink.forbidKeepAlive();
        co_return http::failWith(status, "the request's path is not acceptable");
    }
    request.path = *path;
    if (body.length() && *body.length() > settings_->maxBody)
        co_return http::failWith(413, "the content is larger than max_body");
    std::string bug;
    try {
        co_return co_await callHandler(request, body, sink, keepAlive);
    } catch (const std::exception& error) {
        bug = error.what();
    }
    co_return http::failWith(500, text::concat("exception: ", bug));
}

Task<http::Handled> Connection::callHandler(http::Request& request, const ClientBody& body,
                                            ClientSink& sink, bool keepAlive) {
    const auto left = timeLeft(request.began, settings_->totalTimeout);
    const auto half = keepAlive ? HalfClose::meansLeft : HalfClose::isAllowed;
    UntilClientLeaves<http::Handled> race(stream_, half, context_.handler.handle(request, sink),
                                          left);
    auto handled = co_await race;
    if (handled) co_return std::move(*handled);
    if (!race.ranOut()) co_return http::failClient(Error::peerClosed);
    co_return http::failWith(body.awaited() ? 408 : 504,
                             "the request took longer than total_timeout");
}

/// `OPTIONS *` asks about the server as a whole (RFC 9110 9.3.7).
Task<http::Handled> Connection::answerForServer(http::Request& request, ClientSink& sink) {
    http::ResponseHead head(*request.arena, 204);
    head.fields.add("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH");
    const auto sent = co_await sink.send(head, {});
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled{};
}

/// After the handler: failures become responses, the log is told, unread content is skipped.
Task<Connection::Next> Connection::settle(http::Request& request, ClientBody& body,
                                          ClientSink& sink, http::Handled handled) {
    std::string detail;
    if (!handled) {
        detail = handled.error().detail;
        if (!body.ended()) sink.forbidKeepAlive();
        if (!handled.error().clientGone() && !sink.begun()) {
            co_await explain(request, sink, handled.error());
            if (!sink.begun()) co_await answerFailure(request, sink, handled.error());
        }
    } else if (!sink.complete()) {
        detail = "the handler ended without a whole response";
    }
    record(request, sink, headBytes_ + body.received(), !handled && handled.error().clientGone(),
           detail);
    if (!sink.complete()) {
        // Where only the end of the connection ends the content, a reset is what tells a cut from
        // success.
        if (sink.begun() && !sink.cutIsVisible()) {
            const struct linger reset{1, 0};
            ::setsockopt(stream_.watch().descriptor(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        }
        co_return Next::close;
    }
    // Draining does not wait for a client that has nothing more to say.
    const bool saidAll = body.ended() && body.remainder().empty();
    if (!sink.reusable()) co_return context_.draining&& saidAll ? Next::close : Next::linger;
    if (body.unasked() || !co_await body.discard(kMaxDiscardedBytes)) co_return Next::linger;
    const ByteView rest = body.remainder();
    slot_->restartWith(rest);
    co_return Next::keep;
}

/// The handler's own page for this failure, if it has one; a page that fails in turn is not
/// followed up.
Task<void> Connection::explain(http::Request& request, ClientSink& sink,
                               const http::Failure& failure) {
    std::string bug;
    try {
        co_await UntilClientLeaves<bool>(stream_, HalfClose::isAllowed,
                                         context_.handler.explain(request, failure, sink));
    } catch (const std::exception& error) {
        bug = error.what();
    }
    if (!bug.empty())
        log::error("serve", text::concat("the page for status ", failure.status, ": ", bug));
}

Task<void> Connection::answerFailure(http::Request& request, ClientSink& sink,
                                     const http::Failure& failure) {
    const auto reason = http::reasonOf(failure.status);
    const std::string page = http::errorPage(failure.status, reason, request.id);
    http::ResponseHead head(*request.arena, failure.status);
    head.fields.add("Content-Type", "text/html; charset=utf-8");
    head.fields.add("Cache-Control", "no-store");
    head.fields.add("Content-Security-Policy", http::kPagePolicy);
    for (const auto& [name, value] : failure.fields)
        head.fields.add(name, value);
    if (failure.status == 503 && !head.fields.contains("Retry-After"))
        head.fields.add("Retry-After", "5");
    co_await http::sendPiece(sink, head, bytesOf(page)); // the sink knows how it went
}

Task<Connection::Next> Connection::reject(http::Request& request, http::Rejection rejection) {
    ClientSink sink(stream_, *settings_, answerContext(request, false), *request.arena);
    co_await answerFailure(request, sink, http::Failure(rejection.status));
    record(request, sink, slot_->used, false, rejection.reason);
    co_return Next::linger;
}

/// Closes so that the answer arrives: a socket closed over unread input is reset, and the reset can
/// overtake the answer (RFC 9112 9.6).
Task<void> Connection::linger() {
    stream_.endWriting();
    if (!slot_) slot_ = context_.slots.take();
    const auto deadline = context_.loop.now() + kLingerTime;
    ByteCount drained = 0;
    while (drained < kMaxLingerBytes) {
        const auto left = std::chrono::duration_cast<io::Timeout>(deadline - context_.loop.now());
        if (left.count() <= 0) co_return;
        slot_->used = 0;
        const auto got = co_await stream_.read(slot_->room(), left);
        if (!got || *got == 0) co_return;
        drained += *got;
    }
}

void Connection::record(const http::Request& request, const ClientSink& sink, ByteCount received,
                        bool clientLeft, std::string_view detail) noexcept {
    RequestRecord entry{};
    entry.request = &request;
    entry.status = sink.begun() ? sink.status() : 499;
    entry.received = received;
    entry.sent = sink.sent();
    entry.content = sink.content();
    entry.head = sink.head();
    entry.complete = sink.complete();
    entry.clientLeft = clientLeft;
    entry.contentType = sink.contentType();
    entry.detail = detail;
    // Not the loop's time: an answer that waits for nothing takes less than a turn.
    entry.duration = std::chrono::steady_clock::now() - request.began;
    context_.requestLog.record(entry);
}

} // namespace reef::serve

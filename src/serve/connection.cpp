#include "serve/connection.h"

#include "base/log.h"
#include "base/text.h"
#include "http/date.h"
#include "http/pages.h"
#include "http/path.h"
#include "http/status.h"
#include "io/sleep.h"
#include "serve/until_client_leaves.h"

#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>

namespace reef::serve {

namespace {

constexpr ByteCount kMaxDiscardedBytes =
    256_KiB; // of unread content, for the sake of a kept connection
constexpr io::Timeout kLingerTime = std::chrono::seconds(2);
constexpr ByteCount kMaxLingerBytes = 1_MiB;

std::string randomPrefix() {
    std::array<unsigned char, 5> bytes{};
    if (::getrandom(bytes.data(), bytes.size(), 0) < 0)
        bytes.fill(0); // ids need to differ, not to be secret
    std::string prefix;
    for (const unsigned char byte : bytes) {
        prefix += "0123456789abcdef"[byte >> 4U];
        prefix += "0123456789abcdef"[byte & 15U];
    }
    return prefix + '-';
}

} // namespace

std::string_view ConnectionContext::date() {
    const auto second =
        std::chrono::duration_cast<std::chrono::seconds>(loop.now().time_since_epoch()).count();
    if (second != dateSecond_) {
        dateSecond_ = second;
        dateText_ = http::DateText(std::time(nullptr)).view();
    }
    return dateText_;
}

std::string_view ConnectionContext::nextRequestId(Arena& memory) {
    if (idPrefix_.empty()) idPrefix_ = randomPrefix();
    constexpr std::size_t kMaxDigits = 20;
    char* text = memory.room(idPrefix_.size() + kMaxDigits);
    char* digits = std::ranges::copy(idPrefix_, text).out;
    const auto end = std::to_chars(digits, digits + kMaxDigits, ++idCounter_).ptr;
    return {text, static_cast<std::size_t>(end - text)};
}

Connection::Connection(ConnectionContext& context, Fd socket, const io::Address& peer,
                       const io::Address& local)
    : context_(context), stream_(context.loop, std::move(socket)),
      remoteAddress_(peer.isUnix() ? std::string() : peer.host()), localAddress_(local.host()) {
    endpoints_.remoteAddress = remoteAddress_;
    endpoints_.remotePort = peer.port();
    endpoints_.localAddress = localAddress_;
    endpoints_.localPort = local.port();
}

Task<void> Connection::run() {
    Next next = Next::keep;
    while (next == Next::keep && co_await waitForBytes()) {
        next = co_await serveRequest();
        if (next == Next::keep && context_.draining) next = Next::close;
        if (next == Next::keep && slot_)
            co_await io::Yield(); // a pipelining client lets others go first
    }
    if (next == Next::linger) co_await linger();
}

void Connection::endIfIdle() noexcept {
    // Reading then finds the end of the stream, and the task ends by itself (rule 5).
    if (idle_) ::shutdown(stream_.watch().descriptor(), SHUT_RD);
}

/// Waits for the first bytes of a request. False: the client has closed, or was idle for too long.
Task<bool> Connection::waitForBytes() {
    while (!slot_ || slot_->used == 0) {
        idle_ = true;
        slot_ = SlotPool::none();
        const auto readable = co_await stream_.readable(context_.settings.idleTimeout);
        idle_ = false;
        if (!readable || context_.draining) co_return false;
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

/// Reads until the parser has its verdict. False: the client left or was too slow, and there is
/// nobody to tell.
Task<bool> Connection::readHead(http::RequestParser& parser, http::Request& request) {
    const auto deadline = context_.loop.now() + context_.settings.headTimeout;
    while (parser.parse(slot_->received(), request) == http::Verdict::incomplete) {
        if (slot_->room().empty()) slot_->grow();
        const auto left = std::chrono::duration_cast<io::Timeout>(deadline - context_.loop.now());
        if (left.count() <= 0) co_return false;
        const auto got = co_await stream_.read(slot_->room(), left);
        if (!got || *got == 0) co_return false;
        slot_->used += *got;
    }
    co_return true;
}

Task<Connection::Next> Connection::serveRequest() {
    Arena& arena = slot_->arena;
    arena.release();
    ClientBody body(stream_, context_.settings, arena);
    http::Request request(arena, body, endpoints_);
    request.began = context_.loop.now();
    http::RequestParser parser(context_.settings.head);
    if (!co_await readHead(parser, request)) co_return Next::close;
    request.id = context_.nextRequestId(arena);
    if (!parser.rejection().reason.empty()) co_return co_await reject(request, parser);

    const http::Framing& framing = parser.framing();
    body.begin(framing, slot_->received().subspan(parser.headLength()));
    http::AnswerContext answer(request.method, request.version,
                               framing.keepAlive && !context_.draining);
    answer.date = context_.date();
    answer.server = context_.settings.serverName;
    answer.fields = &request.answerFields;
    ClientSink sink(stream_, context_.settings, answer, arena);

    auto handled = co_await handle(request, body, sink, framing.keepAlive);
    co_return co_await settle(request, body, sink, std::move(handled));
}

Task<http::Handled> Connection::handle(http::Request& request, const ClientBody& body,
                                       ClientSink& sink, bool keepAlive) {
    if (request.method == http::Method::connect)
        co_return http::failWith(501, "CONNECT is for proxies (RFC 9110 9.3.6)");
    if (request.rawPath == "*") co_return co_await answerForServer(request, sink);
    const auto path = http::decodePath(request.rawPath, *request.arena);
    if (!path)
        co_return http::failWith(http::statusOf(path.error()),
                                 "the request's path is not acceptable");
    request.path = *path;
    if (body.length() && *body.length() > context_.settings.maxBody)
        co_return http::failWith(413, "the content is larger than max_body");
    const auto half = keepAlive ? HalfClose::meansLeft : HalfClose::isAllowed;
    std::string bug;
    try {
        auto handled = co_await UntilClientLeaves<http::Handled>(
            stream_, half, context_.handler.handle(request, sink));
        if (handled) co_return std::move(*handled);
        co_return http::failClient(Error::peerClosed);
    } catch (const std::exception& error) {
        bug = error.what();
    }
    co_return http::failWith(500, text::concat("exception: ", bug));
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
    record(request, sink, !handled && handled.error().clientGone(), detail);
    if (!sink.complete()) {
        // Where only the end of the connection ends the content, a reset is what tells a cut from
        // success.
        if (sink.begun() && !sink.cutIsVisible()) {
            const struct linger reset{1, 0};
            ::setsockopt(stream_.watch().descriptor(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
        }
        co_return Next::close;
    }
    if (!sink.reusable()) co_return Next::linger;
    if (body.unasked() || !co_await body.discard(kMaxDiscardedBytes)) co_return Next::linger;
    const ByteView rest = body.remainder();
    slot_->restartWith(rest);
    co_return Next::keep;
}

/// The handler's own page for this failure, if it has one; a page that fails in turn is not followed up.
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

Task<Connection::Next> Connection::reject(http::Request& request,
                                          const http::RequestParser& parser) {
    const http::Rejection& rejection = parser.rejection();
    http::AnswerContext answer(http::Method::get, request.version, false);
    answer.date = context_.date();
    answer.server = context_.settings.serverName;
    ClientSink sink(stream_, context_.settings, answer, *request.arena);
    co_await answerFailure(request, sink, http::Failure(rejection.status));
    record(request, sink, false, rejection.reason);
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

void Connection::record(const http::Request& request, const ClientSink& sink, bool clientLeft,
                        std::string_view detail) noexcept {
    RequestRecord entry{};
    entry.request = &request;
    entry.status = sink.begun() ? sink.status() : 499;
    entry.sent = sink.sent();
    entry.complete = sink.complete();
    entry.clientLeft = clientLeft;
    entry.contentType = sink.contentType();
    entry.detail = detail;
    entry.duration = context_.loop.now() - request.began;
    context_.requestLog.record(entry);
}

} // namespace reef::serve

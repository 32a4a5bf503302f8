#include "harness/raw_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace reef::e2e {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what);
}

/// POLLIN or POLLOUT within the time.
bool await(int socket, short events, const Deadline& deadline) {
    pollfd entry{socket, events, 0};
    int ready = 0;
    do {
        ready = ::poll(&entry, 1, deadline.milliseconds());
    } while (ready < 0 && errno == EINTR);
    return ready == 1;
}

} // namespace

RawClient::RawClient(std::uint16_t port, const std::string& address)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(port);
    ::inet_pton(AF_INET, address.c_str(), &peer.sin_addr);
    if (::connect(socket_.get(), reinterpret_cast<sockaddr*>(&peer), sizeof peer) != 0)
        fail("cannot connect to port " + std::to_string(port) + ": " + std::strerror(errno));
    const int on = 1;
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void RawClient::send(std::string_view bytes) {
    const auto sent = sendUntilRefused(bytes, kPatience);
    if (sent != bytes.size())
        fail("the server took " + std::to_string(sent) + " of " + std::to_string(bytes.size()) +
             " bytes");
}

std::size_t RawClient::sendUntilRefused(std::string_view bytes, Duration patience) {
    const Deadline deadline(patience);
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        const auto put = ::send(socket_.get(), bytes.data() + sent, bytes.size() - sent,
                                MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put > 0) {
            sent += static_cast<std::size_t>(put);
        } else if (errno != EAGAIN || !await(socket_.get(), POLLOUT, deadline)) {
            break;
        }
    }
    return sent;
}

void RawClient::get(const std::string& target, const std::string& fields) {
    request("GET " + target + " HTTP/1.1", fields);
}

void RawClient::request(const std::string& line, const std::string& fields,
                        const std::string& content) {
    send(line + "\r\nHost: localhost\r\n" + fields + "\r\n" + content);
}

bool RawClient::fill() {
    if (ended_) return false;
    if (!await(socket_.get(), POLLIN, Deadline()))
        fail("nothing more came within " + std::to_string(kPatience.count()) +
             " ms; until then: " + received_.substr(0, 2000));
    char bytes[65536];
    const auto got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (got <= 0) {
        ended_ = true;
        wasReset_ = got < 0;
        return false;
    }
    received_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

std::string RawClient::take(std::size_t count) {
    std::string bytes = received_.substr(0, count);
    received_.erase(0, count);
    return bytes;
}

std::string RawClient::readUntil(std::string_view text) {
    std::size_t from = 0;
    for (;;) {
        const auto found = received_.find(text, from);
        if (found != std::string::npos) return take(found + text.size());
        from = received_.size() < text.size() ? 0 : received_.size() - text.size();
        if (!fill())
            fail("the connection ended before \"" + std::string(text) +
                 "\" came; until then: " + received_.substr(0, 2000));
    }
}

Response RawClient::head() {
    const auto head = readUntil("\r\n\r\n");
    return parseHead(std::string_view(head).substr(0, head.size() - 4));
}

Response RawClient::response(bool toHead) {
    Response response = head();
    response.chunked = response.field("Transfer-Encoding") == "chunked";
    const bool bare =
        toHead || response.status < 200 || response.status == 204 || response.status == 304;
    if (bare) return response;
    if (response.chunked) {
        readChunks(response);
    } else if (response.has("Content-Length")) {
        const auto length = std::stoul(response.field("Content-Length"));
        while (received_.size() < length && fill()) {
        }
        response.complete = received_.size() >= length;
        response.body = take(length);
    } else {
        bool reset = false;
        response.body = readToEnd(&reset);
        response.complete = !reset;
    }
    return response;
}

void RawClient::readChunks(Response& response) {
    for (;;) {
        auto end = received_.find("\r\n");
        while (end == std::string::npos && fill())
            end = received_.find("\r\n");
        if (end == std::string::npos) break;
        const auto digits = take(end + 2);
        const auto size = std::stoul(digits, nullptr, 16);
        while (received_.size() < size + 2 && fill()) {
        }
        if (received_.size() < size + 2) {
            response.body += received_;
            received_.clear();
            break;
        }
        response.body += take(size);
        if (take(2) != "\r\n") fail("no CRLF behind a chunk of " + digits);
        if (size == 0) return; // the server sends no trailers
    }
    response.complete = false;
}

std::string RawClient::readSome() {
    if (received_.empty()) fill();
    return take(received_.size());
}

std::string RawClient::readToEnd(bool* reset) {
    while (fill()) {
    }
    if (reset != nullptr) *reset = wasReset_;
    return take(received_.size());
}

bool RawClient::closedByPeer() {
    return received_.empty() && !fill();
}

bool RawClient::silentFor(Duration time) {
    return received_.empty() && !await(socket_.get(), POLLIN, Deadline(time));
}

void RawClient::endWriting() {
    ::shutdown(socket_.get(), SHUT_WR);
}

void RawClient::close() {
    socket_ = Fd();
    ended_ = true;
}

void RawClient::reset() {
    const linger hard{1, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    close();
}

void RawClient::shrinkReceiveBuffer(int bytes) {
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
}

Response fetch(std::uint16_t port, const std::string& target, const std::string& fields) {
    RawClient client(port);
    client.get(target, fields + "Connection: close\r\n");
    return client.response();
}

} // namespace reef::e2e

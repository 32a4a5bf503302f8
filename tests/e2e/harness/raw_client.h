#pragma once

#include "base/fd.h"
#include "harness/deadline.h"
#include "harness/response.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace reef::e2e {

/// A TCP connection that sends exactly the bytes it is given, and reads what comes. Every wait is
/// bounded by kPatience; one that fails throws and says what had come until then.
class RawClient {
public:
    explicit RawClient(std::uint16_t port, const std::string& address = "127.0.0.1");

    /// Sends all of it. Throws when the peer does not take it.
    void send(std::string_view bytes);

    /// Sends what the peer takes until it closes or `patience` is over; returns how much that was.
    std::size_t sendUntilRefused(std::string_view bytes, Duration patience);

    /// `GET target` with Host and these field lines ("Name: value\r\n").
    void get(const std::string& target, const std::string& fields = {});

    /// Everything else of a request is given.
    void request(const std::string& line, const std::string& fields = {},
                 const std::string& content = {});

    /// One whole answer. `toHead`: it has no content, whatever its fields say. Interim answers
    /// (1xx) are answers too. A cut answer is returned with `complete` false.
    Response response(bool toHead = false);

    /// Status line and fields alone; the content stays to be read.
    Response head();

    /// Reads on until `text` was received; returns everything up to and including it.
    std::string readUntil(std::string_view text);

    /// Reads until at least one more byte is there; "" at the end of the connection.
    std::string readSome();

    /// All bytes until the peer closes. `reset` (if asked for) tells whether it was by a reset.
    std::string readToEnd(bool* reset = nullptr);

    /// Whether the peer has closed, with nothing left to read. Waits for it.
    bool closedByPeer();

    /// Whether nothing at all arrives within `time`.
    bool silentFor(Duration time);

    void endWriting();
    void close();
    void reset(); ///< closes by RST, as a crashed client does

    /// Makes the kernel take few bytes ahead of us, as a slow reader on a phone does.
    void shrinkReceiveBuffer(int bytes);

    int descriptor() const noexcept { return socket_.get(); }

private:
    bool fill();
    std::string take(std::size_t count);
    void readChunks(Response& response);

    Fd socket_;
    std::string received_;
    bool ended_ = false;
    bool wasReset_ = false;
};

/// One request on a connection of its own: opened, answered, closed.
Response fetch(std::uint16_t port, const std::string& target, const std::string& fields = {});

} // namespace reef::e2e

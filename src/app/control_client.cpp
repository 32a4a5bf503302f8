#include "app/control_client.h"

#include "base/fd.h"
#include "base/text.h"
#include "io/address.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>

namespace reef::app {

namespace {

Error connectError() {
    switch (errno) {
    case ENOENT:
    case ECONNREFUSED:
        return {Error::notFound, errno};
    case EACCES:
        return {Error::forbidden, errno};
    default:
        return Error::fromErrno();
    }
}

Result<std::string> readAll(int socket) {
    std::string answer;
    char buffer[4096];
    for (;;) {
        const auto got = ::read(socket, buffer, sizeof buffer);
        if (got == 0) return answer;
        if (got < 0) return fail(errno == EAGAIN ? Error(Error::timedOut) : Error::fromErrno());
        answer.append(buffer, static_cast<std::size_t>(got));
    }
}

} // namespace

Result<std::string> askServer(const std::string& socketPath, std::string_view method,
                              std::string_view path, std::chrono::seconds patience) {
    const auto address = io::Address::parse("unix:" + socketPath);
    if (!address) return fail(address.error());
    const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket) return fail(Error::fromErrno());
    const timeval time{patience.count(), 0};
    ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    if (::connect(socket.get(), address->data(), address->size()) != 0) return fail(connectError());
    const std::string request = text::concat(method, ' ', path, " HTTP/1.0\r\n\r\n");
    if (::send(socket.get(), request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size()))
        return fail(Error::fromErrno());
    auto answer = readAll(socket.get());
    if (!answer) return answer;
    const auto head = answer->find("\r\n\r\n");
    if (head == std::string::npos || answer->substr(8, 5) != " 200 ") return fail(Error::failed);
    return answer->substr(head + 4);
}

} // namespace reef::app

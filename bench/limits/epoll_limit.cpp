// epoll_limit PORT FILE: answers each request with FILE and the headers a static file server sends.
// The upper bound for static files on this kernel, with this load generator.

#include "bare_loop.h"

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string responseWith(const char* path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) reef::bench::die(path);
    const std::string body{std::istreambuf_iterator<char>(file), {}};
    return "HTTP/1.1 200 OK\r\n"
           "Server: epoll_limit\r\n"
           "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
           "Content-Type: text/html\r\n"
           "Content-Length: " +
           std::to_string(body.size()) +
           "\r\n"
           "Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
           "ETag: \"69561500-400\"\r\n"
           "\r\n" +
           body;
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: epoll_limit PORT FILE\n");
        return 2;
    }
    const std::string response = responseWith(argv[2]);
    auto answer = [&response] { return std::string_view(response); };
    reef::bench::BareLoop(reef::bench::listenOnLoopback(reef::bench::portFrom(argv[1])), answer)
        .run();
}

// spawn_limit PORT PROGRAM: answers each request with the output of one run of the CGI program.
// The upper bound for CGI on one CPU: requests are run one after another, because there running two
// programs at once only adds switches.

#include "bare_loop.h"
#include "bare_spawn.h"

#include <string>

namespace {

/// Frames CGI output (headers, empty line, body) as an HTTP/1.1 response, and keeps its buffers.
class CgiAnswer {
public:
    explicit CgiAnswer(const char* program) : program_(program) {}

    std::string_view operator()() {
        reef::bench::runProgram(program_, output_);
        const auto headEnd = output_.find("\r\n\r\n");
        if (headEnd == std::string::npos) {
            std::fprintf(stderr, "%s wrote no header block\n", program_);
            std::exit(1);
        }
        const auto bodyBytes = output_.size() - (headEnd + 4);
        response_ = "HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: ";
        response_ += std::to_string(bodyBytes);
        response_ += "\r\n";
        response_ += output_;
        return response_;
    }

private:
    const char* program_;
    std::string output_;
    std::string response_;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: spawn_limit PORT PROGRAM\n");
        return 2;
    }
    reef::bench::BareLoop(reef::bench::listenOnLoopback(reef::bench::portFrom(argv[1])),
                          CgiAnswer(argv[2]))
        .run();
}

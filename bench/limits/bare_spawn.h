#pragma once

#include <string>

namespace reef::bench {

/// Runs the CGI program at `path` with a minimal CGI environment through `posix_spawn`, reads what
/// it writes until it closes its output, and reaps it: the least a server can do for one CGI
/// request. Ends this program, with a message, when the child cannot be started or exits with an
/// error, so a failing child never counts as a fast one. Replaces the contents of `output`.
void runProgram(const char* path, std::string& output);

} // namespace reef::bench

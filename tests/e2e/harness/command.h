#pragma once

#include "harness/process.h"

#include <string>
#include <vector>

namespace reef::e2e {

/// What a command printed, and how it ended.
struct Outcome {
    Ending ending;
    std::string out;
    std::string err;

    bool clean() const noexcept { return ending.clean(); }
};

/// Runs a command to its end with `input` on its standard input. Throws when it cannot be started
/// or takes longer than `patience` (it is killed then).
Outcome run(const std::vector<std::string>& command, const std::string& input = {},
            Duration patience = 60s);

/// The same, of `/bin/sh -c line`.
Outcome shell(const std::string& line, Duration patience = 60s);

/// The binary under test: $ATOLL_BINARY, or the one of this build.
std::string atollBinary();

/// `atoll ARGUMENTS...`
Outcome runAtoll(std::vector<std::string> arguments, const std::string& input = {});

} // namespace reef::e2e

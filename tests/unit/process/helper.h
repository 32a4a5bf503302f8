#pragma once

#include "process/spawn.h"
#include "waiting.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

extern char** environ;

namespace reef::test {

/// Starts `process_helper` with these arguments; its descriptors 1 and 3 are those given (its
/// standard error is ours).
inline pid_t startHelper(std::vector<std::string> words, int output, int link,
                         const char* program = PROCESS_HELPER,
                         const process::Identity* identity = nullptr) {
    words.insert(words.begin(), program);
    std::vector<const char*> arguments;
    for (const auto& word : words)
        arguments.push_back(word.c_str());
    arguments.push_back(nullptr);
    std::vector<const char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry)
        environment.push_back(*entry);
    environment.push_back(nullptr);
    std::vector<int> descriptors{0, output, 2};
    if (link >= 0) descriptors.push_back(link);
    process::SpawnSpec spec;
    spec.path = program;
    spec.identity = identity;
    spec.arguments = arguments;
    spec.environment = environment;
    spec.descriptors = descriptors;
    const auto pid = process::spawn(spec);
    REQUIRE(pid);
    return *pid;
}

} // namespace reef::test

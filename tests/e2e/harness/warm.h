#pragma once

#include "harness/raw_client.h"
#include "harness/server.h"

#include <catch2/catch.hpp>
#include <string>

/// What the tests of warm islands share: scripts that tell which process they are.
namespace reef::e2e {

inline constexpr const char* kPerl = "#!/usr/bin/perl\nuse strict;\nuse warnings;\n";
inline constexpr const char* kPerlHead = "print \"Content-Type: text/plain\\r\\n\\r\\n\";\n";
inline constexpr const char* kPython = "#!/usr/bin/python3\nimport os, sys\n";
inline constexpr const char* kPythonHead = "print('Content-Type: text/plain\\n')\n";

inline std::string perl(const std::string& script) {
    return std::string(kPerl) + kPerlHead + script;
}
inline std::string python(const std::string& script) {
    return std::string(kPython) + kPythonHead + script;
}

/// What an island says of itself: "PID PARENT". A warm one's parent is its interpreter.
inline const std::string kPerlSelf = "print \"$$ \", getppid, \"\\n\";\n";
inline const std::string kPythonSelf = "print(os.getpid(), os.getppid())\n";

inline pid_t parentIn(const std::string& body) {
    return static_cast<pid_t>(std::stol(body.substr(body.find(' ') + 1)));
}

class WarmSite : public Site {
public:
    explicit WarmSite(const std::string& more = {}) { config("warm = true\n" + more); }
};

/// Asks until an interpreter that is warm answers; gives that answer.
inline Response awaitWarm(const Server& server, const std::string& target) {
    Response answer;
    const bool warm = eventually([&] {
        answer = fetch(server.port(), target);
        return answer.status == 200 && parentIn(answer.body) != server.keeper();
    });
    INFO(answer.describe() << server.log());
    REQUIRE(warm);
    return answer;
}

} // namespace reef::e2e

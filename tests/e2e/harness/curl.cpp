#include "harness/curl.h"

#include "harness/command.h"

#include <catch2/catch.hpp>

namespace reef::e2e {

std::string curl(const Server& server, const std::string& arguments, const std::string& path) {
    const auto outcome = shell("curl -sS --max-time 30 " + arguments +
                               " 'http://127.0.0.1:" + std::to_string(server.port()) + path + "'");
    INFO(outcome.err);
    CHECK(outcome.clean());
    return outcome.out;
}

} // namespace reef::e2e

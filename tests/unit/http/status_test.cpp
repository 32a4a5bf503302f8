#include "http/status.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef::http;

TEST_CASE("registered codes have their phrase") {
    CHECK(reasonOf(200) == "OK");
    CHECK(reasonOf(404) == "Not Found");
    CHECK(reasonOf(413) == "Content Too Large");
    CHECK(reasonOf(511) == "Network Authentication Required");
    CHECK(statusLineOf(431) == "HTTP/1.1 431 Request Header Fields Too Large\r\n");
}

TEST_CASE("every status line is whole, and other codes have none") {
    for (int status = -1; status < 1100; ++status) {
        const auto line = statusLineOf(status);
        if (line.empty()) {
            CHECK(reasonOf(status).empty());
        } else {
            CHECK(line == "HTTP/1.1 " + std::to_string(status) + " " +
                              std::string(reasonOf(status)) + "\r\n");
        }
    }
    CHECK(statusLineOf(299).empty());
    CHECK(statusLineOf(600).empty());
    CHECK(statusLineOf(99).empty());
}

TEST_CASE("some statuses have no content") {
    for (const int status : {100, 101, 103, 204, 304})
        CHECK(forbidsContent(status));
    for (const int status : {200, 205, 206, 301, 404, 500})
        CHECK_FALSE(forbidsContent(status));
}

#include "http/method.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef::http;

TEST_CASE("methods have their names, in capitals alone") {
    for (const char* name :
         {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"}) {
        CHECK(nameOf(methodNamed(name)) == name);
    }
    for (const char* name : {"", "get", "Get", "GETS", "BREW", "DEL"}) {
        CHECK(methodNamed(name) == Method::other);
    }
    CHECK(nameOf(Method::other).empty());
    CHECK(methodNamed("DELETE") == Method::del);
}

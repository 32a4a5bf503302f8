#include "base/arena.h"
#include "http/content_coding.h"

#include <catch2/catch.hpp>
#include <initializer_list>

using namespace reef;
using http::ContentCoding;

namespace {

constexpr ContentCoding kAll[] = {ContentCoding::br, ContentCoding::zstd, ContentCoding::gzip};

std::string_view chosen(std::initializer_list<std::string_view> lines,
                        std::span<const ContentCoding> available = kAll) {
    Arena arena;
    http::HeaderList fields(arena);
    fields.add("Host", "example");
    for (const auto line : lines)
        fields.add("accept-encoding", line);
    return http::tokenOf(http::chooseCoding(fields, available));
}

} // namespace

TEST_CASE("a client that says nothing of codings, or accepts none, gets the content as it is") {
    CHECK(chosen({}) == "identity");
    CHECK(chosen({""}) == "identity");
    CHECK(chosen({"identity"}) == "identity");
    CHECK(chosen({"compress, deflate"}) == "identity");
    CHECK(chosen({"gzip"}, {}) == "identity");
}

TEST_CASE("among codings liked equally the server's order decides") {
    CHECK(chosen({"gzip, deflate, br, zstd"}) == "br");
    CHECK(chosen({"gzip, zstd"}) == "zstd");
    CHECK(chosen({"gzip"}) == "gzip");
    CHECK(chosen({"GZIP"}) == "gzip");
    CHECK(chosen({"x-gzip"}) == "gzip");
    constexpr ContentCoding kGzipFirst[] = {ContentCoding::gzip, ContentCoding::zstd};
    CHECK(chosen({"zstd, gzip"}, kGzipFirst) == "gzip");
}

TEST_CASE("the client's weights count before the server's order") {
    CHECK(chosen({"br;q=0.5, gzip;q=0.8"}) == "gzip");
    CHECK(chosen({"br;q=0.001, zstd;q=0.002"}) == "zstd");
    CHECK(chosen({"br;q=0, zstd;q=0.000, gzip"}) == "gzip");
    CHECK(chosen({"gzip ; Q=0.5 ,\tzstd;q=0.4"}) == "gzip");
    CHECK(chosen({"gzip;q=0.5, identity"}) == "identity");
    CHECK(chosen({"gzip, identity"}) == "gzip");
    CHECK(chosen({"gzip;q=0.5"}) == "gzip");
}

TEST_CASE("a star stands for what is not named, identity among it") {
    CHECK(chosen({"*"}) == "br");
    CHECK(chosen({"br;q=0, *"}) == "zstd");
    CHECK(chosen({"gzip, *;q=0"}) == "gzip");
    CHECK(chosen({"gzip;q=0.3, *;q=0.5"}, std::span(kAll).last(1)) == "identity");
    CHECK(chosen({"identity;q=0, *;q=0.5"}) == "br");
}

TEST_CASE("without anything acceptable the content goes as it is") {
    CHECK(chosen({"identity;q=0"}) == "identity");
    CHECK(chosen({"*;q=0"}) == "identity");
    CHECK(chosen({"gzip;q=0, identity;q=0"}) == "identity");
}

TEST_CASE("identity refused, any coding is better") {
    CHECK(chosen({"gzip;q=0.001, identity;q=0"}) == "gzip");
}

TEST_CASE("several lines are one list, and the first mention of a coding counts") {
    CHECK(chosen({"br;q=0", "gzip"}) == "gzip");
    CHECK(chosen({"gzip;q=0", "gzip"}) == "identity");
}

TEST_CASE("malformed elements are ignored, and nothing but them") {
    for (const std::string_view odd :
         {"br;q=2", "br;q=1.001", "br;q=0.1234", "br;q=", "br;q=x", "br;q=-1", "br;q", "br;x=1",
          "br;q=0.5;q=1", "br br", "br;q=.5", ";q=1", "b r"}) {
        INFO(odd);
        CHECK(chosen({odd}) == "identity");
        CHECK(chosen({std::string(odd) + ", gzip;q=0.1"}) == "gzip");
    }
    CHECK(chosen({",, ,gzip,,"}) == "gzip");
    CHECK(chosen({"br;q=1."}) == "br");
}

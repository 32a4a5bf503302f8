#include "http/proxy_protocol.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace reef;
using namespace reef::http;
using namespace std::string_literals;

namespace {

using Family = ProxyHeader::Family;

const std::string kSignature = "\r\n\r\n\0\r\nQUIT\n"s;

std::string binary(int command, int family, const std::string& content) {
    return kSignature + static_cast<char>(command) + static_cast<char>(family) +
           static_cast<char>(content.size() >> 8U) + static_cast<char>(content.size() & 0xffU) +
           content;
}

const std::string kFour = "\xc0\x00\x02\x07\xc6\x33\x64\x01\x12\x67\x00\x50"s;
const std::string kSix = "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07"s
                         "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01"s
                         "\x12\x67\x00\x50"s;

/// The verdict over these bytes, the same in one piece and byte by byte.
struct Parsed {
    explicit Parsed(const std::string& bytes) {
        verdict = parser.parse(bytesOf(bytes));
        ProxyHeaderParser pieces;
        Verdict last = Verdict::incomplete;
        for (std::size_t size = 1; size <= bytes.size() && last == Verdict::incomplete; ++size) {
            const std::vector<char> copy(bytes.begin(),
                                         bytes.begin() + static_cast<std::ptrdiff_t>(size));
            last = pieces.parse(copy);
        }
        CHECK(last == verdict);
        CHECK(pieces.header().sourceAddress == parser.header().sourceAddress);
        CHECK(pieces.length() == parser.length());
    }
    ProxyHeaderParser parser;
    Verdict verdict;
};

} // namespace

TEST_CASE("a line of version 1 names both ends, and the client's bytes follow it") {
    const Parsed four("PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\r\nGET / HTTP/1.1\r\n");
    REQUIRE(four.verdict == Verdict::complete);
    CHECK(four.parser.length() == 43);
    CHECK(four.parser.header().family == Family::ipv4);
    CHECK(four.parser.header().sourceAddress == "192.0.2.7");
    CHECK(four.parser.header().sourcePort == 4711);
    CHECK(four.parser.header().destinationAddress == "198.51.100.1");
    CHECK(four.parser.header().destinationPort == 80);
    const Parsed six("PROXY TCP6 2001:DB8::7 ::1 65535 0\r\n");
    REQUIRE(six.verdict == Verdict::complete);
    CHECK(six.parser.header().family == Family::ipv6);
    CHECK(six.parser.header().sourceAddress == "2001:db8::7");
    CHECK(six.parser.header().sourcePort == 65535);
    const Parsed mapped("PROXY TCP6 ::ffff:192.0.2.7 ::1 1 2\r\n");
    CHECK(mapped.parser.header().sourceAddress == "192.0.2.7");
    for (const char* unknown :
         {"PROXY UNKNOWN\r\n", "PROXY UNKNOWN ff:: ff:: 1 2\r\n", "PROXY UNKNOWN what ever\r\n"}) {
        const Parsed none(unknown);
        CHECK(none.verdict == Verdict::complete);
        CHECK(none.parser.header().family == Family::none);
        CHECK(none.parser.header().sourceAddress.empty());
    }
}

TEST_CASE("a line of version 1 has one spelling") {
    for (const std::string& line : {
             "GET / HTTP/1.1\r\n"s,
             "proxy TCP4 192.0.2.7 198.51.100.1 4711 80\r\n"s,
             "PROXY  TCP4 192.0.2.7 198.51.100.1 4711 80\r\n"s,
             "PROXY TCP4  192.0.2.7 198.51.100.1 4711 80\r\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 4711 80 \r\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\r \r\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 4711\r\n"s,
             "PROXY TCP4 192.0.2.7 4711 80\r\n"s,
             "PROXY TCP4 192.0.2.07 198.51.100.1 4711 80\r\n"s,
             "PROXY TCP4 192.0.2.256 198.51.100.1 4711 80\r\n"s,
             "PROXY TCP4 2001:db8::7 ::1 4711 80\r\n"s,
             "PROXY TCP6 192.0.2.7 198.51.100.1 4711 80\r\n"s,
             "PROXY TCP4 192.0.2.7\0x 198.51.100.1 4711 80\r\n"s,
             "PROXY TCP4 localhost 198.51.100.1 4711 80\r\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 04711 80\r\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 +4711 80\r\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 65536 80\r\n"s,
             "PROXY TCP4 192.0.2.7 198.51.100.1 -1 80\r\n"s,
             "PROXY UDP4 192.0.2.7 198.51.100.1 4711 80\r\n"s,
             "PROXY UNKNOWNS\r\n"s,
             "PROXY \r\n"s,
             "PROXY UNKNOWN "s + std::string(200, 'x') + "\r\n",
         }) {
        INFO(line);
        CHECK(Parsed(line).verdict == Verdict::rejected);
    }
    const std::string longest = "PROXY UNKNOWN " + std::string(91, 'x') + "\r\n";
    CHECK(longest.size() == 107);
    CHECK(Parsed(longest).verdict == Verdict::complete);
    CHECK(Parsed("PROXY UNKNOWN " + std::string(92, 'x') + "\r\n").verdict == Verdict::rejected);
}

TEST_CASE("a binary header of version 2 names both ends, and its values are skipped") {
    const std::string values = "\x04\x00\x02xx"s + "\x20\x00\x00"s;
    for (const auto& extra : {""s, values}) {
        const std::string bytes = binary(0x21, 0x11, kFour + extra);
        const Parsed four(bytes + "GET");
        REQUIRE(four.verdict == Verdict::complete);
        CHECK(four.parser.length() == bytes.size());
        CHECK(four.parser.header().family == Family::ipv4);
        CHECK(four.parser.header().sourceAddress == "192.0.2.7");
        CHECK(four.parser.header().sourcePort == 4711);
        CHECK(four.parser.header().destinationAddress == "198.51.100.1");
        CHECK(four.parser.header().destinationPort == 80);
    }
    const Parsed six(binary(0x21, 0x21, kSix));
    REQUIRE(six.verdict == Verdict::complete);
    CHECK(six.parser.header().sourceAddress == "2001:db8::7");
    CHECK(six.parser.header().destinationAddress == "2001:db8::1");
    const Parsed unixSocket(binary(0x21, 0x31, std::string(216, '\0') + values));
    CHECK(unixSocket.verdict == Verdict::complete);
    CHECK(unixSocket.parser.header().family == Family::unixSocket);
    CHECK(unixSocket.parser.header().sourceAddress.empty());
}

TEST_CASE("LOCAL and UNSPEC let the connection speak for itself, whatever they carry") {
    for (const auto& bytes : {binary(0x20, 0x00, ""), binary(0x20, 0x11, kFour),
                              binary(0x20, 0x99, "junk"), binary(0x21, 0x00, "junk")}) {
        const Parsed parsed(bytes);
        CHECK(parsed.verdict == Verdict::complete);
        CHECK(parsed.parser.header().family == Family::none);
        CHECK(parsed.parser.header().sourceAddress.empty());
        CHECK(parsed.parser.length() == bytes.size());
    }
}

TEST_CASE("a binary header that is not of version 2, or not for streams, or cut, is refused") {
    for (const auto& bytes : {
             binary(0x11, 0x11, kFour),                           // version 1
             binary(0x31, 0x11, kFour),                           // version 3
             binary(0x22, 0x11, kFour),                           // unknown command
             binary(0x21, 0x12, kFour),                           // datagrams
             binary(0x21, 0x22, kSix),                            // datagrams
             binary(0x21, 0x32, std::string(216, 'x')),           // datagrams
             binary(0x21, 0x41, kFour),                           // unknown family
             binary(0x21, 0x01, kFour),                           // UNSPEC with STREAM
             binary(0x21, 0x11, kFour.substr(0, 11)),             // too short
             binary(0x21, 0x21, kFour),                           // too short
             binary(0x21, 0x31, std::string(215, 'x')),           // too short
             binary(0x21, 0x11, kFour + "\x04"),                  // half a value
             binary(0x21, 0x11, kFour + "\x04\x00\x05xx"s),       // a value that ends outside
             binary(0x21, 0x11, kFour + std::string(5000, '\0')), // too long
             "\r\n\r\n\0\r\nQUIX\n"s + "\x21\x11\x00\x0c"s + kFour,
             "\r\n\r\nGET / HTTP/1.1\r\n"s,
         }) {
        const Parsed parsed(bytes);
        CHECK(parsed.verdict == Verdict::rejected);
        CHECK_FALSE(parsed.parser.reason().empty());
    }
}

TEST_CASE("every unfinished front of a PROXY header is incomplete") {
    for (const std::string& bytes :
         {"PROXY TCP4 192.0.2.7 198.51.100.1 4711 80\r\n"s, binary(0x21, 0x11, kFour)}) {
        for (std::size_t size = 0; size < bytes.size(); ++size) {
            ProxyHeaderParser parser;
            CHECK(parser.parse(bytesOf(bytes).first(size)) == Verdict::incomplete);
        }
    }
}

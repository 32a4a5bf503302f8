#include "http/coded.h"
#include "http/decompressor.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::http;

namespace {

struct Decoded {
    std::string content;
    std::string fault;
    bool whole = false;
    bool more = false;
};

/// In pieces of `piece` bytes, into room for `room` bytes.
Decoded decoded(std::string_view coding, std::string_view coded, std::size_t piece = 4096,
                std::size_t room = 4096) {
    const auto decoder = Decompressor::of(coding);
    REQUIRE(decoder);
    Decoded all;
    std::string out(room, '\0');
    while (!coded.empty()) {
        ByteView in = bytesOf(coded.substr(0, piece));
        coded.remove_prefix(in.size());
        for (bool filled = false; filled || !in.empty();) {
            const auto step = decoder->decode(in, out);
            if (!step) {
                all.fault = step.error();
                return all;
            }
            REQUIRE(step->taken <= in.size());
            in = in.subspan(step->taken);
            all.content.append(out, 0, step->made);
            filled = step->made == room;
            REQUIRE((filled || step->taken != 0 || in.empty()));
        }
    }
    all.whole = decoder->isWhole();
    all.more = decoder->hasMore();
    return all;
}

std::string text() {
    std::string lines;
    for (int i = 0; i < 3000; ++i)
        lines += "<p>paragraph " + std::to_string(i * 7919) + "</p>\n";
    return lines;
}

struct Coding {
    const char* token;
    std::string (*code)(std::string_view);
};

const Coding kCodings[] = {{"gzip", test::gzip},
                           {"X-GZip", test::gzip},
                           {"deflate", test::zlib},
                           {"deflate", test::rawDeflate},
                           {"zstd", test::zstd}};

} // namespace

TEST_CASE("what was coded comes out again, however it is cut") {
    for (const auto& [token, code] : kCodings) {
        for (const std::string& content : {std::string(), std::string("a"), text()}) {
            const auto coded = code(content);
            for (const std::size_t piece : {1U, 7U, 100'000U})
                for (const std::size_t room : {1U, 13U, 65'536U}) {
                    CAPTURE(token, content.size(), piece, room);
                    const auto out = decoded(token, coded, piece, room);
                    CHECK(out.fault.empty());
                    CHECK(out.content == content);
                    CHECK(out.whole);
                    CHECK_FALSE(out.more);
                }
        }
    }
}

TEST_CASE("content of no bytes at all is whole") {
    for (const auto& [token, code] : kCodings)
        CHECK(decoded(token, {}).whole);
}

TEST_CASE("no front of coded content is whole, and what it holds comes out") {
    for (const auto& [token, code] : kCodings) {
        const auto coded = code("some words, and some words again");
        for (std::size_t size = 1; size < coded.size(); ++size) {
            CAPTURE(token, size);
            const auto out = decoded(token, coded.substr(0, size));
            CHECK(out.fault.empty());
            CHECK_FALSE(out.whole);
        }
    }
}

TEST_CASE("corrupt content is found out, at its check at the latest") {
    for (const auto& [token, code] : kCodings) {
        const bool isChecked = code != test::rawDeflate;
        const auto content = text();
        const auto coded = code(content);
        for (std::size_t at = 0; at < coded.size(); at += 97) {
            CAPTURE(token, at);
            std::string bad = coded;
            bad[at] = static_cast<char>(bad[at] ^ 0x15);
            const auto out = decoded(token, bad);
            const bool harmless = out.content == content; // a field of the head that nobody needs
            if (isChecked) CHECK((!out.fault.empty() || !out.whole || harmless));
        }
    }
    for (const char* token : {"gzip", "zstd"}) {
        CHECK(decoded(token, "<p>plain</p>").fault == "is none of that coding");
        CHECK(decoded(token, "\n").fault == "is none of that coding");
    }
    CHECK(decoded("gzip", "\x1f\x8b\x09 another method").fault == "is corrupt");
}

TEST_CASE("several members are one content, and what is none of them is left out") {
    const auto gzips = test::gzip("one,") + test::gzip("") + test::gzip("two");
    for (const std::size_t piece : {1U, 1000U}) {
        const auto out = decoded("gzip", gzips, piece);
        CHECK(out.content == "one,two");
        CHECK(out.whole);
        CHECK_FALSE(out.more);
        const std::string skipped("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
        const auto frames =
            decoded("zstd", test::zstd("one,") + skipped + test::zstd("two"), piece);
        CHECK(frames.content == "one,two");
        CHECK(frames.whole);
        CHECK_FALSE(frames.more);
        for (const auto& [token, code] : kCodings)
            for (const std::string& rest : {std::string("\n"), std::string(100, '\0')}) {
                const auto trailed = decoded(token, code("content") + rest, piece);
                CAPTURE(token, piece);
                CHECK(trailed.fault.empty());
                CHECK(trailed.content == "content");
                CHECK(trailed.whole);
                CHECK(trailed.more);
            }
    }
    CHECK_FALSE(decoded("gzip", test::gzip("one") + test::gzip("two").substr(0, 9)).whole);
}

TEST_CASE("what is flushed can be read, though more is to come") {
    const auto coded = test::flushedGzip("first");
    const auto out = decoded("gzip", coded);
    CHECK(out.content == "first");
    CHECK_FALSE(out.whole);
}

TEST_CASE("a window of more than 8 MiB is refused") {
    const auto fine = decoded("zstd", test::zstd(text(), 23));
    CHECK(fine.content == text());
    CHECK(decoded("zstd", test::zstd(text(), 24)).fault ==
          "needs a window of more than 8 MiB (RFC 9659)");
}

TEST_CASE("other codings are not known") {
    for (const char* token : {"br", "compress", "identity", "", "gzip, gzip", "gzip "})
        CHECK(Decompressor::of(token) == nullptr);
}

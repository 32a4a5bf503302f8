#include "http/compressor.h"
#include "http/decoding.h"

#include <random>

using namespace reef;
using http::Compressor;
using http::ContentCoding;
using Flush = http::Compressor::Flush;

namespace {

struct Kind {
    ContentCoding coding;
    std::string (*decode)(std::string_view, bool*);
};
const Kind kKinds[] = {{ContentCoding::gzip, test::gunzip}, {ContentCoding::zstd, test::unzstd}};

std::string prose(std::size_t bytes) {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i)
        text += "<li>island " + std::to_string(i) + "</li>\n";
    text.resize(bytes);
    return text;
}

std::string noise(std::size_t bytes) {
    std::mt19937 engine(7);
    std::string text(bytes, ' ');
    for (char& c : text)
        c = static_cast<char>(engine());
    return text;
}

} // namespace

TEST_CASE("what was compressed comes back, text and noise alike, in one call or in many") {
    http::CompressorPool pool;
    for (const Kind& kind : kKinds) {
        for (const std::string& text :
             {std::string(), std::string("x"), prose(1000), prose(700'000), noise(300'000)}) {
            for (const std::size_t step : {text.size() + 1, std::size_t{4096}}) {
                INFO(http::tokenOf(kind.coding) << ' ' << text.size() << " by " << step);
                const auto compressor = pool.take(kind.coding);
                std::string out;
                std::string_view rest = text;
                for (; rest.size() > step; rest.remove_prefix(step))
                    compressor->compress(bytesOf(rest.substr(0, step)), Flush::none, out);
                compressor->compress(bytesOf(rest), Flush::finish, out);
                bool complete = false;
                CHECK(kind.decode(out, &complete) == text);
                CHECK(complete);
                CHECK(out.size() < text.size() + text.size() / 100 + 100);
            }
        }
    }
}

TEST_CASE("after a sync flush everything can be decoded, and the stream is not complete") {
    http::CompressorPool pool;
    for (const Kind& kind : kKinds) {
        const auto compressor = pool.take(kind.coding);
        std::string out;
        std::string fed;
        for (int i = 0; i != 50; ++i) {
            const std::string line = "event " + std::to_string(i) + "\n\n";
            fed += line;
            compressor->compress(bytesOf(line), Flush::sync, out);
            bool complete = true;
            REQUIRE(kind.decode(out, &complete) == fed);
            REQUIRE_FALSE(complete);
        }
        compressor->compress({}, Flush::finish, out);
        bool complete = false;
        CHECK(kind.decode(out, &complete) == fed);
        CHECK(complete);
    }
}

TEST_CASE("without a flush small pieces wait for more") {
    http::CompressorPool pool;
    for (const Kind& kind : kKinds) {
        const auto compressor = pool.take(kind.coding);
        std::string out;
        for (int i = 0; i != 100; ++i)
            compressor->compress(bytesOf("some words "), Flush::none, out);
        CHECK(out.size() < 20);
    }
}

TEST_CASE("a compressor serves one stream after another, finished or given up") {
    http::CompressorPool pool;
    for (const Kind& kind : kKinds) {
        {
            const auto first = pool.take(kind.coding);
            std::string lost;
            first->compress(bytesOf(prose(100'000)), Flush::none, lost);
        }
        const auto second = pool.take(kind.coding);
        for (const char* text : {"one", "two"}) {
            std::string out;
            second->compress(bytesOf(text), Flush::finish, out);
            bool complete = false;
            CHECK(kind.decode(out, &complete) == text);
            CHECK(complete);
        }
    }
}

TEST_CASE("a pool lends no more than its most, and again what was given back") {
    http::CompressorPool pool(2);
    auto first = pool.take(ContentCoding::gzip);
    auto second = pool.take(ContentCoding::zstd);
    CHECK(first);
    CHECK(second);
    CHECK(pool.exhausted());
    CHECK_FALSE(pool.take(ContentCoding::gzip));
    first = {};
    auto third = pool.take(ContentCoding::zstd);
    CHECK(third);
    second = std::move(third);
    CHECK_FALSE(third);
    CHECK_FALSE(pool.exhausted());
}

TEST_CASE("there is no compressor for brotli, nor for identity") {
    http::CompressorPool pool;
    CHECK_FALSE(pool.take(ContentCoding::br));
    CHECK_FALSE(pool.take(ContentCoding::identity));
    CHECK_FALSE(pool.exhausted());
}

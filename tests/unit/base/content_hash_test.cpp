#include "base/content_hash.h"

#include <catch2/catch.hpp>
#include <set>

using namespace reef;

namespace {

std::string hashOf(std::string_view text) {
    ContentHash hash;
    hash.add(bytesOf(text));
    return hash.text();
}

} // namespace

TEST_CASE("a content has one hash however it comes in pieces") {
    std::string content;
    for (int i = 0; i != 100; ++i)
        content += static_cast<char>(i * 7);
    const auto whole = hashOf(content);
    for (std::size_t piece = 1; piece != content.size(); ++piece) {
        ContentHash hash;
        for (std::size_t at = 0; at < content.size(); at += piece)
            hash.add(bytesOf(std::string_view(content).substr(at, piece)));
        CHECK(hash.text() == whole);
    }
}

TEST_CASE("contents that differ in a byte, in their order or in their length have other hashes") {
    std::set<std::string> seen;
    const std::string content(64, '\0');
    for (std::size_t length = 0; length != content.size(); ++length)
        seen.insert(hashOf(content.substr(0, length)));
    for (std::size_t at = 0; at != content.size(); ++at) {
        for (unsigned bit = 0; bit != 8; ++bit) {
            std::string other = content;
            other[at] = static_cast<char>(1U << bit);
            seen.insert(hashOf(other));
        }
    }
    CHECK(seen.size() == 64 + 64 * 8);
    CHECK(hashOf("aaaaaaaabbbbbbbb") != hashOf("bbbbbbbbaaaaaaaa"));
}

TEST_CASE("the hash is the same on every machine") {
    CHECK(hashOf("Atoll") == "1a45f7217136aa03f5a80428002bf6cf");
    CHECK(hashOf("").size() == 32);
}

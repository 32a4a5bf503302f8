#include "compose/byte_queue.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <string>

using namespace reef;
using compose::ByteQueue;

namespace {

std::string contentOf(const ByteQueue& queue) {
    ByteQueue::Views views;
    queue.view(views);
    std::string out;
    for (const ByteView view : views) {
        CHECK_FALSE(view.empty());
        out += textOf(view);
    }
    CHECK(out.size() == queue.size());
    return out;
}

} // namespace

TEST_CASE("bytes come out of a queue in the order in which they went in") {
    const std::string lent = "lent";
    ByteQueue queue;
    queue.append(bytesOf("copied "));
    queue.lend(bytesOf(lent));
    queue.append(bytesOf(" copied"));
    queue.lend({});
    queue.append({});
    CHECK(contentOf(queue) == "copied lent copied");
    CHECK(queue.lent() == 4);
    CHECK(queue.owned() == 14);
    ByteQueue other;
    other.append(bytesOf("front "));
    other.take(queue);
    CHECK(contentOf(other) == "front copied lent copied");
    CHECK(queue.empty());
    queue.append(bytesOf("again"));
    CHECK(contentOf(queue) == "again");
    other.take(queue);
    CHECK(contentOf(other) == "front copied lent copiedagain");
    other.clear();
    CHECK(other.empty());
    CHECK(other.lent() == 0);
}

TEST_CASE("what was lent may go when the queue owns it") {
    auto text = std::make_unique<std::string>(10'000, 'x');
    ByteQueue queue;
    queue.append(bytesOf("<"));
    queue.lend(bytesOf(*text));
    queue.append(bytesOf(">"));
    queue.own();
    text.reset();
    CHECK(queue.lent() == 0);
    CHECK(contentOf(queue) == "<" + std::string(10'000, 'x') + ">");
}

TEST_CASE("appending does not move what is there") {
    ByteQueue queue;
    queue.append(bytesOf("0123456789"));
    ByteQueue::Views before;
    queue.view(before);
    for (int i = 0; i != 1000; ++i)
        queue.append(bytesOf("0123456789"));
    CHECK(textOf(before[0]) == "0123456789");
    CHECK(queue.size() == 10'010);
}

TEST_CASE("a file is read behind what is there, and a short file is an error") {
    std::FILE* const file = std::tmpfile();
    REQUIRE(file != nullptr);
    const std::string content(100'000, 'f');
    REQUIRE(std::fwrite(content.data(), 1, content.size(), file) == content.size());
    REQUIRE(std::fflush(file) == 0);
    ByteQueue queue;
    queue.append(bytesOf("head"));
    CHECK(queue.readFile(fileno(file), 10, content.size() - 10).has_value());
    CHECK(contentOf(queue) == "head" + content.substr(10));
    CHECK(queue.readFile(fileno(file), 0, content.size() + 1).error() == Error::peerClosed);
    std::fclose(file);
    CHECK(queue.readFile(-1, 0, 1).error() == Error::system);
}

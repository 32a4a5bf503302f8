#include "coro/turns.h"
#include "gateway/spool.h"
#include "scratch.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <deque>

using namespace reef;

namespace {

/// Content in these pieces, then its end or a failure.
class Pieces final : public http::Body {
public:
    explicit Pieces(std::deque<std::string> pieces) : pieces_(std::move(pieces)) {}

    Task<Result<ByteView>> read() override {
        if (pieces_.empty()) {
            if (failure) co_return fail(*failure);
            co_return ByteView{};
        }
        current_ = std::move(pieces_.front());
        pieces_.pop_front();
        co_return bytesOf(current_);
    }
    std::optional<ByteCount> length() const noexcept override { return std::nullopt; }

    std::optional<Error> failure;

private:
    std::deque<std::string> pieces_;
    std::string current_;
};

Task<void> collect(http::Body& body, std::string directory,
                   std::optional<Result<gateway::Spooled>>& outcome) {
    outcome.emplace(co_await gateway::spool(body, std::move(directory)));
}

Result<gateway::Spooled> spooled(Pieces& body, const std::string& directory) {
    test::Turns turns;
    std::optional<Result<gateway::Spooled>> outcome;
    turns.scope.start(collect(body, directory, outcome));
    turns.run();
    REQUIRE(outcome);
    return std::move(*outcome);
}

std::string contentOf(int file) {
    std::string all;
    char bytes[65536];
    for (ssize_t got = ::read(file, bytes, sizeof bytes); got > 0;
         got = ::read(file, bytes, sizeof bytes))
        all.append(bytes, static_cast<std::size_t>(got));
    return all;
}

} // namespace

TEST_CASE("content is collected from its beginning, in memory or on the disk") {
    test::Scratch scratch;
    for (const std::size_t size :
         {0UL, 1UL, 200UL << 10U, 256UL << 10U, (256UL << 10U) + 1, 3UL << 20U}) {
        INFO(size);
        std::deque<std::string> pieces;
        std::string all;
        for (std::size_t at = 0; at < size; at += 50'000) {
            pieces.push_back(std::string(std::min<std::size_t>(50'000, size - at),
                                         static_cast<char>('a' + at % 23)));
            all += pieces.back();
        }
        Pieces body(std::move(pieces));
        auto outcome = spooled(body, scratch.path().string());
        REQUIRE(outcome);
        CHECK(outcome->length == size);
        CHECK((contentOf(outcome->file.get()) == all));
        CHECK(std::filesystem::is_empty(scratch.path())); // no name leads to it
    }
}

TEST_CASE("a failing body is its own failure") {
    test::Scratch scratch;
    Pieces body({"some"});
    body.failure = Error::peerClosed;
    const auto outcome = spooled(body, scratch.path().string());
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error() == Error::peerClosed);
}

TEST_CASE("content too large for memory needs a directory that takes it") {
    Pieces body({std::string(300'000, 'x')});
    const auto outcome = spooled(body, "/no/such/directory");
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().systemError() == ENOENT);
}

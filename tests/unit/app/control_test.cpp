#include "app/control_client.h"
#include "app/control_handler.h"
#include "scratch.h"
#include "serve/loop_server.h"
#include "serve/peer.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace reef;

namespace {

/// A control socket on a loop of its own thread.
struct Fixture {
    Fixture() {
        thread = std::thread([this] { serve(); });
        std::unique_lock lock(mutex);
        known.wait(lock, [this] { return loop != nullptr; });
    }
    ~Fixture() {
        loop->stop();
        thread.join();
    }

    static Task<std::string> reloaded() { co_return "{\"errors\":[\"atoll.toml:1:1: no\"]}\n"; }

    void serve() {
        io::Loop own;
        serve::Settings settings;
        test::Records records;
        app::ControlHandler handler({[] { return std::string("{\"pid\":1}\n"); },
                                     [this] { stopped = true; }, [] { return reloaded(); },
                                     [](std::string_view pattern, std::string_view host) {
                                         return text::concat(pattern, " of ", host);
                                     }});
        serve::LoopServer server(own, settings, handler, records);
        const auto address = io::Address::parse("unix:" + path).value();
        server.addListener(io::listenAt(address).value(), address);
        {
            const std::lock_guard lock(mutex);
            loop = &own;
        }
        known.notify_one();
        own.run();
    }

    test::Scratch scratch;
    std::string path = (scratch.path() / "atoll.sock").string();
    std::mutex mutex;
    std::condition_variable known;
    io::Loop* loop = nullptr;
    std::atomic<bool> stopped = false;
    std::thread thread;
};

} // namespace

TEST_CASE_METHOD(Fixture, "the running server is asked, and told to stop, over its socket") {
    CHECK(app::askServer(path, "GET", "/status").value() == "{\"pid\":1}\n");
    CHECK_FALSE(stopped);
    CHECK(app::askServer(path, "POST", "/reload").value() ==
          "{\"errors\":[\"atoll.toml:1:1: no\"]}\n");
    CHECK(app::askServer(path, "POST", "/stop"));
    CHECK(stopped);
}

TEST_CASE_METHOD(Fixture, "it answers nothing else") {
    CHECK(app::askServer(path, "GET", "/stop").error() == Error::failed);
    CHECK(app::askServer(path, "POST", "/status").error() == Error::failed);
    CHECK(app::askServer(path, "GET", "/").error() == Error::failed);
    CHECK_FALSE(stopped);
}

TEST_CASE("where nobody listens, nobody is found") {
    test::Scratch scratch;
    const auto path = (scratch.path() / "atoll.sock").string();
    CHECK(app::askServer(path, "GET", "/status").error() == Error::notFound);
    test::writeContent(path, "a file that a crash has left");
    CHECK(app::askServer(path, "GET", "/status").error() == Error::notFound);
}

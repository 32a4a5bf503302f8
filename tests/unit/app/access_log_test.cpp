#include "app/access_log.h"
#include "app/request_logs.h"
#include "pageviews/captured_log.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <set>
#include <sstream>
#include <thread>

using namespace reef;
using namespace std::chrono_literals;
using app::AccessLog;
using pageviews::test::CapturedLog;

namespace {

/// A request with this target, told to a log.
class Teller {
public:
    explicit Teller(serve::RequestLog& log) : log_(log) {}

    void tell(const std::string& target) {
        request_.target = target;
        serve::RequestRecord record{};
        record.request = &request_;
        record.status = 200;
        log_.record(record);
    }

private:
    serve::RequestLog& log_;
    Arena arena_;
    http::EmptyBody body_;
    http::Endpoints ends_;
    http::Request request_{arena_, body_, ends_};
};

struct Fixture {
    void start(const std::string& format = "%r") {
        app::AccessLogOptions options;
        options.file = name;
        options.format = format;
        log = AccessLog::start(std::move(options)).value();
    }

    void waitFor(const std::function<bool()>& done) {
        const auto deadline = std::chrono::steady_clock::now() + 5s;
        while (!done()) {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            std::this_thread::sleep_for(5ms);
        }
    }

    std::string content() const {
        return std::filesystem::exists(name) ? test::contentOf(name) : std::string();
    }

    test::Scratch scratch;
    std::string name = (scratch.path() / "access.log").string();
    std::unique_ptr<AccessLog> log;
};

} // namespace

TEST_CASE_METHOD(Fixture, "lines arrive by themselves after a second at most, and at once at the "
                          "end") {
    start();
    Teller teller(log->addLoop());
    teller.tell("/1");
    teller.tell("/2");
    waitFor([&] { return content() == "GET /1 HTTP/1.1\nGET /2 HTTP/1.1\n"; });
    teller.tell("/3");
    log->stop();
    CHECK(content() == "GET /1 HTTP/1.1\nGET /2 HTTP/1.1\nGET /3 HTTP/1.1\n");
    log->stop(); // once more harms nothing
}

TEST_CASE_METHOD(Fixture, "no line of any loop is lost or broken, however many there are") {
    start("%U%r");
    constexpr int kLoops = 3;
    constexpr int kLines = 20'000;
    std::vector<std::thread> threads;
    for (int loop = 0; loop < kLoops; ++loop) {
        threads.emplace_back([this, loop] {
            Teller teller(log->addLoop());
            for (int i = 0; i < kLines; ++i) {
                teller.tell("/" + std::to_string(loop) + "/" + std::to_string(i));
                if (i % 1000 == 0) std::this_thread::sleep_for(1ms); // the disk may keep up
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    log->stop();
    CHECK(log->dropped() == 0);
    std::set<std::string> lines;
    std::istringstream all(content());
    for (std::string line; std::getline(all, line);)
        lines.insert(line);
    CHECK(lines.size() == kLoops * kLines);
    CHECK(lines.contains("-GET /2/19999 HTTP/1.1"));
}

TEST_CASE_METHOD(Fixture, "a file that was moved away is left when the log is told") {
    start();
    Teller teller(log->addLoop());
    teller.tell("/1");
    waitFor([&] { return !content().empty(); });
    std::filesystem::rename(name, name + ".moved");
    log->reopen();
    waitFor([&] {
        teller.tell("/2");
        return !content().empty();
    });
    log->stop();
    CHECK(test::contentOf(name + ".moved").starts_with("GET /1 HTTP/1.1\n"));
    CHECK(content().starts_with("GET /2 HTTP/1.1\n"));
}

TEST_CASE_METHOD(Fixture, "while the file cannot be written lines wait, and trouble is told once") {
    const CapturedLog errors;
    name = (scratch.path() / "none" / "access.log").string();
    start();
    Teller teller(log->addLoop());
    teller.tell("/1");
    waitFor([&] { return errors.count("cannot write") == 1; });
    teller.tell("/2");
    std::this_thread::sleep_for(1100ms);
    CHECK(errors.count("cannot write") == 1);
    std::filesystem::create_directory(scratch.path() / "none");
    waitFor([&] { return content() == "GET /1 HTTP/1.1\nGET /2 HTTP/1.1\n"; });
    waitFor([&] { return errors.count("is written again; lines lost: 0") == 1; });
}

TEST_CASE_METHOD(Fixture, "what waits is bounded, and what is dropped is counted") {
    const CapturedLog errors;
    name = (scratch.path() / "none" / "access.log").string();
    start();
    Teller teller(log->addLoop());
    const std::string target = "/" + std::string(1000, 'x');
    constexpr int kLines = 20'000; // of a kilobyte
    for (int i = 0; i < kLines; ++i)
        teller.tell(target);
    CHECK(log->dropped() > 0);
    const auto before = std::chrono::steady_clock::now();
    log->stop(300ms);
    CHECK(std::chrono::steady_clock::now() - before < 3s);
    CHECK(log->dropped() == kLines);
    CHECK(errors.count("lines lost at the end: ") == 1);
}

TEST_CASE_METHOD(Fixture, "a format that is wrong does not start") {
    app::AccessLogOptions options;
    options.file = name;
    options.format = "%h %y";
    const auto log = AccessLog::start(std::move(options));
    REQUIRE_FALSE(log);
    CHECK(log.error().column == 4);
    CHECK_FALSE(std::filesystem::exists(name));
}

TEST_CASE("several logs are told of each request, in order") {
    struct Order final : serve::RequestLog {
        Order(std::string& all, char mark) : text(all), name(mark) {}
        void record(const serve::RequestRecord&) noexcept override { text += name; }
        std::string& text;
        char name;
    };
    std::string text;
    Order one(text, '1');
    Order two(text, '2');
    app::RequestLogs logs(one);
    Teller(logs).tell("/");
    CHECK(text == "1");
    logs.setAccessLog(&two);
    Teller(logs).tell("/");
    CHECK(text == "112");
    logs.setAccessLog(nullptr);
    Teller(logs).tell("/");
    CHECK(text == "1121");
}

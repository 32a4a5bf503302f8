#include "app/scratch.h"
#include "compose/fakes.h"
#include "io/sockets.h"
#include "site/loop_site.h"

#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef;
namespace fs = std::filesystem;

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// A site on a loop, with a keeper that never answers: for all that needs no process.
struct Fixture {
    Fixture() {
        fs::create_directory(scratch.path() / "www");
        fs::create_directory(scratch.path() / "cgi-bin");
        int ends[2];
        REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        keepersEnd = Fd(ends[0]);
        keeper.emplace(loop, Fd(ends[1]));
    }

    void document(const std::string& name, const std::string& content) {
        test::writeContent(scratch.path() / "www" / name, content);
    }

    struct Answer {
        http::Handled handled;
        int status = 0;
        std::string content;
        std::string fields;
    };

    Answer ask(const std::string& target, http::Method method = http::Method::get) {
        site::SiteSettings settings;
        settings.documents = (scratch.path() / "www").string();
        settings.islands = (scratch.path() / "cgi-bin").string();
        settings.conduct.ssi = ssi;
        settings.routes = routes;
        settings.errorDocuments = errorDocuments;
        const auto loaded = site::Site::load(std::move(settings)).value();
        io::Workers workers(1);
        site::LoopServices services(loop, *keeper, workers);
        site::LoopIslands islands(services, site::IslandLimits());
        site::LoopSite site(loaded, services, islands);
        test::PageRequest page(target);
        page.request.method = method;
        test::RecordingSink sink;
        std::optional<http::Handled> handled;
        loop.tasks().start(run(site, page.request, sink, handled));
        test::runUntil(loop, [&] { return handled.has_value(); });
        if (!*handled) {
            std::optional<bool> explained;
            loop.tasks().start(explain(site, page.request, handled->error(), sink, explained));
            test::runUntil(loop, [&] { return explained.has_value(); });
        }
        Answer answer{*handled, sink.status, sink.content, {}};
        for (const auto& field : sink.fields)
            answer.fields += field + "\n";
        return answer;
    }

    static Task<void> run(site::LoopSite& site, http::Request& request, http::ResponseSink& sink,
                          std::optional<http::Handled>& handled) {
        handled = co_await site.handle(request, sink);
    }

    static Task<void> explain(site::LoopSite& site, http::Request& request,
                              const http::Failure& failure, http::ResponseSink& sink,
                              std::optional<bool>& explained) {
        explained = co_await site.explain(request, failure, sink);
    }

    test::Scratch scratch;
    io::Loop loop;
    Fd keepersEnd;
    std::optional<process::KeeperClient> keeper;
    bool ssi = true;
    std::vector<site::Route> routes;
    std::map<int, std::string> errorDocuments;
};

} // namespace

TEST_CASE_METHOD(Fixture, "files, pages and failures are told apart") {
    document("file.txt", "a file");
    document("page.shtml", "a page, <!--#include file=\"file.txt\" -->");
    CHECK(ask("/file.txt").content == "a file");
    const auto page = ask("/page.shtml");
    CHECK(page.content == "a page, a file");
    CHECK(page.fields.find("text/html") != std::string::npos);
    CHECK(ask("/missing").handled.error().status == 404);
    CHECK(ask("/cgi-bin/missing").handled.error().status == 404);
    CHECK(ask("/page.shtml", http::Method::post).handled.error().status == 405);
    CHECK(ask("/page.shtml", http::Method::post).handled.error().fields == Fields{{"Allow", "GET, HEAD"}});
    ssi = false;
    CHECK(ask("/page.shtml").content == "a page, <!--#include file=\"file.txt\" -->");
}

TEST_CASE_METHOD(Fixture, "a newcomer's site welcomes, once it has a page it does not") {
    CHECK(ask("/").status == 200);
    CHECK(ask("/").content.find("cgi-bin") != std::string::npos);
    document("index.html", "home");
    CHECK(ask("/").content == "home");
}

TEST_CASE_METHOD(Fixture, "`file` does not reach islands, nor does a page's path become one") {
    test::writeContent(scratch.path() / "cgi-bin" / "x.sh", "SECRET");
    document("page.shtml", "<!--#include file=\"cgi-bin/x.sh\" -->|"
                           "<!--#include virtual=\"/cgi-bin/x.sh\" -->");
    const auto page = ask("/page.shtml");
    CHECK(page.status == 200);
    CHECK(page.content.find("SECRET") == std::string::npos);
    CHECK(page.content.find('|') != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "an island's refusal is its status, told to the log") {
    test::writeContent(scratch.path() / "cgi-bin" / "x.sh", "#!/bin/sh\n");
    const auto refused = ask("/cgi-bin/x.sh");
    REQUIRE_FALSE(refused.handled);
    CHECK(refused.handled.error().status == 403);
    CHECK(refused.handled.error().detail.find("chmod +x") != std::string::npos);
}

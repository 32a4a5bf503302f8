#pragma once

#include "compose/fakes.h"
#include "io/sockets.h"
#include "scratch.h"
#include "site/loop_site.h"

#include <sys/socket.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace reef::test {

/// A site on a loop, with a keeper that never answers: for all that needs no process.
struct SiteFixture {
    SiteFixture() {
        std::filesystem::create_directory(scratch.path() / "www");
        std::filesystem::create_directory(scratch.path() / "cgi-bin");
        int ends[2];
        REQUIRE(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        keepersEnd = Fd(ends[0]);
        keeper.emplace(loop, Fd(ends[1]));
    }

    void document(const std::string& name, const std::string& content) {
        const auto file = scratch.path() / "www" / name;
        std::filesystem::create_directories(file.parent_path());
        writeContent(file, content);
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
        gateway::SharedIslands shared{gateway::AdmissionLimits()};
        site::PageTraces pages;
        site::LoopServices services(loop, *keeper, workers, shared, pages, kept);
        site::LoopIslands islands(services, site::IslandLimits());
        site::LoopSite site(loaded, services, islands);
        PageRequest page(target);
        page.request.method = method;
        RecordingSink sink;
        std::optional<http::Handled> handled;
        loop.tasks().start(run(site, page.request, sink, handled));
        runUntil(loop, [&] { return handled.has_value(); });
        if (!*handled) {
            std::optional<bool> explained;
            loop.tasks().start(explain(site, page.request, handled->error(), sink, explained));
            runUntil(loop, [&] { return explained.has_value(); });
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

    Scratch scratch;
    io::Loop loop;
    Fd keepersEnd;
    std::optional<process::KeeperClient> keeper;
    cache::SharedCache kept{cache::Limits()};
    bool ssi = true;
    std::vector<site::Route> routes;
    std::map<int, std::string> errorDocuments;
};

} // namespace reef::test

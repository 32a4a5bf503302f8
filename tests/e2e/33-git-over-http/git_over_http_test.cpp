#include "harness/command.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;
namespace fs = std::filesystem;

namespace {

/// A site with `git http-backend` as an island and a bare repository beside it, and a client's
/// git whose settings are nobody's.
struct GitSite {
    GitSite() {
        const std::string repositories = site.beside("repositories");
        fs::create_directory(repositories);
        const auto execPath = shell("git --exec-path").out;
        const auto backend = execPath.substr(0, execPath.find('\n')) + "/git-http-backend";
        // The repository belongs to who runs this test, the island runs as somebody else.
        site.island("git", "#!/bin/sh\nexport GIT_PROJECT_ROOT=" + repositories +
                               " GIT_HTTP_EXPORT_ALL=1 GIT_CONFIG_COUNT=1 "
                               "GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'\nexec " +
                               backend + "\n");
        work("git init -q --bare -b main " + repositories + "/reef.git && cd " + repositories +
             "/reef.git && git config http.receivepack true && chmod -R a+rwX " + repositories);
    }

    /// Runs a line of shell in the directory beside the site; its standard error too.
    std::string work(const std::string& line) {
        const auto outcome = shell("cd " + site.beside("").string() +
                                   " && export HOME=" + site.beside("home").string() +
                                   " GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0"
                                   " GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a.example"
                                   " GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a.example\n" +
                                   line + " 2>&1");
        INFO(line << '\n' << outcome.out << outcome.err);
        REQUIRE(outcome.clean());
        return outcome.out;
    }

    Site site;
};

std::string urlOf(const Server& server) {
    return "http://127.0.0.1:" + std::to_string(server.port()) + "/cgi-bin/git/reef.git";
}

} // namespace

TEST_CASE("git clones, commits and pushes over an island, and another clone has it") {
    GitSite git;
    Server server(git.site);
    git.work("git clone -q " + urlOf(server) + " one");
    git.work("cd one && git checkout -q -b main && echo coral > a.txt && git add a.txt && "
             "git commit -q -m first && git push -q origin main");
    git.work("git clone -q " + urlOf(server) + " two");
    CHECK(readFile(git.site.beside("two") / "a.txt") == "coral\n");
    git.work("cd one && echo fish >> a.txt && git commit -q -a -m second && git push -q");
    git.work("cd two && git pull -q");
    CHECK(readFile(git.site.beside("two") / "a.txt") == "coral\nfish\n");
}

TEST_CASE("a push that git sends in chunks arrives whole") {
    GitSite git;
    Server server(git.site);
    const auto content = noise(8'000'000);
    git.work("git clone -q " + urlOf(server) + " one");
    writeFile(git.site.beside("one") / "large.bin", content);
    const auto trace =
        git.work("cd one && git checkout -q -b main && git add large.bin && "
                 "git commit -q -m large && GIT_TRACE_CURL=1 GIT_TRACE_CURL_NO_DATA=1 "
                 "git -c http.postBuffer=65536 push -q origin main");
    CHECK(holds(trace, "Transfer-Encoding: chunked"));
    git.work("git clone -q " + urlOf(server) + " two && cd two && git fsck --no-progress");
    CHECK((readFile(git.site.beside("two") / "large.bin") == content));
}

TEST_CASE("what git asks for in compressed content is answered") {
    GitSite git;
    Server server(git.site);
    git.work("git clone -q " + urlOf(server) +
             " one && cd one && git checkout -q -b main && "
             "for i in $(seq 100); do git commit -q --allow-empty -m $i && git branch b$i; done && "
             "git push -q --all origin");
    const auto trace = git.work("GIT_TRACE_CURL=1 GIT_TRACE_CURL_NO_DATA=1 git clone -q " +
                                urlOf(server) + " two");
    CHECK(holds(trace, "Content-Encoding: gzip"));
    CHECK(git.work("cd two && git branch -r | wc -l") == "102\n");
}

TEST_CASE("a repository that is not there is an error that git understands") {
    GitSite git;
    Server server(git.site);
    const auto outcome = shell("cd / && GIT_TERMINAL_PROMPT=0 git ls-remote http://127.0.0.1:" +
                               std::to_string(server.port()) + "/cgi-bin/git/none.git");
    CHECK(outcome.ending.code != 0);
    CHECK(holds(outcome.err, "not found"));
}

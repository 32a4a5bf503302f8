#include "app/demo_site.h"
#include "scratch.h"

#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <regex>

using namespace reef;
using namespace reef::test;
namespace fs = std::filesystem;

namespace {

struct Output {
    std::string text;
    int status;
};

/// Runs an island of the demo site with nothing but `environment` ("NAME='value' …", for the
/// shell).
Output run(const fs::path& site, const std::string& name, const std::string& environment,
           const std::string& body = "") {
    const fs::path input = site / "input";
    writeContent(input, body);
    const std::string command = "exec env -i " + environment + " '" +
                                (site / "cgi-bin" / name).string() + "' <'" + input.string() +
                                "' 2>/dev/null";
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    Output output{"", 0};
    char buffer[4096];
    while (const auto count = std::fread(buffer, 1, sizeof buffer, pipe))
        output.text.append(buffer, count);
    output.status = ::pclose(pipe);
    return output;
}

Output postcard(const fs::path& site, const std::string& body, const std::string& more = "") {
    return run(
        site, "postcard.pl",
        "REQUEST_METHOD=POST CONTENT_TYPE=application/x-www-form-urlencoded CONTENT_LENGTH=" +
            std::to_string(body.size()) + " " + more,
        body);
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

/// The written demo site, one for all tests of this file.
class Site : Scratch {
public:
    Site() { REQUIRE(app::writeDemoSite(Scratch::path()).has_value()); }
    using Scratch::path;
};

const char* const kHostile = "REMOTE_ADDR='<script>\"&' HTTP_USER_AGENT='<script>\"&' "
                             "QUERY_STRING='<script>&ms=1' HTTP_COOKIE='secret=1' "
                             "SCRIPT_FILENAME=/srv/site/cgi-bin/x DOCUMENT_ROOT=/srv/site/www";

} // namespace

TEST_CASE("every island of the demo prints a header, an empty line and HTML") {
    const Site site;
    for (const char* name :
         {"almanac.py", "env.sh", "hello.sh", "nap.sh", "postcard.pl", "quote.pl", "tide"}) {
        CAPTURE(name);
        const Output output = run(site.path(), name, kHostile);
        CHECK(output.status == 0);
        const auto body = output.text.find("\n\n");
        REQUIRE(body != std::string::npos);
        CHECK(contains(output.text.substr(0, body), "Content-Type: text/html; charset=utf-8"));
        CHECK(output.text.size() > body + 40);
    }
}

TEST_CASE("no island repeats a visitor's markup, a cookie or a path of the machine") {
    const Site site;
    for (const EmbeddedFile& file : app::demoFiles()) {
        if (!file.executable) continue;
        const std::string name = fs::path(file.path).filename();
        CAPTURE(name);
        const Output output = run(site.path(), name, kHostile);
        CHECK_FALSE(contains(output.text, "<script>"));
        CHECK_FALSE(contains(output.text, "secret=1"));
        CHECK_FALSE(contains(output.text, "/srv/site"));
    }
}

TEST_CASE("islands name their language, their process and the time") {
    const Site site;
    const std::regex log("<p class=\"log\">(Bash|Perl|Python|C) .*process [0-9]+ "
                         "&middot; <time>[0-2][0-9]:[0-5][0-9]:[0-5][0-9] UTC</time></p>");
    for (const char* name : {"hello.sh", "quote.pl", "almanac.py", "tide"}) {
        CAPTURE(name);
        CHECK(std::regex_search(run(site.path(), name, "").text, log));
    }
}

TEST_CASE("a nap takes what its query says, two seconds at most, and nothing but digits") {
    const Site site;
    const auto nap = [&site](const std::string& query) {
        return run(site.path(), "nap.sh", "QUERY_STRING='" + query + "'").text;
    };
    CHECK(contains(nap("ms=20"), "slept 20&nbsp;ms"));
    CHECK(contains(nap("a=b&ms=030&c"), "slept 30&nbsp;ms"));
    CHECK(contains(nap("ms=9999"), "slept 2000&nbsp;ms"));
    for (const char* odd :
         {"", "ms=", "ms=-1", "ms=1e3", "ms=99999", "xms=7", "ms=$(id)", "ms=0x10"}) {
        CAPTURE(odd);
        CHECK(contains(nap(odd), "slept 500&nbsp;ms"));
    }
}

TEST_CASE("islands that are built later have one in their place that says so") {
    const Site site;
    for (const char* name : {"passage", "coral"}) {
        const Output output = run(site.path(), name, "");
        CHECK(output.status == 0);
        CHECK(contains(output.text, "Content-Type: text/html"));
        CHECK(contains(output.text, "not built here yet"));
    }
}

TEST_CASE("the failing island fails without a word") {
    const Site site;
    const Output output = run(site.path(), "fails.sh", "");
    CHECK(output.text.empty());
    CHECK(WEXITSTATUS(output.status) == 1);
}

TEST_CASE("a postcard shows what was written, as text") {
    const Site site;
    const std::string text =
        postcard(site.path(),
                 "message=h%C3%A9llo+%3Cb%3E%0D%0Atwo%00%1b&to=%22A%22&from=%26&stamp=fish")
            .text;
    CHECK(text.starts_with("Status: 200 OK\n"));
    CHECK(contains(text, "<p class=\"message\">h\xc3\xa9llo &lt;b&gt;\ntwo</p>"));
    CHECK(contains(text, "<p class=\"to\">&quot;A&quot;</p><p class=\"from\">from &amp;</p>"));
    CHECK(contains(text, "class=\"stamp fish\""));
    CHECK(contains(text, "Content-Security-Policy: default-src 'none'"));
}

TEST_CASE("a postcard refuses what is not a postcard") {
    const Site site;
    const auto status = [&site](const std::string& body, const std::string& more = "") {
        const std::string text = postcard(site.path(), body, more).text;
        return text.substr(0, text.find('\n'));
    };
    CHECK(status("message=a&to=b&from=c") == "Status: 200 OK");
    CHECK(status("message=a&to=b&from=c&stamp=%22%3E") == "Status: 200 OK");
    CHECK(status("message=a&to=b&from=c", "REQUEST_METHOD=GET") ==
          "Status: 405 Method Not Allowed");
    CHECK(status("{}", "CONTENT_TYPE=application/json") == "Status: 415 Unsupported Media Type");
    CHECK(status("message=a", "CONTENT_LENGTH=") == "Status: 411 Length Required");
    CHECK(status("message=a", "CONTENT_LENGTH=-1") == "Status: 411 Length Required");
    CHECK(status("message=a", "CONTENT_LENGTH=20000") == "Status: 413 Content Too Large");
    CHECK(status("message=a", "CONTENT_LENGTH=900") == "Status: 400 Bad Request");
    CHECK(status("") == "Status: 400 Bad Request");
    CHECK(status("&&=&") == "Status: 400 Bad Request");
    CHECK(status("message=a&to=b&from=+%0a%09") == "Status: 400 Bad Request");
    CHECK(status("message=%ff&to=b&from=c") == "Status: 400 Bad Request");
    CHECK(status("message=%ed%a0%80&to=b&from=c") == "Status: 400 Bad Request");
    CHECK(status("message=" + std::string(601, 'x') + "&to=b&from=c") ==
          "Status: 413 Content Too Large");
}

TEST_CASE("what the demo's pages include is there") {
    const std::regex include("<!--#include virtual=\"/([^\"?]*)");
    const auto files = app::demoFiles();
    std::size_t count = 0;
    for (const EmbeddedFile& page : files) {
        if (!page.path.ends_with(".shtml")) continue;
        const std::string text(page.bytes);
        for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end;
             ++found) {
            const std::string target = (*found)[1];
            CAPTURE(page.path, target);
            const std::string path = target.starts_with("cgi-bin/") ? target : "www/" + target;
            CHECK(std::ranges::find(files, path, &EmbeddedFile::path) != files.end());
            ++count;
        }
    }
    CHECK(count > 20);
}

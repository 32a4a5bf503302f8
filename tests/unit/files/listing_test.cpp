#include "files/answers.h"
#include "files/listing.h"
#include "files/listing_text.h"
#include "http/pages.h"

#include <sys/socket.h>

#include <filesystem>

using namespace reef;
namespace fs = std::filesystem;

namespace {

struct Fixture : test::FileSite {
    fs::path path(const std::string& name) const { return scratch.path() / name; }

    test::Answer list(const std::string& target, const test::Fields& fields = {},
                      http::Method method = http::Method::get) {
        test::PageRequest page(target);
        page.request.method = method;
        for (const auto& [name, value] : fields)
            page.request.fields.add(name, value);
        return outcomeOf([&](http::ResponseSink& sink) {
            return files::sendListing(page.request, sink, *root, page.request.path);
        });
    }

    std::vector<std::string> names(const std::string& target) {
        std::vector<std::string> found;
        const auto json = list(target + (target.contains('?') ? "&" : "?") + "format=json").content;
        const std::string mark = "{\"name\":\"";
        for (auto at = json.find(mark); at != std::string::npos; at = json.find(mark, at + 1)) {
            const auto begin = at + mark.size();
            found.push_back(json.substr(begin, json.find("\",\"type\"", begin) - begin));
        }
        return found;
    }
};

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE_METHOD(Fixture, "a listing names files and directories, directories first") {
    put("b.txt", "12345");
    put("A.txt", "1");
    fs::create_directories(path("zoo"));
    const auto answer = list("/");
    CHECK(answer.status == 200);
    CHECK(answer.field("Content-Type") == "text/html; charset=utf-8");
    CHECK(answer.field("Vary") == "Accept");
    CHECK(answer.field("Content-Security-Policy") == http::kPagePolicy);
    CHECK(names("/") == Names{"zoo", "A.txt", "b.txt"});
    CHECK(holds(answer.content, "<a href=\"./zoo/\"><bdi>zoo</bdi>/</a>"));
    CHECK(holds(answer.content, "<span title=\"5 bytes\">5 B</span>"));
    CHECK(holds(answer.content, "3 entries"));
    CHECK_FALSE(holds(answer.content, "href=\"../\""));
    CHECK(holds(list("/zoo/").content, "href=\"../\""));
    CHECK_FALSE(holds(answer.content, "<script"));
}

TEST_CASE_METHOD(Fixture, "it is sorted by name, size or time, either way") {
    put("a", "333");
    put("b", "1");
    put("c", "22");
    setTime("a", 2'000'000);
    setTime("b", 3'000'000);
    setTime("c", 1'000'000);
    fs::create_directories(path("d"));
    CHECK(names("/?sort=name&order=desc") == Names{"d", "c", "b", "a"});
    CHECK(names("/?sort=size") == Names{"d", "b", "c", "a"});
    CHECK(names("/?order=desc&sort=size") == Names{"d", "a", "c", "b"});
    CHECK(names("/?sort=time") == Names{"d", "c", "a", "b"});
    CHECK(names("/?sort=odd&order=odd") == Names{"d", "a", "b", "c"});
    const auto page = list("/?sort=size&order=desc").content;
    CHECK(holds(page, "aria-sort=\"descending\"><a href=\"?sort=size&amp;order=asc\""));
    CHECK(holds(page, "<a href=\"?sort=time&amp;order=desc\""));
    CHECK(holds(page, "<a href=\"?sort=name&amp;order=asc\""));
}

TEST_CASE_METHOD(Fixture, "JSON comes when the client likes it better, or by the query") {
    put("a.txt", "1234");
    setTime("a.txt", 1'700'000'000);
    const std::string json =
        "{\"path\":\"/\",\"truncated\":false,\"entries\":[\n{\"name\":\"a.txt\",\"type\":\"file\","
        "\"size\":4,\"modified\":\"2023-11-14T22:13:20Z\"}]}\n";
    const auto answer = list("/", {{"Accept", "application/json"}});
    CHECK(answer.content == json);
    CHECK(answer.field("Content-Type") == "application/json");
    CHECK(answer.field("Vary") == "Accept");
    CHECK(list("/?format=json").content == json);
    for (const char* accept : {"*/*", "text/html,*/*;q=0.8", "text/html, application/json", ""})
        CHECK(list("/", {{"Accept", accept}}).content.starts_with("<!doctype html>"));
    CHECK(list("/?format=html", {{"Accept", "application/json"}}).content.starts_with("<!doctype"));
}

TEST_CASE_METHOD(Fixture, "hostile names do no harm") {
    const std::string names[] = {"<img src=x onerror=alert(1)>",
                                 "javascript:alert(1)",
                                 "a\"b'c&d",
                                 "100%?#",
                                 "back\\slash",
                                 "\xff\xfe",
                                 "caf\xc3\xa9"};
    for (const std::string& name : names)
        put(name, "x");
    put("line\nbreak", "x");
    const auto page = list("/").content;
    CHECK_FALSE(holds(page, "<img"));
    CHECK(holds(page, "&lt;img src=x onerror=alert(1)&gt;"));
    CHECK(holds(page, "href=\"./javascript:alert(1)\""));
    CHECK(holds(page, "href=\"./100%25%3F%23\""));
    CHECK(holds(page, "a&quot;b&#39;c&amp;d"));
    CHECK(holds(page, "href=\"./caf%C3%A9\""));
    CHECK(holds(page, "7 entries")); // the one with a line break cannot be asked for
    const auto json = list("/?format=json").content;
    CHECK(holds(json, "\"a\\\"b'c&d\""));
    CHECK(holds(json, "\"back\\\\slash\""));
    CHECK(holds(json, "\"\xef\xbf\xbd\xef\xbf\xbd\""));
    CHECK(holds(json, "\"caf\xc3\xa9\""));
}

TEST_CASE_METHOD(Fixture, "what is not served is not listed") {
    put(".htaccess", "x");
    fs::create_directories(path(".git"));
    REQUIRE(::mkfifo(path("pipe").c_str(), 0666) == 0);
    test::Scratch other;
    test::writeContent(other.path() / "secret", "x");
    fs::create_symlink(other.path() / "secret", path("out"));
    fs::create_symlink("nothing", path("dangling"));
    put("real.txt", "12345");
    fs::create_symlink("real.txt", path("link.txt"));
    fs::create_symlink(".", path("here"));
    CHECK(names("/") == Names{"here", "link.txt", "real.txt"});
    CHECK(holds(list("/?format=json").content, "\"link.txt\",\"type\":\"file\",\"size\":5"));
}

TEST_CASE_METHOD(Fixture, "a large directory is cut, and says so") {
    for (int i = 0; i != 30; ++i)
        put("f" + std::to_string(i), "x");
    std::optional<std::expected<files::Listing, files::Absence>> listing;
    struct Reader {
        static Task<void> read(const files::DocumentRoot& root, std::size_t most,
                               std::optional<std::expected<files::Listing, files::Absence>>& out) {
            out = co_await files::readListing(root, "/", most);
        }
    };
    for (const std::size_t most : {std::size_t{29}, std::size_t{30}}) {
        listing.reset();
        coro::Scope scope;
        scope.start(Reader::read(*root, most, listing));
        while (!listing)
            turn();
        REQUIRE(*listing);
        CHECK((*listing)->entries.size() == most);
        CHECK((*listing)->cut == (most == 29));
        CHECK(holds(files::listingPage("/", **listing, {}), "There is more here") == (most == 29));
        CHECK(holds(files::listingJson("/", **listing), "\"truncated\":true") == (most == 29));
    }
}

TEST_CASE_METHOD(Fixture, "others have their turn while a large directory is read") {
    for (int i = 0; i != 600; ++i)
        put("f" + std::to_string(i), "x");
    std::optional<http::Handled> handled;
    test::PageRequest page("/");
    test::RecordingSink sink;
    coro::Scope scope;
    scope.start(run(files::sendListing(page.request, sink, *root, "/"), handled));
    int turns = 0;
    for (; !handled; ++turns)
        turn();
    CHECK(turns >= 2);
    CHECK(holds(sink.content, "600 entries"));
}

TEST_CASE_METHOD(Fixture, "a directory that is not there, or is hidden, is not listed") {
    fs::create_directories(path(".git"));
    put("file", "x");
    for (const char* target : {"/none/", "/.git/", "/file/"}) {
        const auto answer = list(target);
        REQUIRE_FALSE(answer.handled);
        CHECK(answer.handled.error().status == 404);
    }
    const auto posted = list("/", {}, http::Method::post);
    REQUIRE_FALSE(posted.handled);
    CHECK(posted.handled.error().status == 405);
}

TEST_CASE("the way to a directory is a row of relative links, its parts escaped") {
    const auto page = files::listingPage("/a b/<c>/", {}, {});
    CHECK(holds(page, "<h1><a href=\"./../../\">/</a><a href=\"./../\"><bdi>a b</bdi></a>"
                      "<span>/</span><a href=\"./\"><bdi>&lt;c&gt;</bdi></a>"));
    CHECK(holds(page, "<title>/a b/&lt;c&gt;/</title>"));
}

TEST_CASE("sizes are told in a few digits") {
    const auto shown = [](ByteCount size) {
        files::Listing listing;
        listing.entries.push_back({"f", false, size, 0});
        const auto page = files::listingPage("/", listing, {});
        const auto begin = page.find("bytes\">") + 7;
        return page.substr(begin, page.find('<', begin) - begin);
    };
    CHECK(shown(0) == "0 B");
    CHECK(shown(999) == "999 B");
    CHECK(shown(1000) == "1.0 KB");
    CHECK(shown(12'345) == "12.3 KB");
    CHECK(shown(999'949) == "999.9 KB");
    CHECK(shown(999'950) == "1.0 MB");
    CHECK(shown(5'000'000'000) == "5.0 GB");
    CHECK(shown(18'446'744'073'709'551'615U) == "18.4 EB");
}

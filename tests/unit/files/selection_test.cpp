#include "files/answers.h"
#include "files/selection.h"
#include "http/decoding.h"

#include <filesystem>

using namespace reef;

namespace {

std::string prose(std::size_t bytes, const char* word = "island") {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i)
        text += std::string(word) + ' ' + std::to_string(i) + '\n';
    text.resize(bytes);
    return text;
}

const test::Fields kGzip{{"Accept-Encoding", "gzip"}};
const test::Fields kAll{{"Accept-Encoding", "gzip, deflate, br, zstd"}};

struct Fixture : test::FileSite {
    Fixture() {
        put("page.html", prose(5000));
        put("large.css", prose(300'000));
        put("photo.png", prose(5000));
        put("short.txt", prose(999));
    }
};

test::Fields with(test::Fields fields, const char* name, const std::string& value) {
    fields.emplace_back(name, value);
    return fields;
}

} // namespace

TEST_CASE_METHOD(Fixture, "a client that names no coding gets the file, and hears that it varies") {
    const auto answer = ask("/page.html");
    CHECK(answer.content == prose(5000));
    CHECK(answer.field("Vary") == "Accept-Encoding");
    CHECK(answer.field("Content-Encoding").empty());
    CHECK(ask("/photo.png", kAll).field("Vary").empty());
}

TEST_CASE_METHOD(Fixture, "a small file is compressed once, and is a representation of its own") {
    const auto plain = ask("/page.html");
    const auto answer = ask("/page.html", kGzip);
    CHECK(answer.field("Content-Encoding") == "gzip");
    CHECK(answer.field("Content-Type") == "text/html; charset=utf-8");
    CHECK(answer.field("Accept-Ranges") == "bytes");
    CHECK(answer.calls == std::vector<std::string>{"send"});
    CHECK(test::gunzip(answer.content) == prose(5000));
    const auto tag = answer.field("ETag");
    CHECK(tag.starts_with('"'));
    CHECK(tag.ends_with("-gz\""));
    CHECK(tag != plain.field("ETag"));

    const auto first = cache->find("/page.html")->cached;
    const auto again = ask("/page.html", kGzip);
    CHECK(again.content == answer.content);
    CHECK(cache->find("/page.html")->cached == first);
    CHECK(ask("/page.html", with(kGzip, "If-None-Match", tag)).status == 304);
    CHECK(ask("/page.html", with(kGzip, "If-None-Match", plain.field("ETag"))).status == 200);
    const auto part = ask("/page.html", with(kGzip, "Range", "bytes=0-9"));
    CHECK(part.status == 206);
    CHECK(part.field("Content-Encoding") == "gzip");
    CHECK(part.content == answer.content.substr(0, 10));
    CHECK(part.field("Content-Range") == "bytes 0-9/" + std::to_string(answer.content.size()));
}

TEST_CASE_METHOD(Fixture, "what is read again after a while keeps its compressed forms") {
    const auto before = ask("/page.html", kGzip);
    const auto held = cache->find("/page.html")->cached;
    ::usleep(1'050'000);
    turn();
    const auto again = cache->find("/page.html")->cached;
    CHECK(again != held);
    CHECK(again->compressed[1].content == held->compressed[1].content);
    CHECK(ask("/page.html", kGzip).content == before.content);
}

TEST_CASE_METHOD(Fixture, "a changed file is never sent in an old form or with an old tag") {
    const auto before = ask("/page.html", kGzip);
    put("page.html", prose(5000, "lagoon"));
    for (int i = 0; i != 3; ++i) { // read from disk at first, then out of memory again
        const auto after = ask("/page.html", kGzip);
        CHECK(after.field("ETag") != before.field("ETag"));
        const auto content =
            after.field("Content-Encoding").empty() ? after.content : test::gunzip(after.content);
        CHECK(content == prose(5000, "lagoon"));
        rest();
    }
    CHECK(ask("/page.html", with(kGzip, "If-None-Match", before.field("ETag"))).status == 200);
}

TEST_CASE_METHOD(Fixture, "a file that is short, or does not shrink, is sent as it is") {
    put("empty.txt", {});
    CHECK(ask("/empty.txt", kAll).status == 200);
    CHECK(ask("/empty.txt", kAll).content.empty());
    CHECK(ask("/short.txt", kAll).content == prose(999));
    CHECK(ask("/short.txt", kAll).field("Content-Encoding").empty());
    std::string noise(4000, ' ');
    unsigned state = 1;
    for (char& c : noise)
        c = static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U);
    put("noise.txt", noise);
    ask("/noise.txt");
    rest();
    CHECK((ask("/noise.txt", kGzip).content == noise));
    CHECK(ask("/noise.txt", kGzip).field("Vary") == "Accept-Encoding");
}

TEST_CASE_METHOD(Fixture, "a large file is compressed on its way, with a weak tag and no ranges") {
    const auto plain = ask("/large.css");
    CHECK(plain.calls == std::vector<std::string>{"sendFile"});
    const auto answer = ask("/large.css", kGzip);
    CHECK(answer.field("Content-Encoding") == "gzip");
    CHECK(answer.field("ETag") == "W/" + plain.field("ETag"));
    CHECK(answer.field("Accept-Ranges").empty());
    CHECK(answer.field("Vary") == "Accept-Encoding");
    CHECK(test::gunzip(answer.content) == prose(300'000));
    const auto known = ask("/large.css", with(kGzip, "If-None-Match", answer.field("ETag")));
    CHECK(known.status == 304);
    CHECK(known.field("ETag") == answer.field("ETag"));
    const auto head = ask("/large.css", kGzip, http::Method::head);
    CHECK(head.content.empty());
    CHECK(head.fields == answer.fields);
}

TEST_CASE_METHOD(Fixture, "a range of such a file comes out of the file as it is") {
    const auto part = ask("/large.css", with(kGzip, "Range", "bytes=10-19"));
    CHECK(part.status == 206);
    CHECK(part.content == prose(300'000).substr(10, 10));
    CHECK(part.field("Content-Encoding").empty());
    CHECK(part.field("ETag").starts_with('"'));
    const auto whole = ask("/large.css", kGzip);
    auto resumed = with(kGzip, "Range", "bytes=10-19");
    resumed = with(resumed, "If-Range", whole.field("ETag"));
    CHECK(ask("/large.css", resumed).status == 200);
}

TEST_CASE_METHOD(Fixture, "a very large file is not compressed, unless it lies compressed beside") {
    put("huge.csv", "x");
    std::filesystem::resize_file(scratch.path() / "huge.csv", 8_MiB + 1);
    const auto answer = ask("/huge.csv", kGzip);
    CHECK(answer.calls == std::vector<std::string>{"sendFile"});
    CHECK(answer.field("ETag").starts_with('"'));
    CHECK(answer.field("Vary") == "Accept-Encoding");
    put("huge.csv.gz", "sibling");
    CHECK(ask("/huge.csv", kGzip).content == "sibling");
}

TEST_CASE_METHOD(Fixture, "siblings go first, best first, each with its own tag") {
    put("page.html.gz", "as if gzip");
    const auto gzip = ask("/page.html", kAll);
    CHECK(gzip.content == "as if gzip");
    CHECK(gzip.field("Content-Encoding") == "gzip");
    CHECK(gzip.field("Content-Type") == "text/html; charset=utf-8");
    CHECK(gzip.field("Vary") == "Accept-Encoding");
    put("page.html.zst", "as if zstd");
    put("page.html.br", "as if brotli");
    rest();
    const auto brotli = ask("/page.html", kAll);
    CHECK(brotli.content == "as if brotli");
    CHECK(brotli.field("Content-Encoding") == "br");
    CHECK(brotli.field("ETag") != gzip.field("ETag"));
    CHECK(brotli.field("ETag").starts_with('"'));
    CHECK(ask("/page.html", {{"Accept-Encoding", "br;q=0.5, zstd"}}).content == "as if zstd");
    CHECK(ask("/page.html", {{"Accept-Encoding", "br;q=0, *;q=0"}}).content == prose(5000));
    CHECK(ask("/page.html").content == prose(5000));
    const auto part = ask("/page.html", with(kAll, "Range", "bytes=6-"));
    CHECK(part.status == 206);
    CHECK(part.content == "brotli");
    CHECK(part.field("Content-Range") == "bytes 6-11/12");
    const auto several = ask("/page.html", with(kAll, "Range", "bytes=0-0,2-2"));
    CHECK(several.status == 200);
}

TEST_CASE_METHOD(Fixture, "siblings that come, change or go are noticed at once") {
    CHECK(ask("/page.html", kGzip).content != "one");
    for (const char* content : {"one", "two"}) {
        put("page.html.gz", content);
        CHECK(ask("/page.html", kGzip).content == content);
        rest();
        CHECK(ask("/page.html", kGzip).content == content);
        CHECK(ask("/page.html", kGzip).content == content);
    }
    std::filesystem::remove(scratch.path() / "page.html.gz");
    CHECK(test::gunzip(ask("/page.html", kGzip).content).empty() == false);
}

TEST_CASE_METHOD(Fixture, "a sibling older than its file is of no use") {
    put("page.html.gz", "of an old page");
    put("large.css.gz", "of an old sheet");
    setTime("page.html", 1'700'000'000);
    setTime("large.css", 1'700'000'000);
    for (const auto& [time, used] : {std::pair{1'699'999'999, false}, {1'700'000'000, true}}) {
        setTime("page.html.gz", time);
        setTime("large.css.gz", time);
        rest();
        CHECK((ask("/page.html", kGzip).content == "of an old page") == used);
        CHECK((ask("/large.css", kGzip).content == "of an old sheet") == used);
    }
}

TEST_CASE_METHOD(Fixture, "a sibling's time may lack the fraction of a second, but not more") {
    put("large.css.gz", "coded");
    const auto used = [&](timespec file, timespec coded) {
        const timespec fileTimes[] = {file, file};
        const timespec codedTimes[] = {coded, coded};
        ::utimensat(AT_FDCWD, (scratch.path() / "large.css").c_str(), fileTimes, 0);
        ::utimensat(AT_FDCWD, (scratch.path() / "large.css.gz").c_str(), codedTimes, 0);
        return ask("/large.css", kGzip).content == "coded";
    };
    CHECK(used({1'700'000'000, 500}, {1'700'000'000, 500}));
    CHECK(used({1'700'000'000, 500}, {1'700'000'000, 0}));
    CHECK_FALSE(used({1'700'000'000, 500}, {1'700'000'000, 499}));
    CHECK_FALSE(used({1'700'000'000, 500}, {1'699'999'999, 0}));
}

TEST_CASE_METHOD(Fixture, "large siblings, and those by a link, are opened for each answer") {
    put("page.html.gz", prose(100'000, "coded"));
    CHECK(ask("/page.html", kGzip).calls == std::vector<std::string>{"sendFile"});
    CHECK(ask("/page.html", kGzip).calls == std::vector<std::string>{"sendFile"});
    put("elsewhere", "linked");
    std::filesystem::create_symlink("elsewhere", scratch.path() / "page.html.br");
    rest();
    CHECK(ask("/page.html", kAll).content == "linked");
    put("elsewhere", "changed");
    CHECK(ask("/page.html", kAll).content == "changed");
    test::Scratch other;
    test::writeContent(other.path() / "secret", "secret");
    std::filesystem::create_symlink(other.path() / "secret", scratch.path() / "large.css.br");
    CHECK(ask("/large.css", kAll).content != "secret");
}

TEST_CASE_METHOD(Fixture, "both kinds of coding can be switched off") {
    put("page.html.gz", "sibling");
    options.precompressed = false;
    CHECK(test::gunzip(ask("/page.html", kGzip).content) == prose(5000));
    options.compress = false;
    const auto plain = ask("/page.html", kGzip);
    CHECK(plain.content == prose(5000));
    CHECK(plain.field("Vary").empty());
    options.precompressed = true;
    CHECK(ask("/page.html", kGzip).content == "sibling");
    CHECK(ask("/large.css", kGzip).calls == std::vector<std::string>{"sendFile"});
}

TEST_CASE_METHOD(Fixture, "without a free compressor files go as they are, with their strong tag") {
    std::vector<http::CompressorPool::Lease> all;
    while (!pool.exhausted())
        all.push_back(pool.take(http::ContentCoding::gzip));
    const auto answer = ask("/page.html", kGzip);
    CHECK(answer.content == prose(5000));
    CHECK(answer.field("ETag").starts_with('"'));
    all.clear();
    CHECK(ask("/page.html", kGzip).field("Content-Encoding") == "gzip");
}

TEST_CASE_METHOD(Fixture, "a caller's media types and Cache-Control are stated") {
    const std::vector<files::MediaTypeRule> rules{{"CSS", "text/x-own"}, {"html", "image/x-odd"}};
    options.mediaTypes = rules;
    options.cacheControl = "max-age=60";
    CHECK(ask("/large.css").field("Content-Type") == "text/x-own");
    CHECK(ask("/page.html", kGzip).field("Content-Type") == "image/x-odd");
    CHECK(ask("/page.html", kGzip).field("Content-Encoding").empty());
    CHECK(ask("/photo.png").field("Content-Type") == "image/png");
    const auto answer = ask("/page.html");
    CHECK(answer.field("Cache-Control") == "max-age=60");
    CHECK(ask("/page.html", {{"If-None-Match", answer.field("ETag")}}).field("Cache-Control") ==
          "max-age=60");
    CHECK(ask("/page.html", {{"Range", "bytes=0-1"}}).field("Cache-Control") == "max-age=60");
    CHECK(ask("/page.html", {{"Range", "bytes=9000-"}}).field("Cache-Control").empty());
}

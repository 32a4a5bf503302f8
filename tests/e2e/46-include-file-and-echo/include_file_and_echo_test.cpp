#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>
#include <filesystem>

using namespace reef::e2e;

namespace {

const std::string kError = "[an error occurred while processing this directive]";

std::string file(const std::string& name) {
    return "<!--#include file=\"" + name + "\" -->";
}

std::string echo(const std::string& name) {
    return "<!--#echo var=\"" + name + "\" -->";
}

} // namespace

TEST_CASE("a file is included from the page's directory or below, and from nowhere else") {
    Site site;
    site.document("docs/part.html", "part").document("docs/sub/part.html", "below");
    site.document("docs/a b.html", "blank").document("docs/percent%20.html", "percent");
    site.document("docs/inner.shtml", "inner " + file("part.html"));
    site.document("up.html", "SECRET").document("docs/.hidden", "SECRET");
    writeFile(site.beside("secret"), "SECRET");
    std::filesystem::create_symlink(site.beside("secret"), site.documents() / "docs" / "link");
    struct Case {
        const char* name;
        std::string expected;
    };
    const Case cases[] = {
        {"part.html", "part"},
        {"sub/part.html", "below"},
        {"./part.html", "part"},
        {"a b.html", "blank"},
        {"percent%20.html", "percent"},
        {"inner.shtml", "inner part"},
        {"../up.html", kError},
        {"sub/../../up.html", kError},
        {"/docs/part.html", kError},
        {"/etc/passwd", kError},
        {"%2e%2e/up.html", kError},
        {".hidden", kError},
        {"link", kError},
        {"missing.html", kError},
        {"sub", kError},
        {"", kError},
        {"http://a.example/x", kError},
        {"../../cgi-bin/island.sh", kError},
    };
    site.island("island.sh", "#!/bin/sh\n# SECRET\n");
    for (std::size_t i = 0; i < std::size(cases); ++i)
        site.document("docs/case-" + std::to_string(i) + ".shtml", "<" + file(cases[i].name) + ">");
    Server server(site);
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        INFO(cases[i].name);
        CHECK(fetch(server.port(), "/docs/case-" + std::to_string(i) + ".shtml").body ==
              "<" + cases[i].expected + ">");
    }
}

TEST_CASE("echo shows what the page was asked for") {
    Site site;
    site.document("docs/page.shtml", echo("DOCUMENT_URI") + "|" + echo("DOCUMENT_NAME") + "|" +
                                         echo("QUERY_STRING") + "|" + echo("REQUEST_METHOD") + "|" +
                                         echo("REMOTE_ADDR") + "|" + echo("SERVER_NAME") + "|" +
                                         echo("HTTP_USER_AGENT") + "|" + echo("NOTHING"));
    site.document("outer.shtml", "<!--#include virtual=\"/docs/page.shtml?in=1\" -->");
    Server server(site);
    CHECK(fetch(server.port(), "/docs/page.shtml?a=1", "User-Agent: test/1\r\n").body ==
          "/docs/page.shtml|page.shtml|a=1|GET|127.0.0.1|localhost|test/1|(none)");
    CHECK(fetch(server.port(), "/outer.shtml?a=1").body ==
          "/outer.shtml|outer.shtml|in=1|GET|127.0.0.1|localhost|(none)|(none)");
}

TEST_CASE("echo makes nothing a tag that a visitor has sent") {
    Site site;
    const std::string page = echo("QUERY_STRING") + echo("HTTP_USER_AGENT") + echo("HTTP_REFERER") +
                             echo("DOCUMENT_URI") + echo("REQUEST_URI") + echo("HTTP_COOKIE");
    site.document("page.shtml", page).document("<b>.shtml", page);
    Server server(site);
    const std::string evil = "<script>alert('x')</script>\"><!--#echo var=\"REMOTE_ADDR\"-->";
    const std::string fields =
        "User-Agent: " + evil + "\r\nReferer: " + evil + "\r\nCookie: " + evil + "\r\n";
    for (const char* target : {"/page.shtml?'%3Cscript%3E&'", "/%3Cb%3E.shtml"}) {
        const auto answer = fetch(server.port(), target, fields);
        INFO(answer.describe());
        CHECK(answer.status == 200);
        CHECK(answer.contains("alert("));
        for (const char* mark : {"<", ">", "\"", "'", "127.0.0.1"})
            CHECK_FALSE(answer.contains(mark));
    }
}

TEST_CASE("echo gives away no password and no forged field") {
    Site site;
    site.document("page.shtml",
                  echo("HTTP_AUTHORIZATION") + echo("HTTP_X_FORGED") + echo("HTTP_PROXY"));
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml",
                "Authorization: Basic SECRET\r\nX_Forged: SECRET\r\nProxy: SECRET\r\n")
              .body == "(none)(none)(none)");
}

TEST_CASE("directives that are wrong or unknown leave the error text, and comments stay comments") {
    Site site;
    site.document("page.shtml", "<!-- a comment -->|<!--#nonsense x=\"1\" -->|<!--#echo -->|"
                                "<!--#include bogus=\"x\" -->|<!--# echo var=\"X\" -->|end");
    site.document("open.shtml", "a<!--#echo var=\"DOCUMENT_URI\"");
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body ==
          "<!-- a comment -->|" + kError + "|" + kError + "|" + kError + "|(none)|end");
    const auto open = fetch(server.port(), "/open.shtml");
    CHECK(open.status == 200);
    CHECK(open.body.starts_with("a"));
}

// Pages of Apache and nginx, as a site of each: dialects, what islands see of a page, exec,
// XBitHack, and what `atoll lint` says about pages.
#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/site.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

const std::string kError = "[an error occurred while processing this directive]";

const std::string kCondition = "<!--#set var=\"name\" value=\"anna\" -->"
                               "<!--#if expr='$name = anna' -->yes<!--#else -->no<!--#endif -->";

} // namespace

TEST_CASE("every route has the dialect that it says") {
    Site site;
    site.config("ssi_dialect = \"nginx\"\n"
                "[[route]]\npath = \"/old/*\"\nssi_dialect = \"apache-legacy\"\n"
                "[[route]]\npath = \"/new/*\"\nssi_dialect = \"apache\"\n");
    const std::string page = kCondition + "|<!--#nope -->";
    site.document("page.shtml", page).document("old/page.shtml", page);
    site.document("new/page.shtml", page);
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body ==
          "yes|[an error occurred while processing the directive]");
    CHECK(fetch(server.port(), "/old/page.shtml").body == "yes|" + kError);
    CHECK(fetch(server.port(), "/new/page.shtml").body == kError + "|" + kError);
}

TEST_CASE("an island finds in its environment what the page has set, and nothing dangerous") {
    Site site;
    site.island("env.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                          "printf '%s|' \"$user\" \"$PATH\" \"$LD_PRELOAD\" \"$QUERY_STRING\" "
                          "\"$DOCUMENT_URI\" \"$DOCUMENT_NAME\"\n");
    site.document("shop/page.shtml", "<!--#set var=\"user\" value=\"ada &amp; co\" -->"
                                     "<!--#set var=\"PATH\" value=\"/evil\" -->"
                                     "<!--#set var=\"LD_PRELOAD\" value=\"/evil.so\" -->"
                                     "<!--#set var=\"QUERY_STRING\" value=\"mine\" -->"
                                     "<!--#include virtual=\"/cgi-bin/env.sh?its=own\" -->");
    Server server(site);
    const auto body = fetch(server.port(), "/shop/page.shtml?a=1").body;
    CHECK(body.starts_with("ada &amp; co|/"));
    CHECK_FALSE(holds(body, "evil"));
    CHECK(body.ends_with("||its=own|/shop/page.shtml|page.shtml|"));
}

TEST_CASE("commands run in the page's directory, with its variables, where the site lets them") {
    Site site;
    site.config("[[route]]\npath = \"/run/*\"\nssi_exec = true\n");
    const std::string page = "<!--#set var=\"who\" value=\"ada\" -->"
                             "<!--#exec cmd=\"pwd; echo $who $REQUEST_METHOD; ls\" -->|"
                             "<!--#exec cmd=\"printf 'no newline'\" -->|"
                             "<!--#exec cgi=\"/cgi-bin/query.sh\" -->|"
                             "<!--#exec cgi=\"page.html\" -->|"
                             "<!--#exec cmd=\"kill -9 $$\" -->";
    site.document("run/page.shtml", page).document("page.shtml", page);
    site.document("run/page.html", "no island");
    site.island("query.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s' "
                            "\"$QUERY_STRING\"\n");
    Server server(site);
    const auto body = fetch(server.port(), "/run/page.shtml?q=1").body;
    CHECK(body == (site.documents() / "run").string() +
                      "\nada GET\npage.html\npage.shtml\n|"
                      "no newline|q=1|" +
                      kError + "|" + kError);
    CHECK(server.awaitLog("exec cmd"));
    const auto refused = fetch(server.port(), "/page.shtml?q=1").body;
    CHECK(refused == kError + "|" + kError + "|" + kError + "|" + kError + "|" + kError);
}

TEST_CASE("exec in what an island prints runs nothing") {
    Site site;
    site.config("ssi_exec = true\n");
    site.island("guestbook.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n'\n"
                                "echo '<!--#exec cmd=\"echo OWNED\" -->'\n");
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/guestbook.sh\" -->");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/guestbook.sh").body == kError + "\n");
    CHECK(fetch(server.port(), "/page.shtml").body == kError + "\n");
}

TEST_CASE("the execute bits make a page of an HTML file where xbithack says so") {
    Site site;
    site.config("[[route]]\npath = \"/on/*\"\nxbithack = \"on\"\n"
                "[[route]]\npath = \"/full/*\"\nxbithack = \"full\"\n");
    const std::string page = "<!--#echo var=\"DOCUMENT_NAME\" -->";
    for (const std::string& place :
         {std::string("off/"), std::string("on/"), std::string("full/")}) {
        site.document(place + "plain.html", page, 0644);
        site.document(place + "owner.html", page, 0744);
        site.document(place + "group.html", page, 0754);
        site.document(place + "group.css", page, 0754);
    }
    Server server(site);
    const auto answer = [&](const std::string& path) { return fetch(server.port(), path); };
    CHECK(answer("/off/group.html").body == page);
    CHECK(answer("/on/plain.html").body == page);
    CHECK(answer("/on/group.css").body == page);
    CHECK(answer("/on/owner.html").body == "owner.html");
    CHECK_FALSE(answer("/on/group.html").has("Last-Modified"));
    CHECK(answer("/full/owner.html").body == "owner.html");
    CHECK_FALSE(answer("/full/owner.html").has("Last-Modified"));
    CHECK(answer("/full/group.html").body == "group.html");
    CHECK(answer("/full/group.html").has("Last-Modified"));
}

TEST_CASE("size, time and owner of files are told, and what may not be shown is not") {
    Site site;
    site.document("a/page.shtml",
                  "<!--#fsize file=\"big\" -->|<!--#config sizefmt=\"bytes\" -->"
                  "<!--#fsize virtual=\"/b.txt\" -->|<!--#fsize file=\".secret\" -->|"
                  "<!--#fsize virtual=\"/cgi-bin/x.sh\" -->|"
                  "<!--#config timefmt=\"%s\" --><!--#flastmod file=\"big\" -->|"
                  "<!--#echo var=\"USER_NAME\" -->");
    site.document("a/big", std::string(2500, 'x')).document("b.txt", std::string(1234, 'x'));
    site.document("a/.secret", "s").island("x.sh", "#!/bin/sh\n");
    run({"touch", "-d", "@1700000000", (site.documents() / "a/big").string()});
    const auto owner = shell("id -un").out;
    Server server(site);
    CHECK(fetch(server.port(), "/a/page.shtml").body == "2.4K|1,234|" + kError + "|" + kError +
                                                            "|1700000000|" +
                                                            owner.substr(0, owner.find('\n')));
}

TEST_CASE("what stands in for an island that fails comes in its place") {
    Site site;
    site.island("bad.sh", "#!/bin/sh\nexit 1\n").document("instead.html", "instead");
    site.document("page.shtml",
                  "<!--#include virtual=\"/cgi-bin/bad.sh\" onerror=\"/instead.html\" -->|"
                  "<!--#block name=\"b\" -->stub<!--#endblock -->"
                  "<!--#include virtual=\"/cgi-bin/bad.sh\" stub=\"b\" -->|"
                  "<!--#include virtual=\"/cgi-bin/bad.sh\" set=\"v\" -->"
                  "[<!--#echo var=\"v\" -->]");
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == "instead|stub|[]");
}

TEST_CASE("lint looks at a site, a directory, a page, or a page without a site") {
    Site site;
    site.config("ssi_dialect = \"nginx\"\n");
    site.document("good.shtml", kCondition);
    site.document("sub/bad.shtml", "<p>\n<!--#dance -->\n<!--#fsize file=\"lost\" -->");
    const auto all = runAtoll({"lint", site.directory()});
    CHECK(all.ending.code == 2);
    CHECK(holds(all.out, "sub/bad.shtml:2: dance: unknown directive\n"));
    CHECK(holds(all.out, "sub/bad.shtml:3: fsize file=\"lost\": there is no such file\n"));
    CHECK(holds(all.out, "sub/bad.shtml:3: advice: fsize: nginx has no such directive\n"));
    CHECK_FALSE(holds(all.out, "good.shtml"));
    CHECK(runAtoll({"lint", site.documents() / "sub"}).out == all.out);
    CHECK(runAtoll({"lint", site.documents() / "sub/bad.shtml"}).out == all.out);
    const auto good = runAtoll({"lint", site.documents() / "good.shtml"});
    CHECK(good.ending.code == 0);
    CHECK(holds(good.out, "nothing to be said"));

    writeFile(site.beside("alone.shtml"), kCondition);
    const auto alone = runAtoll({"lint", site.beside("alone.shtml")});
    CHECK(alone.ending.code == 2);
    CHECK(holds(alone.out, "alone.shtml:1: if expr=\"$name = anna\": $name is nothing here; "
                           "v('name') is the variable of the page\n"));

    const auto missing = runAtoll({"lint", site.beside("nowhere")});
    CHECK(missing.ending.code == 1);
    CHECK(holds(missing.err, "No such file"));
    const auto outside = runAtoll({"lint", site.directory() / "atoll.toml"});
    CHECK(outside.ending.code == 1);
    CHECK(holds(outside.err, "no part of its site's documents"));
}

TEST_CASE("what a stranger makes an island write opens nothing, and sets nobody's environment") {
    Site site;
    site.config("[[route]]\npath = \"/private/*\"\ndeny = [\"0.0.0.0/0\"]\n"
                "[[route]]\npath = \"/inner/*\"\ninternal = true\n");
    site.document("private/secret.html", "SECRET").document("inner/x.html", "INNER");
    site.island("echo.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n'\ncat\n");
    site.island("redir.sh", "#!/bin/sh\nprintf 'Location: %s\\n\\n' \"$QUERY_STRING\"\n");
    site.island("env.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s|%s|%s' "
                          "\"$http_proxy\" \"$OPENSSL_CONF\" \"$mine\"\n");
    const std::string sets = "<!--#set var=\"http_proxy\" value=\"http://x/\" -->"
                             "<!--#set var=\"OPENSSL_CONF\" value=\"/x\" -->"
                             "<!--#set var=\"mine\" value=\"m\" -->";
    site.document("page.shtml", sets + "<!--#include virtual=\"/cgi-bin/env.sh\" -->");
    Server server(site);
    HttpClient client(server.port());
    const auto written = [&](const std::string& text) {
        return client.post("/cgi-bin/echo.sh", text, "text/plain").body;
    };
    for (const auto* const target : {"/private/secret.html", "/inner/x.html"}) {
        const std::string redirected = std::string("/cgi-bin/redir.sh?") + target;
        const std::string direct = "<!--#include virtual=\"" + std::string(target) + "\" -->";
        CHECK(written(direct) == kError);
        CHECK(written("<!--#include virtual=\"" + redirected + "\" -->") == kError);
        CHECK(written("<!--#fsize virtual=\"" + std::string(target) + "\" -->") == kError);
        CHECK(written("<!--#if expr=\"-A '" + std::string(target) + "'\" -->y<!--#endif -->")
                  .empty());
    }
    CHECK(written(sets + "<!--#include virtual=\"/cgi-bin/env.sh\" -->") == "||");
    CHECK(client.get("/page.shtml").body == "||m");
    CHECK(client
              .send("POST", "/cgi-bin/echo.sh", {{"Cookie", "atoll_session=zzz; a=b"}},
                    "<!--#echo var=\"HTTP_COOKIE\" -->")
              .body == "a=b");
}

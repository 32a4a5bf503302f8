#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

const std::string kError = "[an error occurred while processing this directive]";

std::string around(const std::string& directive) {
    return "<p>before</p>" + directive + "<p>after</p>";
}

std::string include(const std::string& target) {
    return "<!--#include virtual=\"" + target + "\" -->";
}

} // namespace

TEST_CASE("a failing island leaves the error text in its place, and the page goes on") {
    struct Case {
        const char* name;
        const char* script;
        unsigned mode;
    };
    const Case cases[] = {
        {"empty.sh", "#!/bin/sh\n", 0755},
        {"text.sh", "#!/bin/sh\necho no head\n", 0755},
        {"crash.sh", "#!/bin/sh\nkill -SEGV $$\n", 0755},
        {"error.sh", "#!/bin/sh\nprintf 'Status: 500\\nContent-Type: text/html\\n\\nSECRET'\n",
         0755},
        {"notfound.sh", "#!/bin/sh\nprintf 'Status: 404\\nContent-Type: text/html\\n\\nSECRET'\n",
         0755},
        {"moved.sh", "#!/bin/sh\nprintf 'Location: http://a.example/\\n\\n'\n", 0755},
        {"closed.sh", "#!/bin/sh\n# SECRET\n", 0644},
        {"open.sh", "#!/bin/sh\n# SECRET\n", 0777},
        {"interpreter.sh", "#!/no/such/thing\n# SECRET\n", 0755},
        {"hangs.sh", "#!/bin/sh\nsleep 100\n", 0755},
    };
    Site site;
    site.config("island_timeout = \"700ms\"\n");
    for (const Case& c : cases) {
        site.island(c.name, c.script, c.mode);
        site.document(std::string(c.name) + ".shtml",
                      around(include(std::string("/cgi-bin/") + c.name)));
    }
    site.document("missing.shtml", around(include("/missing.html")));
    site.document("none.shtml", around(include("/cgi-bin/none.sh")));
    site.document("directory.shtml", around(include("/cgi-bin/")));
    Server server(site);
    RawClient client(server.port());
    const auto check = [&](const std::string& page) {
        INFO(page);
        client.get("/" + page);
        const auto answer = client.response();
        CHECK(answer.status == 200);
        CHECK(answer.complete);
        CHECK(answer.body == around(kError));
        CHECK(server.awaitLog("[/" + page + "] line 1: "));
    };
    for (const Case& c : cases)
        check(std::string(c.name) + ".shtml");
    for (const char* page : {"missing.shtml", "none.shtml", "directory.shtml"})
        check(page);
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("the page says what stands in the place of a failed island") {
    Site site;
    site.document("page.shtml", "<!--#config errmsg=\"<i>away</i>\" -->" +
                                    around(include("/none")) + "<!--#config errmsg=\"\" -->" +
                                    around(include("/none")));
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == around("<i>away</i>") + around(""));
}

TEST_CASE("an island that breaks off keeps what it has said only if that has left already") {
    Site site;
    Mailbox go(site.beside("go"));
    site.island("breaks.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\nsome'\nread w < " +
                                 go.path() + "\nkill -SEGV $$\n");
    site.document("page.shtml", around(include("/cgi-bin/breaks.sh")));
    Server server(site);
    RawClient client(server.port());
    client.get("/page.shtml");
    client.readUntil("some");
    go.put("go");
    client.readUntil(kError);
    client.readUntil("<p>after</p>");
    client.readUntil("0\r\n\r\n");
}

TEST_CASE("a failing island does not hold up its neighbours") {
    Site site;
    site.config("island_timeout = \"2s\"\n");
    site.island("hangs.sh", "#!/bin/sh\nsleep 100\n");
    site.island("fine.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\nfine'\n");
    site.document("page.shtml", include("/cgi-bin/fine.sh") + "|" + include("/cgi-bin/hangs.sh") +
                                    "|" + include("/cgi-bin/fine.sh?2"));
    Server server(site);
    RawClient client(server.port());
    client.get("/page.shtml");
    const Stopwatch watch;
    client.readUntil("fine");
    CHECK(watch.elapsed() < 2s); // before the other has timed out
    client.readUntil(kError + "|fine");
}

TEST_CASE("the error page of a missing document, included or not, ends") {
    Site site;
    site.document("404.shtml", "<!--#include virtual=\"/missing\" -->");
    Server server(site);
    CHECK(fetch(server.port(), "/missing").status == 404);
    CHECK(fetch(server.port(), "/404.shtml").body == kError);
}

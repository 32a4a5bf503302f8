#include "harness/curl.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;
namespace fs = std::filesystem;

namespace {

const std::string kError = "[an error occurred while processing this directive]";

std::string include(const std::string& target) {
    return "<!--#include virtual=\"" + target + "\" -->";
}

/// An island in Python that codes what it says: `said` is an expression of bytes, in which `gzip`,
/// `zlib_` and `raw` are functions. With `length` it announces how much that is, so that nothing
/// leaves before all is there.
std::string saying(const std::string& coding, const std::string& said,
                   const std::string& type = "text/html", bool length = false) {
    return "#!/usr/bin/python3\nimport gzip as g, zlib, sys\n"
           "gzip = lambda b: g.compress(b)\nzlib_ = zlib.compress\n"
           "def raw(b):\n    c = zlib.compressobj(6, zlib.DEFLATED, -15)\n"
           "    return c.compress(b) + c.flush()\n"
           "said = " +
           said + "\nhead = 'Content-Type: " + type + "\\nContent-Encoding: " + coding + "\\n'\n" +
           (length ? "head += 'Content-Length: %d\\n' % len(said)\n" : "") +
           "sys.stdout.buffer.write(head.encode() + b'\\n' + said)\n";
}

} // namespace

TEST_CASE(
    "a page that an island writes compressed is composed, and goes out as the client likes it") {
    Site site;
    site.island("part.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\n\\n<b>part</b>'\n");
    site.island("page.pl", "#!/usr/bin/perl\nuse Compress::Zlib;\n"
                           "my $page = '<p>' . 'coral ' x 300 . '</p>" +
                               include("/cgi-bin/part.sh") +
                               "<p>end</p>';\n"
                               "print \"Content-Type: text/html; charset=utf-8\\nContent-Encoding: "
                               "gzip\\n\\n\", Compress::Zlib::memGzip($page);\n");
    Server server(site);
    const auto plain = fetch(server.port(), "/cgi-bin/page.pl");
    CHECK(plain.status == 200);
    CHECK_FALSE(plain.has("Content-Encoding"));
    CHECK(plain.body.ends_with("</p><b>part</b><p>end</p>"));
    const auto small = fetch(server.port(), "/cgi-bin/page.pl", "Accept-Encoding: gzip\r\n");
    CHECK(small.field("Content-Encoding") == "gzip");
    CHECK(small.body.size() < plain.body.size() / 2);
    CHECK(curl(server, "--compressed", "/cgi-bin/page.pl") == plain.body);
    RawClient client(server.port());
    client.request("HEAD /cgi-bin/page.pl HTTP/1.1");
    CHECK_FALSE(client.response(true).has("Content-Encoding"));
}

TEST_CASE("compressed answers of islands are parts of a page like others") {
    Site site;
    site.config("sendfile_roots = [\"files\"]\n");
    fs::create_directory(site.directory() / "files");
    REQUIRE(shell("printf '<i>file</i>' | gzip > " + site.directory().string() + "/files/f.html.gz")
                .clean());
    site.island("in-gzip.py", saying("gzip", "gzip(b'<i>gz') + gzip(b'ip</i>')"));
    site.island("in-zlib.py", saying("deflate", "zlib_(b'<i>zlib</i>')", "text/plain"));
    site.island("in-raw.py", saying("Deflate", "raw(b'<i>raw</i>')"));
    site.island("inner.py",
                saying("x-gzip", "gzip(b'<i>inner " + include("/cgi-bin/in-zlib.py") + "</i>')"));
    site.island("sent.sh", "#!/bin/sh\nprintf 'Content-Type: text/html\\nContent-Encoding: gzip\\n"
                           "X-Sendfile: " +
                               (site.directory() / "files/f.html.gz").string() + "\\n\\n'\n");
    site.island("leads.sh", "#!/bin/sh\nprintf 'Location: /cgi-bin/in-gzip.py\\n\\n'\n");
    std::string page;
    for (const char* name :
         {"in-gzip.py", "in-zlib.py", "in-raw.py", "inner.py", "sent.sh", "leads.sh"})
        page += include(std::string("/cgi-bin/") + name) + "\n";
    site.document("page.shtml", page);
    Server server(site);
    const auto composed = fetch(server.port(), "/page.shtml");
    INFO(server.log());
    CHECK(composed.body ==
          "<i>gzip</i>\n<i>zlib</i>\n<i>raw</i>\n<i>inner <i>zlib</i></i>\n<i>file</i>\n"
          "<i>gzip</i>\n");
}

TEST_CASE("what is not composed passes as it is") {
    Site site;
    site.config("[[route]]\npath = \"/cgi-bin/off.py\"\nssi = false\n");
    const auto directive = include("/none");
    site.island("style.py", saying("gzip", "gzip(b'" + directive + "')", "text/css"));
    site.island("off.py", saying("gzip", "gzip(b'" + directive + "')"));
    site.island("br.py", saying("br", "b'" + directive + "'"));
    site.document("page.shtml", "before " + include("/cgi-bin/br.py") + " after");
    Server server(site);
    for (const char* target : {"/cgi-bin/style.py", "/cgi-bin/off.py"}) {
        INFO(target);
        CHECK(fetch(server.port(), target).field("Content-Encoding") == "gzip");
        CHECK(curl(server, "--compressed", target) == directive);
    }
    const auto page = fetch(server.port(), "/cgi-bin/br.py");
    CHECK(page.field("Content-Encoding") == "br");
    CHECK(page.body == directive);
    CHECK(server.awaitLog("its content (br) cannot be decoded here: only gzip, deflate or zstd "
                          "alone can; it goes to the client as it is"));
    CHECK(fetch(server.port(), "/page.shtml").body == "before " + kError + " after");
    CHECK(server.awaitLog("include of /cgi-bin/br.py failed with status 502: its content (br) "
                          "cannot be decoded here"));
}

TEST_CASE("compressed content that is cut or corrupt is a failure, of the part or of the page") {
    Site site;
    const std::string large = "b'<p>' + bytes(i * 7919 % 251 for i in range(300000))";
    const std::string cut = "gzip(b'<i>a part that is cut</i>')[:-4]";
    site.island("cut.py", saying("gzip", cut, "text/html", true));
    site.island("flows.py", saying("gzip", cut));
    site.island("plain.py", saying("gzip", "b'<i>not compressed at all</i>'"));
    site.island("large.py", saying("gzip", "gzip(" + large + ")[:-4]"));
    site.island("more.py", saying("gzip", "gzip(b'<i>whole</i>') + b'\\n'"));
    site.document("page.shtml", include("/cgi-bin/cut.py") + "," + include("/cgi-bin/plain.py") +
                                    "," + include("/cgi-bin/more.py") + "," +
                                    include("/cgi-bin/flows.py"));
    site.document("kept.shtml", "<!--#block name=\"stub\" -->stub<!--#endblock --><!--#include "
                                "virtual=\"/cgi-bin/cut.py\" stub=\"stub\" -->");
    Server server(site);
    const auto page = fetch(server.port(), "/page.shtml");
    CHECK(page.complete);
    CHECK(page.body.starts_with(kError + "," + kError + ",<i>whole</i>,"));
    CHECK(page.body.ends_with(kError)); // behind what had gone out already
    CHECK(fetch(server.port(), "/kept.shtml").body == "stub");
    CHECK(server.awaitLog("its content (gzip) is cut short"));
    CHECK(server.awaitLog("its content (gzip) is none of that coding"));
    CHECK(server.awaitLog("its content (gzip) has more behind its end, which is left out"));
    CHECK(fetch(server.port(), "/cgi-bin/cut.py").status == 502);
    CHECK(fetch(server.port(), "/cgi-bin/plain.py").status == 502);
    CHECK_FALSE(fetch(server.port(), "/cgi-bin/flows.py").complete);
    const auto begun = fetch(server.port(), "/cgi-bin/large.py");
    CHECK((begun.status == 502 || !begun.complete));
    const auto status = runAtoll({"status", site.directory()}).out;
    INFO(status);
    CHECK(holds(status, "/cgi-bin/cut.py  3 runs, 3 failed"));
    CHECK(holds(status, "/cgi-bin/more.py  1 runs, 0 failed"));
}

TEST_CASE("a bomb fails alone, and the page goes on") {
    Site site;
    site.island("bomb.py", saying("gzip", "gzip(bytes(200_000_000))"));
    site.document("page.shtml", "before " + include("/cgi-bin/bomb.py") + " after");
    Server server(site);
    const auto before = residentBytes(server.serverPid());
    const auto page = fetch(server.port(), "/page.shtml");
    CHECK(page.complete);
    CHECK(page.body.starts_with("before "));
    CHECK(page.body.ends_with(kError + " after"));
    CHECK(page.body.size() < 20'000'000);
    CHECK(server.awaitLog("is taken for a bomb"));
    CHECK(residentBytes(server.serverPid()) < before + 16'000'000U * kSlack);
    CHECK_FALSE(fetch(server.port(), "/cgi-bin/bomb.py").complete);
    CHECK(fetch(server.port(), "/cgi-bin/none").status == 404);
}

TEST_CASE("what an island has flushed comes out at once, though it is compressed") {
    Site site;
    Mailbox go(site.beside("go"));
    site.island("flows.py", "#!/usr/bin/python3\nimport sys, zlib\n"
                            "out = sys.stdout.buffer\n"
                            "out.write(b'Content-Type: text/html\\nContent-Encoding: gzip\\n\\n')\n"
                            "c = zlib.compressobj(6, zlib.DEFLATED, 31)\n"
                            "out.write(c.compress(b'first,') + c.flush(zlib.Z_SYNC_FLUSH))\n"
                            "out.flush()\nopen('" +
                                go.path() +
                                "').readline()\n"
                                "out.write(c.compress(b'last') + c.flush())\n");
    site.document("page.shtml", "page:" + include("/cgi-bin/flows.py"));
    Server server(site);
    for (const char* target : {"/cgi-bin/flows.py", "/page.shtml"}) {
        INFO(target);
        RawClient client(server.port());
        client.get(target);
        client.readUntil("first,");
        go.put("go");
        client.readUntil("last");
        client.readUntil("0\r\n\r\n");
    }
}

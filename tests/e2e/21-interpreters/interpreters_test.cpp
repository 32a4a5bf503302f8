#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

using namespace reef::e2e;
namespace fs = std::filesystem;

namespace {

/// For `.sx` files: `/bin/sh FILE`. What it prints shows that it was run, and by whom.
constexpr const char* kScript = "# SOURCE\nprintf 'Content-Type: text/plain\\n\\n'\n"
                                "echo \"ran $SCRIPT_NAME|$PATH_INFO|$PATH_TRANSLATED|$0\"\n";
constexpr const char* kConfig = "interpreters = { \".sx\" = \"/bin/sh\" }\n";

} // namespace

TEST_CASE("documents of an extension are run by its interpreter, with PATH_INFO") {
    Site site;
    site.config(std::string(kConfig) + "index = [\"index.sx\", \"index.html\"]\n"
                                       "[[route]]\npath = \"/far/*\"\nalias = \"elsewhere\"\n"
                                       "[[route]]\npath = \"/app/*\"\n"
                                       "try = [\"$path\", \"/front.sx$path\"]\n");
    fs::create_directory(site.directory() / "elsewhere");
    writeFile(site.directory() / "elsewhere" / "b.sx", kScript);
    site.document("a.sx", kScript).document("dir/index.sx", kScript).document("UP.SX", kScript);
    site.document("front.sx", kScript).document("app/real.txt", "a file\n");
    site.document("app/own.sx", kScript).document("plain.txt", "plain\n");
    site.document("dir.sx/inner.txt", "inner\n");
    site.island("in.sx", kScript, 0644).island("sub/in.sx", kScript, 0644);
    Server server(site);
    const std::string www = site.documents();
    const std::string far = site.directory() / "elsewhere";
    const std::string islands = site.islands();
    struct Case {
        const char* target;
        std::string body;
    };
    const Case cases[] = {
        {"/a.sx", "ran /a.sx|||" + www + "/a.sx\n"},
        {"/a.sx?x=1", "ran /a.sx|||" + www + "/a.sx\n"},
        {"/a.sx/", "ran /a.sx|/|" + www + "/|" + www + "/a.sx\n"},
        {"/a.sx/b/c%20d", "ran /a.sx|/b/c d|" + www + "/b/c d|" + www + "/a.sx\n"},
        {"/a.sx/far/x", "ran /a.sx|/far/x|" + far + "/x|" + www + "/a.sx\n"},
        {"/UP.SX/b", "ran /UP.SX|/b|" + www + "/b|" + www + "/UP.SX\n"},
        {"/dir/", "ran /dir/index.sx|||" + www + "/dir/index.sx\n"},
        {"/far/b.sx/c", "ran /far/b.sx|/c|" + www + "/c|" + far + "/b.sx\n"},
        {"/app/real.txt", "a file\n"},
        {"/app/own.sx", "ran /app/own.sx|||" + www + "/app/own.sx\n"},
        {"/app/none/x", "ran /front.sx|/app/none/x|" + www + "/app/none/x|" + www + "/front.sx\n"},
        {"/dir.sx/inner.txt", "inner\n"},
        {"/cgi-bin/in.sx/b", "ran /cgi-bin/in.sx|/b|" + www + "/b|" + islands + "/in.sx\n"},
        {"/cgi-bin/sub/in.sx", "ran /cgi-bin/sub/in.sx|||" + islands + "/sub/in.sx\n"},
    };
    for (const Case& c : cases) {
        INFO(c.target);
        const auto answer = fetch(server.port(), c.target);
        CHECK(answer.status == 200);
        CHECK(answer.body == c.body);
    }
    for (const char* target : {"/none.sx", "/none.sx/a", "/plain.txt/a.sx", "/dir.sx/none.sx"}) {
        INFO(target);
        CHECK(fetch(server.port(), target).status == 404);
    }
    RawClient client(server.port());
    client.request("POST /a.sx/b HTTP/1.1", "Content-Length: 3\r\n", "abc");
    CHECK(holds(client.response().body, "ran /a.sx|/b|"));
}

TEST_CASE("the source of a script is shown by no way that leads to it") {
    Site site;
    site.config(std::string(kConfig) +
                "listing = true\nindex = [\"index.sx\"]\nsendfile_roots = [\"elsewhere\"]\n"
                "[[route]]\npath = \"/off/*\"\ninterpreters = {}\n"
                "[[route]]\npath = \"/far/*\"\nalias = \"elsewhere\"\ninterpreters = {}\n"
                "[[route]]\npath = \"/try/*\"\ntry = [\"/off/a.sx\"]\n"
                "[[route]]\npath = \"/rewritten\"\nrewrite = \"/off/a.sx\"\n"
                "[errors]\n418 = \"/off/a.sx\"\n");
    const std::string source = "# SOURCE\nprintf 'Content-Type: text/plain\\n\\nRAN-IT'\n";
    fs::create_directory(site.directory() / "elsewhere");
    writeFile(site.directory() / "elsewhere" / "a.sx", source);
    for (const char* name : {"a.sx", "A2.SX", "a3.sx.", "a.sx.gz", "off/a.sx", "off/b.sx.",
                             "c.sx.zst", "sub/index.sx", "off/index.sx"})
        site.document(name, source);
    site.document("world.sx", source, 0646).document("group.sx", source, 0664);
    fs::create_directory(site.documents() / "uploads");
    writeFile(site.documents() / "uploads" / "a.sx", source);
    ::chmod((site.documents() / "uploads").c_str(), 0777);
    site.document("page.shtml", "<!--#include file=\"a.sx\"--><!--#include file=\"off/a.sx\"-->"
                                "<!--#include virtual=\"/off/a.sx\"-->");
    const auto sending = [&](const std::string& file) {
        return "#!/bin/sh\nprintf 'Content-Type: text/plain\\nX-Sendfile: " + file + "\\n\\n'\n";
    };
    site.island("send.sh", sending(site.documents() / "a.sx"));
    site.island("send-far.sh", sending(site.directory() / "elsewhere" / "a.sx"));
    site.island("send-gz.sh", sending(site.documents() / "a.sx.gz"));
    site.island("inner.sh", "#!/bin/sh\nprintf 'X-Accel-Redirect: /off/a.sx\\n\\n'\n");
    site.island("local.sh", "#!/bin/sh\nprintf 'Location: /off/a.sx\\n\\n'\n");
    site.island("error.sh", "#!/bin/sh\nprintf 'Status: 418\\nContent-Type: a/b\\n\\n'\n");
    site.island("in.sx", source, 0646);
    Server server(site);
    const char* const targets[] = {
        "/a3.sx.",
        "/a.sx.gz",
        "/c.sx.zst",
        "/off/a.sx",
        "/off/a.sx/",
        "/off/a.sx/x",
        "/off/b.sx.",
        "/off/",
        "/far/a.sx",

        "/rewritten",
        "/world.sx",
        "/group.sx",
        "/uploads/a.sx",
        "/page.shtml",
        "/cgi-bin/send.sh",
        "/cgi-bin/send-far.sh",
        "/cgi-bin/send-gz.sh",
        "/cgi-bin/inner.sh",
        "/cgi-bin/local.sh",
        "/cgi-bin/error.sh",
        "/cgi-bin/in.sx",
        "/a.sx.",
        "/A.sx",
        "/%61.sx%2e",
        "/a.sx%20",
        "/a.sx%00",
        "/a.sx::$DATA",
    };
    for (const char* target : targets) {
        for (const char* fields :
             {"", "Range: bytes=0-100\r\n", "Accept-Encoding: gzip, zstd, br\r\n"}) {
            INFO(target << ' ' << fields);
            const auto answer = fetch(server.port(), target, fields);
            CHECK_FALSE(answer.contains("SOURCE"));
            CHECK_FALSE(answer.contains("RAN-IT"));
            CHECK((answer.status >= 400 || std::string(target) == "/page.shtml"));
        }
    }
    for (const char* target :
         {"/a.sx", "/A2.SX", "/sub/", "/a.sx/a.sx", "//a.sx", "/x/../a.sx", "/try/x"}) {
        INFO(target);
        const auto answer = fetch(server.port(), target);
        CHECK(answer.status == 200);
        CHECK(answer.body == "RAN-IT");
    }
    CHECK(server.awaitLog("chmod go-w"));
    CHECK(server.awaitLog("no interpreter is set here"));
}

TEST_CASE("a page includes what a script makes, not what it is") {
    Site site;
    site.config(kConfig);
    site.document("page.shtml", "<p><!--#include virtual=\"/a.sx/b\"--></p>\n");
    site.document("a.sx", "# SOURCE\nprintf 'Content-Type: text/plain\\n\\nran %s' $PATH_INFO\n");
    Server server(site);
    CHECK(fetch(server.port(), "/page.shtml").body == "<p>ran /b</p>\n");
}

TEST_CASE("an interpreter that went away is a failure that the log explains") {
    Site site;
    const auto interpreter = site.beside("interpreter");
    writeFile(interpreter, "#!/bin/sh\nexec /bin/sh \"$@\"\n", 0755);
    site.config("interpreters = { \".sx\" = \"" + interpreter.string() + "\" }\n");
    site.document("a.sx", "# SOURCE\nprintf 'Content-Type: text/plain\\n\\nran'\n");
    Server server(site);
    CHECK(fetch(server.port(), "/a.sx").body == "ran");
    fs::remove(interpreter);
    const auto answer = fetch(server.port(), "/a.sx");
    CHECK(answer.status == 500);
    CHECK_FALSE(answer.contains("interpreter"));
    CHECK(server.awaitLog("its interpreter " + interpreter.string()));
}

TEST_CASE("words of a query are no arguments for an interpreter") {
    Site site;
    site.config(std::string(kConfig) + "query_arguments = true\n");
    site.document("a.sx", "printf 'Content-Type: text/plain\\n\\n%s' $#\n");
    Server server(site);
    CHECK(fetch(server.port(), "/a.sx?-c+id").body == "0");
}

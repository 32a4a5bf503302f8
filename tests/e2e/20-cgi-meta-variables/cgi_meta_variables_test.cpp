#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <sstream>

using namespace reef::e2e;

namespace {

using Variables = std::map<std::string, std::string>;

constexpr const char* kEnvironment =
    "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\nexec env -0\n";

Variables variablesIn(const Response& answer) {
    Variables variables;
    std::istringstream stream(answer.body);
    for (std::string line; std::getline(stream, line, '\0');) {
        const auto mark = line.find('=');
        variables[line.substr(0, mark)] = line.substr(mark + 1);
    }
    return variables;
}

/// The environment an island sees for this request.
Variables environmentFor(const Server& server, const std::string& target,
                         const std::string& fields = {}) {
    return variablesIn(fetch(server.port(), target, fields));
}

std::string valueOr(const Variables& variables, const std::string& name,
                    const std::string& otherwise = "(unset)") {
    const auto found = variables.find(name);
    return found == variables.end() ? otherwise : found->second;
}

} // namespace

TEST_CASE("an island is told everything about the request that RFC 3875 names") {
    Site site;
    site.island("env.sh", kEnvironment);
    Server server(site);
    const auto seen = environmentFor(server, "/cgi-bin/env.sh/a%20b/c?x=1&y=%20+",
                                     "Accept: text/html\r\nUser-Agent: test/1\r\n");
    const std::string www = site.documents();
    const std::pair<const char*, std::string> expected[] = {
        {"GATEWAY_INTERFACE", "CGI/1.1"},
        {"SERVER_PROTOCOL", "HTTP/1.1"},
        {"SERVER_NAME", "localhost"},
        {"SERVER_PORT", std::to_string(server.port())},
        {"SERVER_ADDR", "127.0.0.1"},
        {"REMOTE_ADDR", "127.0.0.1"},
        {"REMOTE_HOST", "127.0.0.1"},
        {"REQUEST_METHOD", "GET"},
        {"REQUEST_SCHEME", "http"},
        {"REQUEST_URI", "/cgi-bin/env.sh/a%20b/c?x=1&y=%20+"},
        {"SCRIPT_NAME", "/cgi-bin/env.sh"},
        {"SCRIPT_FILENAME", site.islands() / "env.sh"},
        {"PATH_INFO", "/a b/c"},
        {"PATH_TRANSLATED", www + "/a b/c"},
        {"QUERY_STRING", "x=1&y=%20+"},
        {"DOCUMENT_ROOT", www},
        {"HTTP_HOST", "localhost"},
        {"HTTP_ACCEPT", "text/html"},
        {"HTTP_USER_AGENT", "test/1"},
    };
    for (const auto& [name, value] : expected) {
        INFO(name);
        CHECK(valueOr(seen, name) == value);
    }
    CHECK(valueOr(seen, "SERVER_SOFTWARE").starts_with("Atoll"));
    CHECK(std::stoi(valueOr(seen, "REMOTE_PORT", "0")) > 0);
    CHECK_FALSE(seen.contains("CONTENT_LENGTH"));
    CHECK_FALSE(seen.contains("CONTENT_TYPE"));
    CHECK_FALSE(seen.contains("HTTPS"));
}

TEST_CASE("path and query arrive as the client meant them") {
    struct Case {
        const char* target;
        const char* scriptName;
        const char* pathInfo;
        const char* query;
    };
    const Case cases[] = {
        {"/cgi-bin/env.sh", "/cgi-bin/env.sh", "", ""},
        {"/cgi-bin/env.sh?", "/cgi-bin/env.sh", "", ""},
        {"/cgi-bin/env.sh/", "/cgi-bin/env.sh", "/", ""},
        {"/cgi-bin/env.sh/a/b", "/cgi-bin/env.sh", "/a/b", ""},
        {"/cgi-bin/env.sh/a/../b", "/cgi-bin/env.sh", "/b", ""},
        {"/cgi-bin/env.sh?a/b", "/cgi-bin/env.sh", "", "a/b"},
        {"/cgi-bin/env.sh?a=%2F&b=%00", "/cgi-bin/env.sh", "", "a=%2F&b=%00"},
        {"/cgi-bin/env.sh/%C3%A9?%C3%A9", "/cgi-bin/env.sh", "/\xc3\xa9", "%C3%A9"},
        {"/cgi-bin/sub/env.sh/x", "/cgi-bin/sub/env.sh", "/x", ""},
        {"/cgi-bin/%65nv.sh/x%3Fy", "/cgi-bin/env.sh", "/x?y", ""},
        {"/x/../cgi-bin/env.sh", "/cgi-bin/env.sh", "", ""},
    };
    Site site;
    site.island("env.sh", kEnvironment).island("sub/env.sh", kEnvironment);
    Server server(site);
    for (const Case& c : cases) {
        INFO(c.target);
        const auto seen = environmentFor(server, c.target);
        CHECK(valueOr(seen, "SCRIPT_NAME") == c.scriptName);
        CHECK(valueOr(seen, "PATH_INFO", "") == c.pathInfo);
        CHECK(valueOr(seen, "QUERY_STRING") == c.query);
        CHECK(valueOr(seen, "REQUEST_URI") == c.target);
    }
}

TEST_CASE("variables stay true under routes that alias, rewrite, and hold islands elsewhere") {
    struct Case {
        const char* target;
        const char* scriptName;
        const char* pathInfo;
        std::string translated; ///< below the site's directory
        const char* query;
    };
    const Case cases[] = {
        {"/cgi-bin/env.sh/docs/a", "/cgi-bin/env.sh", "/docs/a", "/elsewhere/a", ""},
        {"/cgi-bin/env.sh/kept/a", "/cgi-bin/env.sh", "/kept/a", "/elsewhere/kept/a", ""},
        {"/cgi-bin/env.sh/docs", "/cgi-bin/env.sh", "/docs", "/www/docs", ""},
        {"/cgi-bin/env.sh/cgi-bin/x", "/cgi-bin/env.sh", "/cgi-bin/x", "/cgi-bin/x", ""},
        {"/cgi-bin/env.sh/tools/x", "/cgi-bin/env.sh", "/tools/x", "/tools/x", ""},
        {"/tools/sub/tool.sh/a%20b?c", "/tools/sub/tool.sh", "/a b", "/www/a b", "c"},
        {"/user/7?x=1", "/cgi-bin/env.sh", "/7", "/www/7", "x=1"},
        {"/user/a%3Fb", "/cgi-bin/env.sh", "/a?b", "/www/a?b", ""},
        {"/item/9?x=1", "/cgi-bin/env.sh", "", "", "id=9"},
        {"/first/none", "/cgi-bin/env.sh", "/first/none", "/www/first/none", ""},
    };
    Site site;
    site.config("[[route]]\npath = \"/docs/*\"\nalias = \"elsewhere\"\n"
                "[[route]]\npath = \"/kept/*\"\nroot = \"elsewhere\"\n"
                "[[route]]\npath = \"/tools/*\"\nislands = \"tools\"\n"
                "[[route]]\npath = \"/user/*\"\nrewrite = \"/cgi-bin/env.sh/$1\"\n"
                "[[route]]\npath = \"/item/*\"\nrewrite = \"/cgi-bin/env.sh?id=$1\"\n"
                "[[route]]\npath = \"/first/*\"\ntry = [\"$path\", \"/cgi-bin/env.sh$path\"]\n");
    std::filesystem::create_directory(site.directory() / "elsewhere");
    std::filesystem::create_directories(site.directory() / "tools" / "sub");
    writeFile(site.directory() / "tools" / "sub" / "tool.sh", kEnvironment, 0755);
    site.island("env.sh", kEnvironment);
    Server server(site);
    for (const Case& c : cases) {
        INFO(c.target);
        const auto seen = environmentFor(server, c.target);
        CHECK(valueOr(seen, "SCRIPT_NAME") == c.scriptName);
        CHECK(valueOr(seen, "PATH_INFO", "") == c.pathInfo);
        CHECK(valueOr(seen, "PATH_TRANSLATED", "") ==
              (c.translated.empty() ? "" : site.directory().string() + c.translated));
        CHECK(valueOr(seen, "QUERY_STRING") == c.query);
        CHECK(valueOr(seen, "REQUEST_URI") == c.target); // what the client asked for
        CHECK(valueOr(seen, "DOCUMENT_ROOT") == site.documents());
    }
}

TEST_CASE("a path that cannot be told to an island is refused before it runs") {
    Site site;
    Mailbox ran(site.beside("ran"));
    site.island("env.sh", "#!/bin/sh\necho ran > " + ran.path() +
                              "\nprintf 'Content-Type: text/plain\\n\\nx'\n");
    Server server(site);
    struct Case {
        const char* target;
        int status;
    };
    for (const Case& c : {Case{"/cgi-bin/env.sh/a%00b", 400}, Case{"/cgi-bin/env.sh/a%0Ab", 400},
                          Case{"/cgi-bin/env.sh/a%2Fb", 404}, Case{"/cgi-bin/env.sh/a%2", 400},
                          Case{"/cgi-bin/env.sh/%zz", 400}, Case{"/cgi-bin%2Fenv.sh", 404},
                          Case{"/cgi-bin/../../env.sh", 400}}) {
        INFO(c.target);
        CHECK(fetch(server.port(), c.target).status == c.status);
    }
    CHECK(ran.empty());
}

TEST_CASE("the words of a query become arguments where that is asked for, and nowhere else") {
    Site site;
    site.config("[[route]]\npath = \"/cgi-bin/words.sh\"\nquery_arguments = true\n");
    const char* const script = "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                               "echo $#; for w; do echo \"<$w>\"; done\n";
    site.island("words.sh", script).island("plain.sh", script);
    Server server(site);
    const auto answer = [&](const char* target) { return fetch(server.port(), target).body; };
    CHECK(answer("/cgi-bin/words.sh?a+b%20c+%2d%24x") == "3\n<a>\n<b c>\n<-$x>\n");
    CHECK(answer("/cgi-bin/words.sh?a=b+c") == "0\n");
    CHECK(answer("/cgi-bin/words.sh?a+%00") == "0\n");
    CHECK(answer("/cgi-bin/words.sh") == "0\n");
    CHECK(answer("/cgi-bin/plain.sh?a+b") == "0\n");
    RawClient client(server.port());
    client.request("POST /cgi-bin/words.sh?a+b HTTP/1.1", "Content-Length: 0\r\n");
    CHECK(client.response().body == "0\n");
}

TEST_CASE(
    "an island sees a password where that is asked for, and who has shown one to the server") {
    Site site;
    const auto hash = run({atollBinary(), "hash"}, "secret\n").out;
    site.config("[[route]]\npath = \"/cgi-bin/own.sh\"\npass_authorization = true\n"
                "[[route]]\npath = \"/cgi-bin/guarded.sh\"\nauth = { users = { anna = \"" +
                hash.substr(0, hash.find('\n')) + "\" } }\n");
    for (const char* name : {"own.sh", "guarded.sh", "other.sh"})
        site.island(name, kEnvironment);
    Server server(site);
    const std::string shown = "Authorization: Basic YW5uYTpzZWNyZXQ=\r\n";
    const auto own = environmentFor(server, "/cgi-bin/own.sh", shown);
    CHECK(valueOr(own, "HTTP_AUTHORIZATION") == "Basic YW5uYTpzZWNyZXQ=");
    CHECK_FALSE(own.contains("REMOTE_USER")); // nobody has looked at it
    CHECK_FALSE(own.contains("AUTH_TYPE"));
    const auto guarded = environmentFor(server, "/cgi-bin/guarded.sh", shown);
    CHECK_FALSE(guarded.contains("HTTP_AUTHORIZATION"));
    CHECK(valueOr(guarded, "REMOTE_USER") == "anna");
    CHECK(valueOr(guarded, "AUTH_TYPE") == "Basic");
    const auto other = environmentFor(server, "/cgi-bin/other.sh", shown);
    CHECK_FALSE(other.contains("HTTP_AUTHORIZATION"));
    CHECK_FALSE(other.contains("REMOTE_USER"));
}

TEST_CASE("fields become variables, and those that could pass for others do not") {
    Site site;
    site.island("env.sh", kEnvironment);
    Server server(site);
    const auto seen = environmentFor(server, "/cgi-bin/env.sh",
                                     "X-Custom: one\r\n"
                                     "x-custom: two\r\n"
                                     "X_Custom: forged\r\n"
                                     "Cookie: a=1\r\n"
                                     "Cookie: b=2\r\n"
                                     "Proxy: http://evil.example/\r\n"
                                     "Authorization: Basic c2VjcmV0\r\n"
                                     "Proxy-Authorization: Basic c2VjcmV0\r\n"
                                     "X-Empty:\r\n"
                                     "X-Bytes: caf\xc3\xa9\r\n"
                                     "Keep-Alive: 5\r\n"
                                     "TE: trailers\r\n");
    CHECK(valueOr(seen, "HTTP_X_CUSTOM") == "one, two");
    CHECK(valueOr(seen, "HTTP_COOKIE") == "a=1; b=2");
    CHECK(valueOr(seen, "HTTP_X_EMPTY").empty());
    CHECK(valueOr(seen, "HTTP_X_BYTES") == "caf\xc3\xa9");
    for (const char* name :
         {"HTTP_PROXY", "HTTP_AUTHORIZATION", "HTTP_PROXY_AUTHORIZATION", "HTTP_CONNECTION",
          "HTTP_KEEP_ALIVE", "HTTP_TE", "HTTP_CONTENT_LENGTH", "HTTP_CONTENT_TYPE"}) {
        INFO(name);
        CHECK_FALSE(seen.contains(name));
    }
}

TEST_CASE("the panel's cookies never reach an island, others do") {
    Site site;
    site.island("env.sh", kEnvironment);
    Server server(site);
    const auto cookieFor = [&](const std::string& fields) {
        return valueOr(environmentFor(server, "/cgi-bin/env.sh", fields), "HTTP_COOKIE");
    };
    CHECK(cookieFor("Cookie: a=1; atoll_session=SECRET; b=2\r\n") == "a=1; b=2");
    CHECK(cookieFor("Cookie: atoll_session=SECRET\r\n") == "(unset)");
    CHECK(cookieFor("Cookie: atoll_form=SECRET;a=1\r\n") == "a=1");
    CHECK(cookieFor("Cookie: a=1\r\nCookie: atoll_session=SECRET\r\n") == "a=1");
    CHECK_FALSE(holds(cookieFor("Cookie: atoll_session =SECRET; a=1\r\n"), "SECRET"));
    CHECK_FALSE(holds(cookieFor("Cookie:  \tatoll_session=SECRET\t; a=1\r\n"), "SECRET"));
    CHECK(cookieFor("Cookie: my_atoll_session=fine\r\n") == "my_atoll_session=fine");
}

TEST_CASE("content is described by its length and type") {
    Site site;
    site.island("env.sh", kEnvironment);
    Server server(site);
    RawClient client(server.port());
    client.request("PUT /cgi-bin/env.sh HTTP/1.1",
                   "Content-Type: text/x-test; a=b\r\nContent-Length: 5\r\nConnection: close\r\n",
                   "hello");
    const auto seen = variablesIn(client.response());
    CHECK(valueOr(seen, "REQUEST_METHOD") == "PUT");
    CHECK(valueOr(seen, "CONTENT_LENGTH") == "5");
    CHECK(valueOr(seen, "CONTENT_TYPE") == "text/x-test; a=b");
}

TEST_CASE("any method is the island's to judge") {
    Site site;
    site.island("env.sh", kEnvironment);
    Server server(site);
    for (const char* method : {"POST", "DELETE", "OPTIONS", "PROPFIND", "BREW"}) {
        RawClient client(server.port());
        client.request(std::string(method) + " /cgi-bin/env.sh HTTP/1.1");
        CHECK(valueOr(variablesIn(client.response()), "REQUEST_METHOD") == method);
    }
}

TEST_CASE("the port of a Host field is not part of the server's name") {
    Site site;
    site.island("env.sh", kEnvironment);
    Server server(site);
    RawClient client(server.port());
    client.send("GET /cgi-bin/env.sh HTTP/1.1\r\nHost: Example.ORG:1234\r\n"
                "Connection: close\r\n\r\n");
    const auto seen = variablesIn(client.response());
    CHECK(valueOr(seen, "SERVER_NAME") == "example.org");
    CHECK(valueOr(seen, "HTTP_HOST") == "Example.ORG:1234");
    CHECK(valueOr(seen, "SERVER_PORT") == std::to_string(server.port()));

    RawClient old(server.port());
    old.send("GET /cgi-bin/env.sh HTTP/1.0\r\n\r\n");
    const auto seenByOld = variablesIn(old.response());
    CHECK(valueOr(seenByOld, "SERVER_PROTOCOL") == "HTTP/1.0");
    CHECK(valueOr(seenByOld, "SERVER_NAME") == "127.0.0.1");
}

TEST_CASE("nothing of the server's own environment reaches an island") {
    ::setenv("ATOLL_TEST_SECRET", "SECRET", 1);
    ::setenv("LD_PRELOAD_TEST", "SECRET", 1);
    Site site;
    site.island("env.sh", kEnvironment);
    Server server(site);
    ::unsetenv("ATOLL_TEST_SECRET");
    ::unsetenv("LD_PRELOAD_TEST");
    for (const auto& [name, value] : environmentFor(server, "/cgi-bin/env.sh")) {
        INFO(name << '=' << value);
        CHECK(value != "SECRET");
        CHECK(name != "HOME");
        CHECK(name != "USER");
    }
}

TEST_CASE("a cookie of 20 KB arrives whole") {
    Site site;
    site.island("size.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s' "
                           "\"${#HTTP_COOKIE}\"\n");
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/size.sh", "Cookie: " + std::string(20'000, 'c') + "\r\n")
              .body == "20000");
}

TEST_CASE("fields larger than the kernel lets a program have are refused, and nothing breaks") {
    Site site;
    site.config("[limits]\nhead = \"400KB\"\n");
    site.island("size.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n%s' "
                           "\"${#HTTP_X_A}\"\n");
    Server server(site);
    const auto ask = [&](std::size_t size) {
        return fetch(server.port(), "/cgi-bin/size.sh", "X-A: " + std::string(size, 'a') + "\r\n");
    };
    CHECK(ask(120'000).body == "120000");
    CHECK(ask(200'000).status == 431); // one string may have 128 KiB (execve(2))
    CHECK(ask(120'000).body == "120000");
}

TEST_CASE(
    "an island starts in its own directory, without arguments, signals set or descriptors open") {
    Site site;
    site.island("sub/self.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\n"
                               "echo \"pwd $PWD\"; echo \"arguments $#\"\n"
                               "echo \"descriptors\" $(ls /proc/self/fd)\n"
                               "while read -r line; do case $line in SigBlk*|SigIgn*|NoNew*|Uid*) "
                               "echo \"$line\";; esac; done < /proc/self/status\n"
                               "sh -c 'ulimit -c'\n");
    Server server(site);
    const auto answer = fetch(server.port(), "/cgi-bin/sub/self.sh?a+b+c");
    INFO(answer.describe());
    CHECK(answer.contains("pwd " + (site.islands() / "sub").string() + "\n"));
    CHECK(answer.contains("arguments 0\n"));
    // 3 is the directory, as ls reads it.
    CHECK(answer.contains("descriptors 0 1 2 3\n"));
    CHECK(answer.contains("SigBlk:\t0000000000000000\n"));
    CHECK(answer.contains("SigIgn:\t0000000000000000\n"));
    CHECK(answer.contains("NoNewPrivs:\t1\n"));
    CHECK_FALSE(answer.contains("Uid:\t0\t"));
    CHECK(answer.body.ends_with("\n0\n")); // no core files
}

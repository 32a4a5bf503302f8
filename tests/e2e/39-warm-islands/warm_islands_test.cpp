#include "harness/http_client.h"
#include "harness/text.h"
#include "harness/warm.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

using namespace reef::e2e;

TEST_CASE("a warm island has a process, an environment and an input of its own") {
    const std::string perlTells = perl(kPerlSelf + R"(
        print "$_=$ENV{$_}\n" for grep { !/PORT|HOST|REQUEST_ID|UNIQUE_ID|ATOLL_RUN/ } sort keys %ENV;
        print "0=$0 args=@ARGV inc=@INC w=$^W\n", join(' ', sort keys %INC), "\n";
        print `pwd`, umask, ' ', join(',', map { $SIG{$_} // '' } qw(CHLD TERM PIPE)), "\n";
        my $body = join '', <STDIN>;
        print "body=$body\n";)");
    const std::string pythonTells = python(kPythonSelf + R"(
import signal
for name in sorted(os.environ):
    if "PORT" not in name and "HOST" not in name and "_ID" not in name and name != "ATOLL_RUN": print(name, os.environ[name])
print(sys.argv, sys.path, __name__, __file__, os.getcwd(), sys.flags)
print(sorted(globals()), __doc__, __spec__, sys.modules["__main__"].__dict__ is globals())
for stream in (sys.stdin, sys.stdout, sys.stderr): print(stream, stream.buffer, stream.line_buffering)
print([signal.getsignal(s) for s in (signal.SIGCHLD, signal.SIGTERM, signal.SIGPIPE)], signal.pthread_sigmask(signal.SIG_BLOCK, []))
print("body=" + sys.stdin.read()))");
    Site plain;
    WarmSite warm;
    std::vector<std::string> answers;
    for (Site* site : {&plain, static_cast<Site*>(&warm)}) {
        site->island("tells.pl", perlTells);
        site->island("tells.py", pythonTells);
        Server server(*site);
        for (const char* target : {"/cgi-bin/tells.pl/a?q=1&r", "/cgi-bin/tells.py/a?q=1&r"}) {
            std::string body;
            const bool asWanted = eventually([&] { // another loop may not be warm yet
                body = HttpClient(server.port()).post(target, "content").body;
                return (parentIn(body) == server.keeper()) == (site == &plain);
            });
            CHECK(asWanted);
            body.erase(0, body.find('\n'));
            const auto top = site->directory().string();
            for (auto at = body.find(top); at != std::string::npos; at = body.find(top))
                body.replace(at, top.size(), "SITE");
            answers.push_back(body);
        }
    }
    CHECK(holds(answers[0], "body=content\n"));
    CHECK(holds(answers[1], "body=content\n"));
    CHECK(answers[2] == answers[0]);
    // Modules that the interpreter needs may be seen as loaded, nothing else.
    CHECK(answers[3] == answers[1]);
}

TEST_CASE("each request begins where the program begins, and one process answers it") {
    WarmSite site;
    site.island("count.pl",
                perl(kPerlSelf + "my $n; our $m; print ++$n, ++$m, ' ', rand, \"\\n\";\n"
                                 "print <DATA>;\n__DATA__\nfirst\nlast\n"));
    site.island("count.py", python("import random\n" + kPythonSelf +
                                   "n = globals().get('n', 0) + 1\nprint(n, random.random())\n"));
    Server server(site);
    for (const std::string name : {"count.pl", "count.py"}) {
        INFO(name);
        const auto one = awaitWarm(server, "/cgi-bin/" + name);
        const auto two = awaitWarm(server, "/cgi-bin/" + name);
        CHECK(one.body.substr(0, one.body.find(' ')) != two.body.substr(0, two.body.find(' ')));
        CHECK(one.body.substr(one.body.find('\n')) !=
              two.body.substr(two.body.find('\n'))); // random
        CHECK(holds(two.body, name == "count.pl" ? "\n11 " : "\n1 "));
        if (name == "count.pl") CHECK(two.body.ends_with("\nfirst\nlast\n"));
    }
}

TEST_CASE("options of the first line hold: tainted input, warnings") {
    WarmSite site;
    site.island("taint.pl",
                "#!/usr/bin/perl -wT\nuse strict;\n"
                "BEGIN { $ENV{PATH} = '/bin'; delete $ENV{DOCUMENT_ROOT} }\n" +
                    std::string(kPerlHead) + kPerlSelf +
                    "print ${^TAINT}, $^W, $ENV{PATH}, exists $ENV{DOCUMENT_ROOT} ? 1 : 0;\n"
                    "eval { system \"/bin/true $ENV{QUERY_STRING}\" }; print $@;\n");
    Server server(site);
    const auto answer = awaitWarm(server, "/cgi-bin/taint.pl?x");
    CHECK(holds(answer.body, "11/bin0Insecure dependency in system"));
}

TEST_CASE("files that a configured interpreter runs are warm where that is Perl or Python") {
    WarmSite site("interpreters = { \".py\" = \"/usr/bin/python3\", \".pl\" = "
                  "\"/usr/bin/perl\", \".sh\" = \"/bin/sh\" }\n");
    const std::string pythonTells = std::string("import os, sys\n") + kPythonHead + kPythonSelf +
                                    "print(sys.argv[1:], os.path.basename(__file__), "
                                    "os.environ['PATH_INFO'], os.environ['REDIRECT_STATUS'])\n";
    const std::string perlTells =
        kPerlHead + kPerlSelf + "print \"@ARGV $0 $ENV{PATH_INFO} $ENV{REDIRECT_STATUS}\\n\";";
    site.document("a.py", pythonTells);
    site.document("a.pl", perlTells);
    site.document("index.html", "x");
    site.island("b.py", pythonTells, 0644);
    site.document("c.sh", "printf 'Content-Type: text/plain\\n\\n'; echo $$ $PPID\n");
    site.document("other.pl",
                  "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'; echo $$ $PPID\n");
    Server server(site);
    for (const std::string target : {"/a.py/x", "/cgi-bin/b.py/x"}) {
        INFO(target);
        const auto name = target.substr(target.rfind('/', target.size() - 3) + 1, 4);
        CHECK(awaitWarm(server, target).body.ends_with("\n[] " + name + " /x 200\n"));
    }
    CHECK(awaitWarm(server, "/a.pl/x")
              .body.ends_with("\n " + (site.documents() / "a.pl").string() + " /x 200\n"));
    for (int i = 0; i < 4; ++i) {
        CHECK(parentIn(fetch(server.port(), "/c.sh").body) == server.keeper());
        CHECK(parentIn(fetch(server.port(), "/other.pl").body) == server.keeper());
    }
    site.document("a.py", std::string(kPythonHead) + "print('new')\n");
    CHECK(fetch(server.port(), "/a.py").contains("new"));
    CHECK_FALSE(holds(server.log(), "its warm interpreter ended"));
}

TEST_CASE("a changed script is run at once, a changed module within a second or so") {
    WarmSite site;
    site.island("lib/Words.pm", "package Words; sub word { 'old' } 1;\n", 0644);
    site.island("words.py", "word = 'old'\n", 0644);
    const auto perlScript = [](const std::string& text) {
        return std::string(kPerl) + "use FindBin; use lib \"$FindBin::Bin/lib\"; use Words;\n" +
               kPerlHead + kPerlSelf + "print '" + text + " ', Words::word(), \"\\n\";\n";
    };
    const auto pythonScript = [](const std::string& text) {
        return std::string(kPython) + "import words\n" + kPythonHead + kPythonSelf + "print('" +
               text + "', words.word)\n";
    };
    site.island("a.pl", perlScript("one"));
    site.island("b.py", pythonScript("one"));
    Server server(site);
    for (const std::string target : {"/cgi-bin/a.pl", "/cgi-bin/b.py"}) {
        INFO(target);
        CHECK(holds(awaitWarm(server, target).body, "\none old\n"));
        if (target.ends_with("pl")) site.island("a.pl", perlScript("two"));
        if (target.ends_with("py")) site.island("b.py", pythonScript("two"));
        CHECK(holds(fetch(server.port(), target).body, "\ntwo old\n"));
        CHECK(holds(awaitWarm(server, target).body, "\ntwo old\n"));
        if (target.ends_with("pl"))
            site.island("lib/Words.pm", "package Words; sub word { 'new' } 1;\n", 0644);
        if (target.ends_with("py")) site.island("words.py", "word = 'newer'\n", 0644);
        std::this_thread::sleep_for(1100ms);
        CHECK(holds(fetch(server.port(), target).body, "\ntwo new"));
        CHECK(holds(awaitWarm(server, target).body, "\ntwo new"));
    }
    CHECK(eventually([&] { return server.islands().size() <= 4; })); // those before have ended
}

TEST_CASE("what cannot be kept warm runs as plain CGI, and the log says why, once") {
    WarmSite site;
    site.island("wrong.pl", "#!/usr/bin/perl\nuse strict;\n$undeclared = 1;\n");
    site.island("early.pl",
                "#!/usr/bin/perl\nBEGIN { print \"Content-Type: text/plain\\n\\n\" }\n" +
                    kPerlSelf);
    site.island("early.py", "#!/usr/bin/python3\nimport early\nprint('text')\n");
    site.island("early.pm", "1;\n", 0644);
    writeFile(site.islands() / "early", "");
    site.island("shell.sh", "#!/bin/sh\nprintf 'Content-Type: text/plain\\n\\n'\necho $$ $PPID\n");
    site.island("none.pl", "#!/no/such/perl\n");
    Server server(site);
    for (int i = 0; i < 3; ++i) {
        CHECK(fetch(server.port(), "/cgi-bin/wrong.pl").status == 502);
        CHECK(fetch(server.port(), "/cgi-bin/none.pl").status == 500);
        CHECK(parentIn(fetch(server.port(), "/cgi-bin/early.pl").body) == server.keeper());
        CHECK(parentIn(fetch(server.port(), "/cgi-bin/shell.sh").body) == server.keeper());
        std::this_thread::sleep_for(700ms);
    }
    CHECK(server.awaitLog("it writes to standard output while it is compiled"));
    CHECK(server.awaitLog("cgi-bin/wrong.pl] its warm interpreter ended: exit code 255"));
    // Two loops, and each says it once.
    CHECK(count(server.log(), "cgi-bin/wrong.pl] its warm interpreter ended") <= 2);
    CHECK(eventually([&] { return server.islands().empty(); }));
}

TEST_CASE("a client that reads slowly gets all that a warm island writes") {
    WarmSite site;
    site.island("large.py", python(kPythonSelf + "sys.stdout.write('0123456789' * 40000)\n"));
    Server server(site);
    awaitWarm(server, "/cgi-bin/large.py");
    RawClient client(server.port());
    client.shrinkReceiveBuffer(4096);
    client.get("/cgi-bin/large.py");
    std::this_thread::sleep_for(500ms);
    const auto answer = client.response();
    CHECK(answer.complete);
    CHECK(answer.body.size() > 400'000);
    CHECK(answer.body.ends_with("0123456789"));
}

TEST_CASE("when interpreters are killed under load, each request is answered or clearly failed") {
    WarmSite site;
    site.island("a.pl", perl(kPerlSelf + "print 'whole';\n"));
    site.island("b.py", python(kPythonSelf + "print('whole', end='')\n"));
    Server server(site);
    awaitWarm(server, "/cgi-bin/a.pl");
    awaitWarm(server, "/cgi-bin/b.py");
    std::atomic<int> whole = 0;
    std::atomic<int> failed = 0;
    std::atomic<int> wrong = 0;
    std::vector<std::jthread> clients;
    for (int i = 0; i < 4; ++i)
        clients.emplace_back([&, i] {
            for (int n = 0; n < 60; ++n) {
                const auto answer =
                    fetch(server.port(), i % 2 == 0 ? "/cgi-bin/a.pl" : "/cgi-bin/b.py");
                if (answer.status == 200 && answer.complete && answer.body.ends_with("whole"))
                    ++whole;
                else if (answer.status == 502 || answer.status == 503 || !answer.complete)
                    ++failed;
                else
                    ++wrong;
            }
        });
    for (int i = 0; i < 5; ++i) {
        std::this_thread::sleep_for(100ms);
        for (const auto& process : childrenOf(server.keeper()))
            if (process.name == "perl" || process.name == "python3") ::kill(process.pid, SIGKILL);
    }
    clients.clear();
    CHECK(whole + failed == 240);
    CHECK(wrong == 0);
    CHECK(whole > 150);
    std::this_thread::sleep_for(2s);
    awaitWarm(server, "/cgi-bin/a.pl");
    awaitWarm(server, "/cgi-bin/b.py");
}

TEST_CASE("an interpreter that stops answering is replaced") {
    WarmSite site;
    site.island("a.pl", perl(kPerlSelf));
    Server server(site);
    const auto warm = awaitWarm(server, "/cgi-bin/a.pl");
    for (const auto& process : childrenOf(server.keeper()))
        if (process.name == "perl") ::kill(process.pid, SIGSTOP);
    // The first request on its loop waits for it in vain; those behind it are run plainly.
    int failures = 0;
    CHECK(eventually([&] {
        failures += fetch(server.port(), "/cgi-bin/a.pl").status != 200;
        return holds(server.log(), "its warm interpreter ended: it does not answer");
    }));
    CHECK(failures <= 2); // one for each loop
    CHECK(eventually([&] { return !exists(parentIn(warm.body)); }));
    awaitWarm(server, "/cgi-bin/a.pl");
}

TEST_CASE(
    "only what is to be warm is, and an environment that fits no packet is served all the same") {
    Site site;
    site.config("[[route]]\npath = \"/cgi-bin/a.pl\"\nwarm = true\n");
    site.island("a.pl", perl(kPerlSelf + "print length $ENV{HTTP_COOKIE} // '';\n"));
    site.island("b.pl", perl(kPerlSelf));
    Server server(site);
    awaitWarm(server, "/cgi-bin/a.pl");
    for (int i = 0; i < 5; ++i)
        CHECK(parentIn(fetch(server.port(), "/cgi-bin/b.pl").body) == server.keeper());
    const auto large =
        fetch(server.port(), "/cgi-bin/a.pl", "Cookie: " + std::string(30'000, 'c') + "\r\n");
    CHECK(large.body.ends_with("\n30000"));
}

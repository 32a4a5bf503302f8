#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

using namespace reef::e2e;

namespace {

constexpr const char* kPerl = "#!/usr/bin/perl\nuse strict;\nuse warnings;\n";
constexpr const char* kPerlHead = "print \"Content-Type: text/plain\\r\\n\\r\\n\";\n";
constexpr const char* kPython = "#!/usr/bin/python3\nimport os, sys\n";
constexpr const char* kPythonHead = "print('Content-Type: text/plain\\n')\n";

std::string perl(const std::string& script) {
    return std::string(kPerl) + kPerlHead + script;
}
std::string python(const std::string& script) {
    return std::string(kPython) + kPythonHead + script;
}

/// What an island says of itself: "PID PARENT". A warm one's parent is its interpreter.
const std::string kPerlSelf = "print \"$$ \", getppid, \"\\n\";\n";
const std::string kPythonSelf = "print(os.getpid(), os.getppid())\n";

pid_t parentIn(const std::string& body) {
    return static_cast<pid_t>(std::stol(body.substr(body.find(' ') + 1)));
}

class WarmSite : public Site {
public:
    explicit WarmSite(const std::string& more = {}) { config("warm = true\n" + more); }
};

/// Asks until an interpreter that is warm answers; gives that answer.
Response awaitWarm(const Server& server, const std::string& target) {
    Response answer;
    const bool warm = eventually([&] {
        answer = fetch(server.port(), target);
        return answer.status == 200 && parentIn(answer.body) != server.keeper();
    });
    INFO(answer.describe() << server.log());
    REQUIRE(warm);
    return answer;
}

} // namespace

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

TEST_CASE("how a warm island ends is known: exit status, death, traceback") {
    WarmSite site("island_timeout = \"2s\"\n");
    site.island("exit.pl",
                perl(kPerlSelf + "print STDERR \"told\\n\"; END { print 'end' } exit 3;\n"));
    site.island("dies.pl", std::string(kPerl) +
                               "my $x = $ENV{QUERY_STRING};\ndie \"early\\n\" if $x;\n" +
                               kPerlHead + kPerlSelf);
    site.island("cut.pl", std::string(kPerl) + kPerlHead + kPerlSelf +
                              "$| = 1; print 'x' x 100_000; kill 9, $$ if $ENV{QUERY_STRING};\n");
    site.island("raises.py",
                python(kPythonSelf + "import atexit\natexit.register(print, 'at exit')\n"
                                     "out = open(3, 'w') if 0 else None\n"
                                     "if os.environ['QUERY_STRING']: 1 / 0\n"));
    site.island("exits.py", python(kPythonSelf + "sys.exit('a reason')\n"));
    site.island("sleeps.pl", perl(kPerlSelf + "sleep 100 if $ENV{QUERY_STRING};\n"));
    Server server(site);
    CHECK(awaitWarm(server, "/cgi-bin/exit.pl").body.ends_with("\nend"));
    CHECK(server.awaitLog(": exit code 3"));
    CHECK(server.awaitLog(": told"));

    awaitWarm(server, "/cgi-bin/dies.pl");
    CHECK(fetch(server.port(), "/cgi-bin/dies.pl?now").status == 502);
    CHECK(server.awaitLog(": early"));

    awaitWarm(server, "/cgi-bin/cut.pl");
    CHECK_FALSE(fetch(server.port(), "/cgi-bin/cut.pl?now").complete);
    CHECK(server.awaitLog("killed by signal 9 (KILL)"));

    awaitWarm(server, "/cgi-bin/raises.py");
    CHECK(fetch(server.port(), "/cgi-bin/raises.py?now").body.ends_with("at exit\n"));
    CHECK(server.awaitLog("ZeroDivisionError"));
    CHECK_FALSE(holds(server.log(), "/proc/self/fd/4"));
    CHECK(server.awaitLog(": exit code 1"));

    awaitWarm(server, "/cgi-bin/exits.py");
    CHECK(server.awaitLog(": a reason"));

    const auto warm = awaitWarm(server, "/cgi-bin/sleeps.pl");
    CHECK(fetch(server.port(), "/cgi-bin/sleeps.pl?now").status == 504);
    CHECK(server.awaitLog("took longer than 2000 ms and was ended"));
    CHECK(eventually([&] { return childrenOf(parentIn(warm.body)).empty(); }));
}

TEST_CASE("what is left to do when a program ends is done") {
    WarmSite site;
    const auto file = site.beside("written");
    const auto second = site.beside("second");
    for (const auto& each : {file, second})
        writeFile(each, "", 0666);
    site.island("writes.pl",
                perl(kPerlSelf + "open my $f, '>', '" + file.string() + "'; print $f $$;\n"));
    site.island("pipes.pl", perl(kPerlSelf + "open my $p, '|-', 'sh -c \"sleep 0.2; cat > " +
                                 file.string() + "\"'; print $p $$;\n"));
    site.island("destroys.pl",
                perl(kPerlSelf + "package D; sub DESTROY { print \"destroyed\\n\" }\n"
                                 "our $d = bless {};\n"));
    site.island("writes.py", python(kPythonSelf + "f = open('" + file.string() +
                                    "', 'w'); f.write(str(os.getpid()))\n" + "os.f = open('" +
                                    second.string() + "', 'w'); os.f.write(str(os.getpid()))\n"));
    site.island("threads.py", python(kPythonSelf + R"(
import threading, time
class D:
    def __del__(self): sys.stdout.write('gone\n')
here, elsewhere = D(), [D()]
threading.Thread(target=lambda: (time.sleep(0.2), print('thread'))).start()
)"));
    Server server(site);
    for (const std::string name : {"writes.pl", "pipes.pl", "writes.py"}) {
        INFO(name);
        const auto answer = awaitWarm(server, "/cgi-bin/" + name);
        CHECK(answer.body.starts_with(readFile(file) + " "));
        if (name == "writes.py") CHECK(readFile(second) == readFile(file));
    }
    CHECK(awaitWarm(server, "/cgi-bin/destroys.pl").body.ends_with("\ndestroyed\n"));
    CHECK(awaitWarm(server, "/cgi-bin/threads.py").body.ends_with("\nthread\ngone\ngone\n"));
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

TEST_CASE("a warm island whose client leaves is ended, with all it has started") {
    WarmSite site;
    Mailbox news(site.beside("news"));
    site.island("waits.pl", perl(kPerlSelf + R"(exit if !$ENV{QUERY_STRING};
        $| = 1; my $kid = fork; if (!$kid) { $SIG{TERM} = 'IGNORE'; sleep 100; exit }
        open my $news, '>', ')" + news.path() +
                                 R"('; syswrite $news, "started $$ $kid\n"; sleep 100;)"));
    Server server(site);
    awaitWarm(server, "/cgi-bin/waits.pl");
    RawClient client(server.port());
    client.get("/cgi-bin/waits.pl?now");
    const auto line = news.line();
    const auto island = static_cast<pid_t>(std::stol(line.substr(8)));
    const auto descendant = static_cast<pid_t>(std::stol(line.substr(line.rfind(' '))));
    CHECK(exists(descendant));
    client.close();
    CHECK(awaitGone(island));
    CHECK(awaitGone(descendant)); // which had to be killed
    awaitWarm(server, "/cgi-bin/waits.pl");
}

TEST_CASE(
    "what a warm island leaves in a session of its own ends with it when it took too long, and "
    "nothing of another request") {
    WarmSite site("island_timeout = \"2s\"\n[[route]]\npath = \"/cgi-bin/*/patient\"\n"
                  "island_timeout = \"60s\"\n");
    Mailbox news(site.beside("news"));
    Mailbox go(site.beside("go"));
    // Forked twice, and nothing executed: it has the interpreter's own environment.
    const std::string paths = "'" + news.path() + "'";
    site.island("leaves.pl", perl(kPerlSelf + R"(use POSIX ();
        exit if !$ENV{PATH_INFO};
        $| = 1;
        if (!fork) {
            POSIX::setsid();
            exit if fork;
            $SIG{$_} = 'IGNORE' for qw(TERM HUP);
            open STDOUT, '>', '/dev/null'; open STDERR, '>', '/dev/null';
            open my $news, '>', )" +
                                  paths +
                                  R"(; syswrite $news, "$$\n"; close $news;
            sleep 100 while 1;
        }
        wait;
        if ($ENV{PATH_INFO} eq '/patient') { open my $go, '<', ')" +
                                  go.path() + R"('; <$go>; print "went\n"; exit }
        sleep 100;)"));
    site.island("leaves.py", python(kPythonSelf + R"(
import signal, time
if not os.environ["PATH_INFO"]: sys.exit()
sys.stdout.flush()
if os.fork() == 0:
    os.setsid()
    if os.fork(): os._exit(0)
    for number in (signal.SIGTERM, signal.SIGHUP): signal.signal(number, signal.SIG_IGN)
    for number in (1, 2): os.dup2(os.open("/dev/null", os.O_WRONLY), number)
    news = os.open()" + paths + R"(, os.O_WRONLY)
    os.write(news, b"%d\n" % os.getpid()); os.close(news)
    while True: time.sleep(100)
os.wait()
if os.environ["PATH_INFO"] == "/patient":
    with open(")" + go.path() + R"(") as go: go.readline()
    print("went"); sys.exit()
time.sleep(100))"));
    Server server(site);
    for (const std::string name : {"leaves.pl", "leaves.py"}) {
        INFO(name);
        awaitWarm(server, "/cgi-bin/" + name);
        std::optional<RawClient> patient;
        pid_t kept = 0;
        const auto isWarm = [&](pid_t daemon) {
            return eventually(
                [&] { // it is the interpreter's when those between have gone
                    for (const auto& each : childrenOf(server.keeper()))
                        for (const auto& child : childrenOf(each.pid))
                            if (child.pid == daemon)
                                return each.name == "perl" || each.name == "python3";
                    return false;
                },
                2s);
        };
        while (!patient || !isWarm(kept)) { // on a loop whose interpreter is there
            patient.emplace(server.port());
            patient->get("/cgi-bin/" + name + "/patient");
            kept = static_cast<pid_t>(std::stol(news.line()));
        }
        int hurt = 0;
        for (int warm = 0; warm == 0 && hurt < 20; ++hurt) {
            RawClient hasty(server.port());
            hasty.get("/cgi-bin/" + name + "/now");
            const auto daemon = static_cast<pid_t>(std::stol(news.line()));
            warm = isWarm(daemon);
            hasty.readToEnd();
            CHECK(awaitGone(daemon));
        }
        CHECK(hurt < 20);
        CHECK(server.awaitLog("that outlived their island"));
        CHECK(exists(kept));
        go.put("go");
        CHECK(patient->response().body.ends_with("went\n"));
        CHECK(exists(kept)); // it is a job that shall outlive its island
        ::kill(kept, SIGKILL);
    }
}

TEST_CASE("a page whose one part takes too long keeps its other parts, plain or warm") {
    WarmSite site("island_timeout = \"1s\"\n[[route]]\npath = \"/cgi-bin/patient.*\"\n"
                  "island_timeout = \"60s\"\n");
    site.document("page.shtml", "<!--#include virtual=\"/cgi-bin/slow.sh\" -->,"
                                "<!--#include virtual=\"/cgi-bin/patient.sh\" -->,"
                                "<!--#include virtual=\"/cgi-bin/patient.pl\" -->");
    site.island("slow.sh", "#!/bin/sh\nsleep 100\n");
    site.island("patient.sh", "#!/bin/sh\nsleep 3\nprintf 'Content-Type: text/plain\\n\\nshell'\n");
    site.island("patient.pl", perl("sleep 3 if $ENV{DOCUMENT_URI}; print 'perl';\n"));
    Server server(site);
    for (int i = 0; i < 2; ++i) {
        const auto page = fetch(server.port(), "/page.shtml");
        CHECK(page.complete);
        CHECK(page.body.ends_with(",shell,perl"));
    }
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

TEST_CASE("a server that is killed leaves no interpreter behind, and neither does a stop") {
    WarmSite site;
    site.island("a.pl", perl(kPerlSelf + "sleep 100 if $ENV{QUERY_STRING};\n"));
    Server server(site);
    const auto before = awaitWarm(server, "/cgi-bin/a.pl");
    RawClient client(server.port());
    client.get("/cgi-bin/a.pl?now");
    REQUIRE(eventually(
        [&] { return !childrenOf(parentIn(before.body)).empty() || server.islands().size() > 2; }));
    const auto islands = server.islands();
    const auto pid = server.serverPid();
    ::kill(pid, SIGKILL);
    for (const auto& process : islands)
        CHECK(awaitGone(process.pid));
    REQUIRE(eventually([&] { return server.serverPid() > 0 && server.serverPid() != pid; }));
    awaitWarm(server, "/cgi-bin/a.pl");
    server.stop();
    CHECK(server.leftovers().empty());
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

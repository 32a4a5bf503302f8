#include "harness/text.h"
#include "harness/warm.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <optional>

using namespace reef::e2e;

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

#include "process/children.h"
#include "process/sweep.h"
#include "waiting.h"

#include <sys/prctl.h>

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::process;
using namespace reef::test;

namespace {

constexpr Children::Owner kOwner{1, 7};

/// This process in the part of the keeper: a table, and the shell scripts it holds.
class Nursery {
public:
    Nursery() { ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
    ~Nursery() {
        table.killAll();
        eventually([this] { return reapAll() && ::waitpid(-1, nullptr, WNOHANG) < 0; });
        ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    }

    /// Starts a shell script, and returns when it has written its first line, which is kept.
    pid_t start(const char* script, Children::Owner owner, Leftovers leftovers = Leftovers::end) {
        Pipe pipe;
        const char* arguments[] = {"/bin/sh", "-c", script, nullptr};
        const char* environment[] = {"PATH=/bin:/usr/bin", "RUN=1", nullptr};
        const int descriptors[] = {0, pipe.write.get(), 2};
        SpawnSpec spec;
        spec.path = "/bin/sh";
        spec.arguments = arguments;
        spec.environment = environment;
        spec.descriptors = descriptors;
        const auto pid = spawn(spec);
        REQUIRE(pid);
        table.add(*pid, owner, leftovers);
        char byte = 0;
        for (line.clear(); ::read(pipe.read.get(), &byte, 1) == 1 && byte != '\n';)
            line.push_back(byte);
        return *pid;
    }

    /// Reaps what has ended; true when the table is empty.
    bool reapAll() {
        for (pid_t pid = 0; (pid = ::waitpid(-1, nullptr, WNOHANG)) > 0;) {
            if (const auto owner = table.reaped(pid, Clock::now())) told.push_back(*owner);
        }
        return table.size() == 0;
    }

    Children table;
    std::vector<Children::Owner> told;
    std::string line;
};

} // namespace

TEST_CASE("a child that ends by itself is reported once, and leaves no deadline") {
    Nursery nursery;
    nursery.start("echo", kOwner);
    CHECK(nursery.table.holds(kOwner));
    REQUIRE(eventually([&] { return nursery.reapAll(); }));
    CHECK(nursery.told == std::vector{kOwner});
    CHECK_FALSE(nursery.table.holds(kOwner));
    CHECK_FALSE(nursery.table.deadline());
    CHECK_FALSE(nursery.table.reaped(1, Clock::now()));
}

TEST_CASE("TERM goes to the whole group") {
    Nursery nursery;
    nursery.start("sleep 100 & echo $!; wait", kOwner);
    const auto grandchild = static_cast<pid_t>(std::stol(nursery.line));
    REQUIRE(alive(grandchild));
    nursery.table.terminate(kOwner, 10s, Clock::now());
    REQUIRE(eventually([&] { return nursery.reapAll() && !alive(grandchild); }));
    CHECK(nursery.told == std::vector{kOwner});
}

TEST_CASE("a child that ignores TERM is killed when the grace is over, and not before") {
    Nursery nursery;
    const pid_t pid = nursery.start("trap '' TERM; echo; while :; do sleep 0.01; done", kOwner);
    const auto now = Clock::now();
    nursery.table.terminate(kOwner, 500ms, now);
    CHECK(nursery.table.deadline() == now + 500ms);
    nursery.table.expire(now + 499ms);
    std::this_thread::sleep_for(50ms);
    CHECK(alive(pid));
    nursery.table.expire(now + 500ms);
    CHECK(eventually([&] { return nursery.reapAll(); }));
}

TEST_CASE(
    "a second request with a shorter grace makes it shorter, with a longer one changes nothing") {
    Nursery nursery;
    nursery.start("trap '' TERM; echo; while :; do sleep 0.01; done", kOwner);
    const auto now = Clock::now();
    nursery.table.terminate(kOwner, 10s, now);
    nursery.table.terminate(kOwner, 20s, now);
    CHECK(nursery.table.deadline() == now + 10s);
    nursery.table.terminate(kOwner, 1s, now);
    CHECK(nursery.table.deadline() == now + 1s);
    nursery.table.terminate(kOwner, 0s, now);
    CHECK(eventually([&] { return nursery.reapAll(); }));
}

TEST_CASE("what a child leaves in its group is told to end, then killed") {
    Nursery nursery;
    nursery.start("trap '' TERM; (while :; do sleep 0.01; done) >&- & echo $!", kOwner);
    const auto leftover = static_cast<pid_t>(std::stol(nursery.line));
    REQUIRE(eventually([&] { return nursery.reapAll(); }));
    CHECK(alive(leftover));
    REQUIRE(nursery.table.deadline());
    nursery.table.expire(*nursery.table.deadline());
    CHECK(eventually([&] { return nursery.reapAll() && !alive(leftover); }));
    CHECK_FALSE(nursery.table.deadline());
}

TEST_CASE("what a child leaves in its group may be left alone") {
    Nursery nursery;
    const pid_t pid = nursery.start("sleep 100 >&- & echo $!", kOwner, Leftovers::leave);
    const auto leftover = static_cast<pid_t>(std::stol(nursery.line));
    REQUIRE(eventually([&] { return nursery.reapAll(); }));
    CHECK_FALSE(nursery.table.deadline());
    std::this_thread::sleep_for(20ms);
    CHECK(alive(leftover));
    ::kill(-pid, SIGKILL);
    CHECK(eventually([&] { return nursery.reapAll() && !alive(leftover); }));
}

TEST_CASE("a child that has left its group is still reached") {
    Nursery nursery;
    const pid_t pid = nursery.start(
        "exec perl -e 'setpgrp(0, getpgrp(getppid())); $| = 1; print \"\\n\"; sleep 100'", kOwner);
    REQUIRE(::getpgid(pid) == ::getpgrp());
    nursery.table.terminate(kOwner, 10s, Clock::now());
    CHECK(eventually([&] { return nursery.reapAll(); }));
}

TEST_CASE("the children of a lost link are killed and nobody is told") {
    Nursery nursery;
    const Children::Owner other{2, 7};
    nursery.start("trap '' TERM; echo; while :; do sleep 0.01; done", kOwner);
    nursery.start("echo; sleep 100", other);
    nursery.table.abandon(kOwner.link);
    CHECK_FALSE(nursery.table.holds(kOwner));
    REQUIRE(eventually([&] {
        nursery.reapAll();
        return nursery.table.size() == 1;
    }));
    CHECK(nursery.told.empty());
    CHECK(nursery.table.holds(other));
}

TEST_CASE("ending what does not run is no error") {
    Children table;
    table.terminate(kOwner, 1s, Clock::now());
    table.abandon(1);
    table.expire(Clock::now());
    table.killAll();
    CHECK(table.size() == 0);
    CHECK_FALSE(table.deadline());
}

TEST_CASE(
    "with a mark, descendants in sessions of their own end as well, but not those without it") {
    Nursery nursery;
    nursery.start("setsid sh -c 'trap \"\" TERM; sleep 100; sleep 100' & a=$!\n"
                  "env -i /usr/bin/setsid /bin/sleep 100 & b=$!\nsleep 0.2; echo $a $b; wait",
                  kOwner);
    const auto space = nursery.line.find(' ');
    const auto marked = static_cast<pid_t>(std::stol(nursery.line.substr(0, space)));
    const auto unmarked = static_cast<pid_t>(std::stol(nursery.line.substr(space)));
    nursery.table.terminate(kOwner, 10s, Clock::now(), "RUN=1");
    CHECK(eventually([&] {
        nursery.reapAll();
        nursery.table.expire(Clock::now());
        return !alive(marked);
    }));
    CHECK(eventually([&] {
        nursery.reapAll();
        nursery.table.expire(Clock::now());
        return !nursery.table.deadline();
    })); // the hunt is over
    CHECK(alive(unmarked));
    ::kill(unmarked, SIGKILL);
}

TEST_CASE("what has a mark can be hunted though no child of ours was told to end") {
    Nursery nursery;
    const auto pid = nursery.start("setsid sh -c 'trap \"\" TERM; sleep 100; sleep 100' & a=$!\n"
                                   "sleep 0.2; echo $a; trap '' TERM; wait",
                                   kOwner);
    const auto left = static_cast<pid_t>(std::stol(nursery.line));
    nursery.table.hunt("RUN=1", Clock::now());
    nursery.table.hunt("RUN=1", Clock::now()); // the same hunt
    CHECK(nursery.table.deadline());
    CHECK(eventually([&] {
        nursery.reapAll();
        nursery.table.expire(Clock::now());
        return !alive(left) && !alive(pid) && !nursery.table.deadline();
    }));
}

TEST_CASE("a mark that is only a part of another is none") {
    Nursery nursery;
    const auto pid = nursery.start("echo up; sleep 100", kOwner);
    CHECK(killMarked("RUN=") == 0);
    CHECK(killMarked("UN=1") == 0);
    CHECK(alive(pid));
    CHECK(killMarked("RUN=1") >= 1);
    CHECK(eventually([&] { return nursery.reapAll(); }));
}

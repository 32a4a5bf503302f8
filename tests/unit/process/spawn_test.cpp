#include "process/spawn.h"
#include "process/sweep.h"
#include "waiting.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cerrno>

using namespace reef;
using namespace reef::process;
using namespace reef::test;

namespace {

/// A spec with the strings it points to.
class Program {
public:
    Program(std::initializer_list<const char*> arguments) : arguments_(arguments) {
        spec.path = *arguments.begin();
        arguments_.push_back(nullptr);
        spec.arguments = arguments_;
        spec.environment = environment_;
        spec.descriptors = descriptors;
    }

    /// What it writes; its standard input is /dev/null. Empty when it did not start.
    std::string output() {
        const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
        Pipe pipe;
        descriptors = {null.get(), pipe.write.get(), pipe.write.get()};
        const auto pid = spawn(spec);
        pipe.write.reset();
        if (!pid) return {};
        OwnChild child(*pid);
        const auto text = readAll(pipe.read.get());
        child.wait();
        return text;
    }

    int exitCode() {
        const auto pid = spawn(spec);
        return pid ? OwnChild(*pid).exitCode() : -1;
    }

    StartFailure failure() {
        const auto pid = spawn(spec);
        if (!pid) return pid.error();
        OwnChild child(*pid);
        return {StartStep::keeper, 0}; // which no spawn gives
    }

    SpawnSpec spec;
    std::array<int, 3> descriptors{0, 1, 2};

private:
    std::vector<const char*> arguments_;
    std::vector<const char*> environment_{"NAME=value", nullptr};
};

std::string shell(const char* script) {
    return Program{"/bin/sh", "-c", script}.output();
}

} // namespace

TEST_CASE("a program runs with just the arguments and the environment it was given") {
    CHECK(Program({"/bin/sh", "-c", "echo $0 $1 $NAME", "zero", "one"}).output() ==
          "zero one value\n");
    CHECK(Program{"/usr/bin/env"}.output() == "NAME=value\n");
}

TEST_CASE("its exit code and its death by signal are told apart") {
    CHECK(Program({"/bin/sh", "-c", "exit 7"}).exitCode() == 7);
    Program suicide{"/bin/sh", "-c", "kill -9 $$"};
    const auto pid = spawn(suicide.spec);
    REQUIRE(pid);
    CHECK(OwnChild(*pid).wait() == SIGKILL);
}

TEST_CASE("what cannot be executed is named: program or interpreter, with the reason") {
    const Scratch scratch;
    const auto orphan = scratch.file("orphan", "#!/no/such/interpreter\n", 0755);
    const auto blocked = scratch.file("blocked", "#!/etc/passwd\n", 0755);
    const auto notDirectory = scratch.file("nodir", "#!/etc/passwd/perl\n", 0755);
    const auto plain = scratch.file("plain", "#!/bin/sh\necho hi\n", 0644);
    const auto noise = scratch.file("noise", "neither binary nor script\n", 0755);
    struct Case {
        std::string path;
        StartFailure failure;
    };
    const Case cases[] = {
        {"/no/such/program", {StartStep::program, ENOENT}},
        {orphan, {StartStep::interpreter, ENOENT}},
        {blocked, {StartStep::interpreter, EACCES}},
        {notDirectory, {StartStep::interpreter, ENOTDIR}},
        {plain, {StartStep::program, EACCES}},
        {noise, {StartStep::program, ENOEXEC}},
        {scratch.path().string(), {StartStep::program, EACCES}},
        {plain + "/below", {StartStep::program, ENOTDIR}},
    };
    for (const auto& [path, failure] : cases) {
        INFO(path);
        Program program{path.c_str()};
        CHECK(program.failure().step == failure.step);
        CHECK(program.failure().code == failure.code);
    }
}

TEST_CASE("a failed start leaves no zombie") {
    Program{"/no/such/program"}.failure();
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}

TEST_CASE("the working directory is changed before a relative program is looked up") {
    const Scratch scratch;
    scratch.file("here", "#!/bin/sh\npwd\n", 0755);
    Program program{"./here"};
    program.spec.directory = scratch.path().c_str();
    CHECK(program.output() == scratch.path().string() + "\n");
    program.spec.directory = "/no/such/directory";
    CHECK(program.failure() == StartFailure{StartStep::directory, ENOENT});
}

TEST_CASE("descriptors land in their places when their numbers collide") {
    // Input, output and error of the child are, in every order, 0, 1, 2 and one above of ours.
    Pipe pipes[3];
    const int spare[3] = {::dup(0), ::dup(1), ::dup(2)};
    std::array<int, 3> order{0, 1, 2};
    do {
        for (int i = 0; i < 3; ++i) // our 0, 1, 2 become write ends for a moment
            ::dup2(pipes[i].write.get(), i);
        Program program{"/bin/sh", "-c", "echo a >&0; echo b >&1; echo c >&2"};
        program.descriptors = order;
        const auto pid = spawn(program.spec);
        for (int i = 0; i < 3; ++i)
            ::dup2(spare[i], i);
        REQUIRE(pid);
        CHECK(OwnChild(*pid).exitCode() == 0);
        const char letters[] = {'a', 'b', 'c'};
        for (std::size_t i = 0; i < 3; ++i) {
            char got[2] = {};
            REQUIRE(::read(pipes[order[i]].read.get(), got, sizeof got) == 2);
            CHECK(got[0] == letters[i]);
        }
    } while (std::ranges::next_permutation(order).found);
    for (const int number : spare)
        ::close(number);
}

TEST_CASE("one descriptor may stand in several places, and more than three may be given") {
    Pipe pipe;
    const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    Program program{"/bin/sh", "-c", "echo out; echo err >&2; echo five >&5"};
    const int numbers[] = {null.get(), pipe.write.get(), pipe.write.get(),
                           null.get(), null.get(),       pipe.write.get()};
    program.spec.descriptors = numbers;
    const auto pid = spawn(program.spec);
    pipe.write.reset();
    REQUIRE(pid);
    OwnChild child(*pid);
    CHECK(readAll(pipe.read.get()) == "out\nerr\nfive\n");
    CHECK(child.exitCode() == 0);
}

TEST_CASE("no other descriptor reaches the child") {
    closeInheritedOnExec(); // whoever started the tests may have left some open
    const Fd secret(::open("/etc/passwd", O_RDONLY | O_CLOEXEC));
    CHECK(shell("ls /proc/self/fd | wc -l | tr -d ' '") == "4\n"); // ls reads a directory itself
}

TEST_CASE("a descriptor that does not exist fails the start") {
    Program program{"/bin/true"};
    program.descriptors = {0, 1, 987654};
    CHECK(program.failure() == StartFailure{StartStep::descriptors, EBADF});
}

TEST_CASE("signal mask and dispositions are the default ones, SIGPIPE included") {
    sigset_t blocked;
    sigset_t before;
    ::sigfillset(&blocked);
    ::pthread_sigmask(SIG_SETMASK, &blocked, &before);
    const auto oldPipe = ::signal(SIGPIPE, SIG_IGN);
    const auto oldHup = ::signal(SIGHUP, SIG_IGN);
    for (const auto signals : {SignalSet::all(), SignalSet::notDefault()}) {
        Program program{"/bin/cat", "/proc/self/status"};
        program.spec.resetSignals = signals;
        const auto status = program.output();
        for (const char* none : {"SigBlk:\t0000000000000000\n", "SigIgn:\t0000000000000000\n",
                                 "SigCgt:\t0000000000000000\n"})
            CHECK(status.find(none) != std::string::npos);
    }
    CHECK(SignalSet::notDefault().holds(SIGPIPE));
    ::signal(SIGPIPE, oldPipe);
    ::signal(SIGHUP, oldHup);
    sigset_t after;
    ::pthread_sigmask(SIG_SETMASK, &before, &after);
    CHECK(::sigismember(&after, SIGUSR1) == 1); // our own mask was left as it was
}

TEST_CASE("a child has a process group of its own and may gain no privileges") {
    std::istringstream numbers(Program{"/bin/sh", "-c", "cut -d' ' -f1,5 /proc/$$/stat"}.output());
    pid_t pid = 0;
    pid_t group = -1;
    numbers >> pid >> group;
    CHECK(pid == group);
    CHECK(Program({"/bin/grep", "NoNewPrivs", "/proc/self/status"}).output() == "NoNewPrivs:\t1\n");
}

TEST_CASE("limits hold in the child") {
    Program program{
        "/bin/sh", "-c",
        "ulimit -St; ulimit -Ht; ulimit -v; ulimit -d; ulimit -f; ulimit -n; ulimit -c; nice"};
    auto& limits = program.spec.limits;
    limits.cpuTime = 5s;
    limits.addressSpace = 1024_MiB;
    limits.dataSize = 512_MiB;
    limits.fileSize = 1_MiB;
    limits.openFiles = 20;
    limits.nice = 7;
    CHECK(program.output() == "5\n6\n1048576\n524288\n2048\n20\n0\n7\n");
}

TEST_CASE("a child that uses up its CPU time is killed") {
    Program program{"/bin/sh", "-c", "while :; do :; done"};
    program.spec.limits.cpuTime = 1s;
    const auto pid = spawn(program.spec);
    REQUIRE(pid);
    CHECK((OwnChild(*pid).wait() & 0x7F) == SIGXCPU);
}

TEST_CASE("root starts children as another user, with that user's groups alone") {
    if (!maySwitchIdentity()) return;
    const Identity identity{65534, 65533, {65532}, "test"};
    Program program{"/bin/sh", "-c", "id -u; id -g; id -G; grep CapEff /proc/self/status"};
    program.spec.identity = &identity;
    CHECK(program.output() == "65534\n65533\n65533 65532\nCapEff:\t0000000000000000\n");
}

TEST_CASE("the directory and the program are reached with the rights of the child's user") {
    if (!maySwitchIdentity()) return;
    const Identity identity{65534, 65534, {65534}, "test"};
    const Scratch scratch;
    const auto secret = scratch.file("secret", "#!/bin/sh\n", 0700);
    Program program{secret.c_str()};
    program.spec.identity = &identity;
    CHECK(program.failure() == StartFailure{StartStep::program, EACCES});
    ::chmod(scratch.path().c_str(), 0700);
    program.spec.directory = scratch.path().c_str();
    CHECK(program.failure() == StartFailure{StartStep::directory, EACCES});
}

TEST_CASE("whoever is not root cannot start a child as another user") {
    const Identity nobody{65534, 65534, {65534}, "nobody"};
    const Identity root{0, 0, {0}, "root"};
    // As another user, the attempt is made from a child of ours: from a shell it cannot be.
    const pid_t pid = ::fork();
    if (pid == 0) {
        if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(1);
        Program program{"/bin/true"};
        program.spec.identity = &root;
        ::_exit(program.failure() == StartFailure{StartStep::identity, EPERM} ? 0 : 2);
    }
    CHECK(OwnChild(pid).exitCode() == 0);
}

TEST_CASE("a binary is started from its descriptor when its name is gone") {
    const Scratch scratch;
    const auto copy = scratch / "copy";
    std::filesystem::copy_file("/bin/sh", copy);
    const Fd binary(::open(copy.c_str(), O_PATH | O_CLOEXEC));
    std::filesystem::remove(copy);
    Program program{"shell", "-c", "echo $0"};
    program.spec.path = nullptr;
    program.spec.program = binary.get();
    CHECK(program.output() == "shell\n");
}

TEST_CASE("a binary's descriptor may have a number that the child needs for another") {
    Pipe pipe;
    const int spare = ::fcntl(1, F_DUPFD_CLOEXEC, 0);
    const Fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
    const Fd binary(::open("/bin/sh", O_PATH | O_CLOEXEC));
    ::dup3(binary.get(), 1, O_CLOEXEC);
    Program program{"shell", "-c", "echo started"};
    program.spec.path = nullptr;
    program.spec.program = 1;
    program.descriptors = {null.get(), pipe.write.get(), null.get()};
    const auto pid = spawn(program.spec);
    ::dup2(spare, 1);
    ::close(spare);
    pipe.write.reset();
    REQUIRE(pid);
    OwnChild child(*pid);
    CHECK(readAll(pipe.read.get()) == "started\n");
}

TEST_CASE("a spec that is not complete is refused") {
    Program program{"/bin/true"};
    program.spec.arguments = {};
    CHECK(program.failure() == StartFailure{StartStep::request, EINVAL});
    Program nameless{"/bin/true"};
    nameless.spec.path = nullptr;
    CHECK(nameless.failure() == StartFailure{StartStep::request, EINVAL});
    Program endless{"/bin/true"};
    endless.spec.environment = endless.spec.environment.first(1);
    CHECK(endless.failure() == StartFailure{StartStep::request, EINVAL});
}

TEST_CASE("threads may start processes at the same time") {
    std::vector<std::thread> threads;
    std::array<int, 4> sums{};
    for (int& sum : sums) {
        threads.emplace_back([&sum] {
            for (int i = 0; i < 25; ++i)
                sum += Program({"/bin/sh", "-c", "exit 2"}).exitCode();
        });
    }
    for (auto& thread : threads)
        thread.join();
    CHECK(sums == std::array{50, 50, 50, 50});
}

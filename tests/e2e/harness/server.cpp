#include "harness/server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <exception>
#include <stdexcept>

namespace reef::e2e {

namespace {

std::string nextLogFile(const Site& site) {
    static std::atomic<int> count = 0;
    return site.beside("log-" + std::to_string(++count));
}

std::vector<std::string> commandFor(const Site& site, Panel panel,
                                    const std::vector<std::string>& options) {
    std::vector<std::string> command{atollBinary(),
                                     "serve",
                                     site.directory(),
                                     "--listen",
                                     "127.0.0.1:0",
                                     "--panel",
                                     panel == Panel::on ? "127.0.0.1:0" : "off"};
    command.insert(command.end(), options.begin(), options.end());
    return command;
}

/// 0 when it does not come in time.
pid_t awaitChild(pid_t parent, const std::string& name) {
    pid_t pid = 0;
    eventually([&] {
        for (const ProcessEntry& child : childrenOf(parent)) {
            if (child.name == name && child.state != 'Z') pid = child.pid;
        }
        return pid != 0;
    });
    return pid;
}

std::vector<std::string> joined(std::vector<std::string> first,
                                const std::vector<std::string>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

} // namespace

Server::Outlets::Outlets(const Site& site)
    : logFile(nextLogFile(site)), nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC)),
      keepersLog(::open(logFile.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
    int ends[2] = {-1, -1};
    if (!keepersLog || ::pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error("cannot make a log file and a pipe for the server");
    output = Fd(ends[0]);
    keepersOutput = Fd(ends[1]);
    becomeReaper();
}

Server::Server(const Site& site, Panel panel, const std::vector<std::string>& options)
    : Server(site, commandFor(site, panel, options)) {}

Server::Server(const Site& site, FromFile)
    : Server(site, {atollBinary(), "serve", site.directory()}) {}

Server::Server(const Site& site, const Under& wrapper)
    : Server(site, joined(wrapper.command, commandFor(site, Panel::off, {}))) {}

Server::Server(const Site& site, const std::vector<std::string>& command)
    : outlets_(site), guardian_(command, outlets_.nothing.get(), outlets_.keepersOutput.get(),
                                outlets_.keepersLog.get()) {
    outlets_.keepersOutput = Fd();
    outlets_.keepersLog = Fd();
    try {
        awaitBanner();
    } catch (...) {
        cleanUp();
        throw;
    }
}

Server::~Server() {
    if (expectCleanEnd_ && std::uncaught_exceptions() == 0) {
        stop();
    } else if (std::uncaught_exceptions() > 0) {
        WARN("log of the server:\n" << log());
    }
    cleanUp();
}

void Server::awaitBanner() {
    const Deadline deadline;
    while (printed_.find("Ctrl-C stops it.") == std::string::npos) {
        if (!readOutput(deadline))
            throw std::runtime_error("the server printed no addresses; its output: " + printed_ +
                                     "\nits log: " + log());
    }
    port_ = portAfter("  Site   ");
    panelPort_ = portAfter("  Panel  ");
}

bool Server::readOutput(const Deadline& deadline) {
    pollfd entry{outlets_.output.get(), POLLIN, 0};
    if (::poll(&entry, 1, deadline.milliseconds()) != 1) return false;
    char bytes[4096];
    const auto got = ::read(outlets_.output.get(), bytes, sizeof bytes);
    if (got <= 0) return false;
    printed_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

/// "  Site   http://127.0.0.1:43211/". 0 when there is no such line, or it names a unix socket.
std::uint16_t Server::portAfter(std::string_view label) const {
    const std::string host = std::string(label) + "http://127.0.0.1:";
    const auto line = printed_.find(host);
    if (line == std::string::npos) return 0;
    return static_cast<std::uint16_t>(std::stoul(printed_.substr(line + host.size())));
}

std::string Server::output() {
    while (readOutput(Deadline(Duration::zero()))) {
    }
    return printed_;
}

std::string Server::setupTarget() {
    const std::string all = output();
    const auto begin = all.find("/setup?token=");
    if (begin == std::string::npos) return {};
    return all.substr(begin, all.find_first_of(" \n", begin) - begin);
}

std::string Server::log() const {
    return readFile(outlets_.logFile);
}

bool Server::awaitLog(std::string_view text, Duration patience) const {
    return eventually([&] { return log().find(text) != std::string::npos; }, patience);
}

pid_t Server::keeper() const {
    return awaitChild(guardian_.pid(), "atoll-keeper");
}

pid_t Server::serverPid() const {
    return awaitChild(keeper(), "atoll-server");
}

std::vector<ProcessEntry> Server::islands() const {
    auto below = descendantsOf(guardian_.pid());
    std::erase_if(below, [](const ProcessEntry& entry) {
        return entry.name == "atoll-server" || entry.name == "atoll-keeper";
    });
    return below;
}

void Server::stop() {
    guardian_.signal(SIGTERM);
    awaitCleanEnd();
}

void Server::awaitCleanEnd() {
    expectCleanEnd_ = false;
    const auto ending = guardian_.wait();
    INFO("log of the server:\n" << log());
    if (!ending) {
        FAIL_CHECK("the server did not end within " << kPatience.count() << " ms");
        return;
    }
    CHECK(ending->describe() == "exit status 0");
    CHECK(leftovers(Duration::zero()).empty());
    checkLog();
}

void Server::killKeeper() {
    expectCleanEnd_ = false;
    ::kill(keeper(), SIGKILL);
    guardian_.wait();
}

void Server::killGuardian() {
    expectCleanEnd_ = false;
    guardian_.signal(SIGKILL);
    guardian_.wait();
}

std::vector<ProcessEntry> Server::leftovers(Duration patience) const {
    std::vector<ProcessEntry> left;
    eventually(
        [&left] {
            left = strays();
            return left.empty();
        },
        patience);
    return left;
}

void Server::checkLog() const {
    for (const char* word : {"AddressSanitizer", "LeakSanitizer", "ThreadSanitizer",
                             "runtime error:", "exception: ", "terminate called"}) {
        CHECK(log().find(word) == std::string::npos);
    }
}

void Server::cleanUp() noexcept {
    guardian_.signal(SIGKILL);
    guardian_.wait();
    // What a killed keeper left behind has become our child.
    const Deadline deadline;
    for (auto left = strays(); !left.empty() && !deadline.passed(); left = strays()) {
        for (const ProcessEntry& entry : left)
            ::kill(entry.pid, SIGKILL);
    }
}

} // namespace reef::e2e

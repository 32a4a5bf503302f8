// The processes that the tests of the keeper need beside themselves:
//
//     process_helper nursery KEY=VALUE… serves the link at descriptor 3 until it is closed;
//                                       keys: max (children), user (number: the only identity)
//     process_helper keeper KEY=VALUE…  a Keeper at 127.0.0.1:0 that prints its port when it serves
//     process_helper server …           what that keeper starts: a line in, a line out
//
// Keeper keys: links, drain (ms), max (children), behave (given to the server, which knows
// refuse=CODE: exit before Ready; die: be killed before Ready; deaf: ignore Stop).

#include "base/text.h"
#include "io/listener.h"
#include "io/loop.h"
#include "io/signals.h"
#include "io/sleep.h"
#include "io/stream.h"
#include "process/inheritance.h"
#include "process/keeper.h"
#include "process/keeper_client.h"
#include "process/server_control.h"
#include "process/spawner.h"
#include "process/sweep.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>

using namespace reef;
using namespace reef::process;
using namespace std::chrono_literals;

namespace {

using Options = std::map<std::string, std::string>;

Options optionsFrom(int argc, char** argv) {
    Options options;
    for (int i = 2; i < argc; ++i) {
        const std::string text = argv[i];
        const auto equals = text.find('=');
        if (equals != std::string::npos) options[text.substr(0, equals)] = text.substr(equals + 1);
    }
    return options;
}

long numberOf(const Options& options, const char* key, long otherwise) {
    const auto found = options.find(key);
    return found == options.end() ? otherwise : std::stol(found->second);
}

// The keeper's part that serves links, alone.

int nursery(const Options& options) {
    ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    closeInheritedOnExec();
    const Fd signals = io::signalDescriptor({SIGCHLD});
    std::vector<Identity> identities;
    if (const long user = numberOf(options, "user", 0); user != 0) {
        const auto number = static_cast<uid_t>(user);
        identities.push_back({number, number, {number}, "test"});
    }
    Spawner spawner(std::move(identities),
                    static_cast<std::size_t>(numberOf(options, "max", 1024)));
    spawner.addLink(Fd(3));
    while (spawner.linkCount() != 0) {
        std::vector<pollfd> entries{{signals.get(), POLLIN, 0}};
        spawner.watch(entries);
        const auto deadline = spawner.children().deadline();
        const auto left = deadline ? *deadline - Clock::now() : 1h;
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(left).count();
        ::poll(entries.data(), entries.size(), static_cast<int>(std::max<long>(wait, 0)));
        const auto now = Clock::now();
        io::takeSignal(signals.get());
        int status = 0;
        rusage usage{};
        for (pid_t pid = 0; (pid = ::wait4(-1, &status, WNOHANG, &usage)) > 0;)
            spawner.reaped(pid, status, usage, now);
        spawner.serve(entries[1], now);
        spawner.children().expire(now);
        spawner.flush();
    }
    spawner.children().killAll();
    endDescendants();
    return 0;
}

// A server that does what a test tells it to.

class Server {
public:
    explicit Server(Inheritance inheritance, std::string behaviour)
        : behaviour_(std::move(behaviour)), generation_(inheritance.generation),
          control_(loop_, std::move(inheritance.control)) {
        for (Fd& link : inheritance.links)
            clients_.push_back(std::make_unique<KeeperClient>(loop_, std::move(link)));
        for (auto& entry : inheritance.listeners)
            for (Fd& socket : entry.sockets)
                listening_.start(serve(std::move(socket)));
    }

    int run() {
        loop_.tasks().start(obey());
        if (!control_.ready()) return 9;
        loop_.run();
        children_.clear();
        return status_;
    }

private:
    Task<void> obey() {
        for (;;) {
            const auto wish = co_await control_.next();
            if (std::holds_alternative<ServerControl::Reload>(wish)) ++reloads_;
            if (std::holds_alternative<ServerControl::Lost>(wish)) {
                status_ = 8;
                co_return loop_.stop();
            }
            if (std::holds_alternative<ServerControl::Stop>(wish) && behaviour_ != "deaf") {
                listening_.dropAll();
                while (busy_ != 0)
                    co_await io::Sleep(loop_, 1ms);
                if (!control_.drained()) status_ = 9;
                co_return loop_.stop();
            }
        }
    }

    Task<void> serve(Fd socket) {
        io::Listener listener(loop_, std::move(socket));
        for (;;) {
            auto accepted = co_await listener.accept();
            if (accepted) loop_.tasks().start(answer(std::move(accepted->socket)));
        }
    }

    Task<void> answer(Fd socket) {
        io::SocketStream stream(loop_, std::move(socket));
        std::array<char, 256> room;
        const auto got = co_await stream.read(room);
        if (!got) co_return;
        ++busy_;
        auto line = std::string(room.data(), *got);
        const std::string reply = co_await obeyLine(std::move(line)) + "\n";
        co_await stream.write(reply);
        --busy_;
    }

    Task<std::string> obeyLine(std::string line) {
        std::string_view rest = text::trim(std::string_view(line).substr(0, line.find('\n')));
        const std::string verb(text::takeUntil(rest, ' '));
        const std::string argument(rest);
        if (verb == "pid") co_return std::to_string(::getpid());
        if (verb == "generation") co_return std::to_string(generation_);
        if (verb == "links") co_return std::to_string(clients_.size());
        if (verb == "reloads") co_return std::to_string(reloads_);
        if (verb == "crash") ::raise(SIGKILL);
        if (verb == "exit") ::_exit(std::stoi(argument));
        if (verb == "quit") co_return control_.quit() ? "ok" : "lost";
        if (verb == "sleep") {
            co_await io::Sleep(loop_, std::chrono::milliseconds(std::stol(argument)));
            co_return "slept";
        }
        if (verb == "sh") co_return co_await shell(argument);
        if (verb == "listen") co_return co_await listen(argument);
        if (verb == "status") co_return co_await status();
        co_return "unknown verb";
    }

    /// Starts a shell script and goes on.
    Task<std::string> shell(std::string script) {
        SpawnRequest request("/bin/sh");
        for (const char* argument : {"sh", "-c", script.c_str()})
            request.arguments.add(argument);
        request.environment.add("PATH=/bin:/usr/bin");
        auto child = co_await clients_.back()->spawn(std::move(request));
        if (!child) co_return child.error().describe();
        const auto pid = std::to_string(child->pid());
        children_.push_back(std::move(*child));
        co_return pid;
    }

    Task<std::string> listen(std::string where) {
        const auto address = io::Address::parse(where);
        if (!address) co_return "malformed";
        auto sockets = co_await control_.listen(*address, 1);
        if (!sockets) co_return sockets.error().describe();
        sockaddr_storage bound{};
        socklen_t length = sizeof bound;
        ::getsockname(sockets->front().get(), reinterpret_cast<sockaddr*>(&bound), &length);
        listening_.start(serve(std::move(sockets->front())));
        co_return io::Address(reinterpret_cast<sockaddr*>(&bound), length).describe();
    }

    Task<std::string> status() {
        const auto status = co_await control_.status();
        if (!status) co_return "lost";
        co_return text::concat(status->pid, ' ', status->restarts, ' ', status->running, ' ',
                               status->started, ' ', status->failed);
    }

    std::string behaviour_;
    std::uint32_t generation_;
    io::Loop loop_;
    ServerControl control_;
    std::vector<std::unique_ptr<KeeperClient>> clients_;
    std::vector<Child> children_;
    int reloads_ = 0;
    int busy_ = 0;
    int status_ = 0;
    coro::Scope listening_;
};

int server(const Options& options) {
    auto inheritance = receiveInheritance(Fd(kControlDescriptor));
    if (!inheritance) {
        std::fprintf(stderr, "no inheritance: %s\n", inheritance.error().describe().c_str());
        return 70;
    }
    const auto refuse = numberOf(options, "refuse", -1);
    if (refuse >= 0) return static_cast<int>(refuse);
    const auto found = options.find("behave");
    const auto behaviour = found == options.end() ? std::string() : found->second;
    if (behaviour == "die") ::raise(SIGKILL);
    return Server(std::move(*inheritance), behaviour).run();
}

int keeper(int argc, char** argv) {
    const auto options = optionsFrom(argc, argv);
    KeeperSpec spec;
    const auto bound = spec.listeners.add(*io::Address::parse("127.0.0.1:0"));
    if (!bound) return 71;
    const auto port = (*bound)->address.port();
    spec.server.executable = openOwnExecutable();
    spec.server.arguments = {"process_helper", "server"};
    for (int i = 2; i < argc; ++i)
        spec.server.arguments.emplace_back(argv[i]);
    spec.server.environment = ownEnvironment();
    spec.links = static_cast<unsigned>(numberOf(options, "links", 1));
    spec.drainGrace = std::chrono::milliseconds(numberOf(options, "drain", 5000));
    spec.maxChildren = static_cast<std::size_t>(numberOf(options, "max", 1024));
    spec.firstReady = [port] {
        std::printf("%d\n", int{port});
        std::fflush(stdout);
    };
    return Keeper(std::move(spec)).run();
}

} // namespace

int main(int argc, char** argv) {
    const std::string part = argc > 1 ? argv[1] : "";
    if (part == "nursery") return nursery(optionsFrom(argc, argv));
    if (part == "keeper") return keeper(argc, argv);
    if (part == "server") return server(optionsFrom(argc, argv));
    std::fprintf(stderr, "usage: process_helper nursery|keeper|server\n");
    return 64;
}

#include "gateway/cgi.h"

#include "base/text.h"
#include "coro/race.h"
#include "gateway/answer_relay.h"
#include "gateway/cgi_failure.h"
#include "gateway/program.h"
#include "gateway/query_arguments.h"
#include "gateway/script_input.h"
#include "gateway/stderr_log.h"
#include "io/stream.h"
#include "io/within.h"

#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <optional>

namespace reef::gateway {

namespace {

constexpr std::chrono::seconds kGrace{2}; // between TERM and KILL
constexpr io::Timeout kUsualTimeout = std::chrono::seconds(60);
constexpr io::Timeout kEndAfterOutput =
    std::chrono::seconds(5); // a program that closed its output is about to end

using Clock = std::chrono::steady_clock;

std::chrono::microseconds since(Clock::time_point begin) {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
}

/// What becomes of processes that left an island's group, when it is ended.
enum class Leave : bool { allowed, refused };

void addUse(IslandRun& run, const process::Exit& exit) {
    run.cpu = exit.userTime + exit.systemTime;
    run.peakMemory = exit.peakMemory;
}

/// The end of a program that nobody waits for any more: it has been told to end.
Task<void> watchEnd(IslandNumbers& numbers, process::Child child, StderrLog errors,
                    std::string file, std::string name, IslandRun run, Clock::time_point began) {
    const auto exit = co_await child.exited();
    if (!exit) co_return; // the keeper is gone
    if (exit->signal() == SIGKILL)
        errors.note("did not end when it was told to (TERM), and was killed");
    addUse(run, *exit);
    run.wall = since(began);
    numbers.record(file, name, std::move(run));
}

/// One run. Lives in the frame of runIsland; its scope ends the pumps when the frame goes.
class Run final : public Program {
public:
    Run(CgiServices& services, const Island& island, const ScriptTarget& target,
        http::Request& request, IslandHost& host)
        : services_(services), island_(island), target_(target), request_(request), host_(host),
          errors_(island.scriptName.substr(1)), input_(services.loop, *request.body) {}

    /// Starts the program and the pumps of its input and standard error.
    Task<http::Handled> start();

    /// What is left on standard error belongs to the log.
    void finishLog();

    Task<Result<std::size_t>> read(ByteRoom into) override;
    Result<std::size_t> readNow(ByteRoom into) override;
    Task<http::Handled> outcome() override;
    bool hasDied() const noexcept override { return exit_ && *exit_ && !(*exit_)->succeeded(); }
    std::optional<Error> inputError() const noexcept override { return inputError_; }
    void note(std::string_view what) override { errors_.note(what); }

    /// How the request was answered, and whether all that the program has started is to end with
    /// it, wherever it has gone.
    void conclude(const http::Handled& handled, Leave leave);
    bool wasIdle() const noexcept { return idle_; }

    /// The run's numbers are told, at once or when the program has ended.
    ~Run();

private:
    Task<process::StartResult<process::Child>> launch(process::SpawnRequest spawn);
    Task<void> feed();
    Task<void> watchErrors();
    Task<void> watchExit();
    Task<Status> outputReadable();
    Task<void> programStopped() { co_await stopped_.wait(); }
    void openToAll(const process::SpawnRequest& spawn) const;

    CgiServices& services_;
    const Island& island_;
    const ScriptTarget& target_;
    http::Request& request_;
    IslandHost& host_;
    StderrLog errors_;

    IslandRun run_;
    std::string mark_;          ///< no other run has it, and all that this one starts inherits it
    Clock::time_point began_{}; ///< it was its turn

    ScriptInput input_;
    std::unique_ptr<io::PipeStream> output_;
    std::unique_ptr<io::PipeStream> errorOutput_;
    process::Child child_;
    std::optional<Result<process::Exit>> exit_;
    std::optional<Error> inputError_;
    bool feeding_ = false; ///< content goes on to the program
    bool idle_ = false;    ///< it was silent for too long
    coro::Event stopped_;  ///< the program has ended, or its input failed
    coro::Scope pumps_;    ///< last: what the pumps use outlives them
};

Task<http::Handled> Run::start() {
    const std::string& program = island_.interpreter.empty() ? island_.file : island_.interpreter;
    process::SpawnRequest spawn(program);
    if (const auto ready = co_await input_.prepare(services_.spoolDirectory); !ready)
        co_return failedBody(ready.error());
    spawn.input = input_.takeProgramsEnd();
    const auto asked = Clock::now();
    if (auto admitted = co_await host_.admit(); !admitted) co_return admitted;
    run_.queued = since(asked);
    began_ = Clock::now();
    auto output = io::makePipe(io::OurEnd::read);
    auto errorOutput = io::makePipe(io::OurEnd::read);
    if (!output || !errorOutput)
        co_return http::failWith(503, "no descriptors left for an island's pipes");
    spawn.arguments.add(program);
    if (!island_.interpreter.empty()) spawn.arguments.add(island_.file);
    // An interpreter might take them for its own options.
    if (target_.queryArguments && island_.interpreter.empty())
        for (const std::string& word : queryArguments(request_.method, request_.query))
            spawn.arguments.add(word);
    for (const std::string_view argument : target_.arguments)
        spawn.arguments.add(argument);
    spawn.environment = metaVariables(request_, target_, input_.length());
    mark_ = text::concat(request_.id, '.', ++services_.runs);
    spawn.environment.add(kRunVariable, mark_);
    spawn.directory = target_.directory.empty()
                          ? std::string_view(island_.file).substr(0, island_.file.rfind('/'))
                          : target_.directory;
    spawn.output = std::move(output->write);
    spawn.error = std::move(errorOutput->write);
    spawn.grace = kGrace;
    spawn.limits = host_.rules().limits;
    spawn.identity = host_.rules().identity;
    if (services_.forOthers) openToAll(spawn);
    auto child = co_await launch(std::move(spawn));
    if (!child) co_return failedStart(child.error(), island_);
    child_ = std::move(*child);
    errors_.setProcess(child_.pid(), request_.id);
    output_ = std::make_unique<io::PipeStream>(services_.loop, std::move(output->read));
    errorOutput_ = std::make_unique<io::PipeStream>(services_.loop, std::move(errorOutput->read));
    pumps_.start(watchErrors());
    pumps_.start(watchExit());
    if (input_.needsFeeding()) pumps_.start(feed());
    co_return http::Handled{};
}

/// By a warm interpreter, if there is one and it takes it, else by itself.
Task<process::StartResult<process::Child>> Run::launch(process::SpawnRequest spawn) {
    process::Zygote* const warm =
        island_.warm && services_.warm != nullptr ? services_.warm->find(island_, spawn) : nullptr;
    if (warm != nullptr) {
        auto child = co_await warm->run(spawn, island_.interpreter.empty() ? 1 : 2);
        if (child || child.error().step != process::StartStep::zygoteRefused) co_return child;
    }
    co_return co_await services_.keeper.spawn(std::move(spawn));
}

Task<void> Run::feed() {
    feeding_ = true;
    const auto fed = co_await input_.feed();
    feeding_ = false;
    if (fed) co_return;
    inputError_ = fed.error();
    stopped_.set();
}

Task<void> Run::watchErrors() {
    char bytes[2048];
    for (;;) {
        const auto got = co_await errorOutput_->read(bytes);
        if (!got || *got == 0) co_return;
        errors_.take({bytes, *got});
    }
}

Task<void> Run::watchExit() {
    exit_ = co_await child_.exited();
    stopped_.set();
}

void Run::finishLog() {
    if (!errorOutput_) return;
    char bytes[2048];
    constexpr int kMaxReads = 32; // a descendant may hold the pipe, and write on and on
    for (int i = 0; i < kMaxReads; ++i) {
        const auto got = errorOutput_->readNow(bytes);
        if (!got || *got == 0) break;
        errors_.take({bytes, *got});
    }
    errors_.finish();
}

void Run::conclude(const http::Handled& handled, Leave leave) {
    if (!handled && !handled.error().clientGone()) run_.failed = true;
    if (leave == Leave::refused && child_.running())
        child_.endAll(kGrace, text::concat(kRunVariable, '=', mark_));
}

Run::~Run() {
    if (began_ == Clock::time_point()) return; // it was never its turn
    run_.errors = errors_.takeLast();
    host_.said(run_.errors);
    if (child_.running()) {
        pumps_.dropAll(); // one of them waits for the child here
        child_.terminate(kGrace);
        services_.endings.start(watchEnd(services_.numbers, std::move(child_), std::move(errors_),
                                         island_.file, island_.scriptName, std::move(run_),
                                         began_));
        return;
    }
    if (exit_ && *exit_) {
        addUse(run_, **exit_);
        if (!(*exit_)->succeeded()) run_.failed = true;
    }
    run_.wall = since(began_);
    services_.numbers.record(island_.file, island_.scriptName, std::move(run_));
}

/// A program opens /dev/stderr and the like by the rights of the pipe, which is ours.
void Run::openToAll(const process::SpawnRequest& spawn) const {
    for (const auto* descriptor : {&spawn.input, &spawn.output, &spawn.error}) {
        if (!descriptor->absent() && ::fchmod(descriptor->number(), 0666) != 0)
            errors_.note(text::concat("cannot open its standard streams to its user: ",
                                      Error::fromErrno().describe()));
    }
}

Result<std::size_t> Run::readNow(ByteRoom into) {
    const auto got = output_->readNow(into);
    if (got) run_.bytes += *got;
    return got;
}

/// Bytes, or 0 when the program has closed its output, has ended and a descendant alone holds it
/// open, or was silent for too long. While it is given content its silence is no idleness.
Task<Result<std::size_t>> Run::read(ByteRoom into) {
    for (;;) {
        const auto got = readNow(into);
        if (got || !(got.error() == Error::unavailable)) co_return got;
        if (stopped_.isSet()) co_return 0U;
        const auto first = co_await coro::race(outputReadable(), programStopped());
        const auto* const waited = std::get_if<0>(&first);
        if (waited == nullptr || *waited || waited->error() != Error::timedOut || feeding_)
            continue;
        idle_ = true;
        co_return 0U;
    }
}

Task<Status> Run::outputReadable() {
    co_return co_await output_->readable(host_.rules().idleTimeout.value_or(io::kNever));
}

Task<http::Handled> Run::outcome() {
    if (idle_)
        co_return http::failWith(504, text::concat("island ", island_.name, " wrote nothing for ",
                                                   host_.rules().idleTimeout->count(),
                                                   " ms and was ended (`island_idle_timeout`)"));
    if (!stopped_.isSet()) {
        struct Stopped {
            static Task<Result<bool>> wait(coro::Event& event) {
                co_await event.wait();
                co_return true;
            }
        };
        co_await io::Within<bool>(services_.loop, kEndAfterOutput, Stopped::wait(stopped_));
    }
    if (inputError_) co_return failedBody(*inputError_);
    if (!exit_) {
        errors_.note("closed its output and went on; it is ended now");
        co_return http::Handled{};
    }
    if (!*exit_) co_return http::failWith(503, "the keeper is gone");
    const process::Exit& exit = **exit_;
    const std::string why = exit.succeeded() ? "" : describeEnd(exit, host_.rules().limits);
    if (exit.signal() != 0)
        co_return http::failWith(502, text::concat("island ", island_.name, ": ", why));
    if (!exit.succeeded()) errors_.note(why);
    co_return http::Handled{};
}

Task<Result<IslandResult>> relayWithin(AnswerRelay& answer) {
    co_return co_await answer.relay();
}

} // namespace

Task<IslandResult> runIsland(CgiServices& services, const Island& island,
                             const ScriptTarget& target, http::Request& request,
                             http::ResponseSink& sink, IslandHost& host) {
    Run run(services, island, target, request, host);
    AnswerRelay answer(run, island, request, sink, services.buffers);
    if (auto started = co_await run.start(); !started) {
        run.conclude(started, Leave::allowed);
        co_return std::unexpected(std::move(started.error()));
    }
    const auto timeout = host.rules().timeout.value_or(kUsualTimeout);
    auto result = co_await io::Within<IslandResult>(services.loop, timeout, relayWithin(answer));
    run.finishLog();
    if (result) {
        const auto handled = *result ? http::Handled() : std::unexpected(result->error());
        run.conclude(handled, run.wasIdle() ? Leave::refused : Leave::allowed);
        co_return std::move(*result);
    }
    http::Handled late =
        http::failWith(504, text::concat("island ", island.name, " took longer than ",
                                         timeout.count(), " ms and was ended (`island_timeout`)"));
    run.conclude(late, Leave::refused);
    co_return std::unexpected(std::move(late.error()));
}

} // namespace reef::gateway

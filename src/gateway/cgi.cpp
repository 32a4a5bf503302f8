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

#include <memory>
#include <optional>

namespace reef::gateway {

namespace {

constexpr io::Timeout kEndAfterOutput =
    std::chrono::seconds(5); // a program that closed its output is about to end

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
    Result<std::size_t> readNow(ByteRoom into) override { return output_->readNow(into); }
    Task<http::Handled> outcome() override;
    bool hasDied() const noexcept override { return exit_ && *exit_ && !(*exit_)->succeeded(); }
    std::optional<Error> inputError() const noexcept override { return inputError_; }
    void note(std::string_view what) override { errors_.note(what); }

private:
    Task<process::StartResult<process::Child>> launch(process::SpawnRequest spawn);
    Task<void> feed();
    Task<void> watchErrors();
    Task<void> watchExit();
    Task<Status> outputReadable();
    Task<void> programStopped() { co_await stopped_.wait(); }

    CgiServices& services_;
    const Island& island_;
    const ScriptTarget& target_;
    http::Request& request_;
    IslandHost& host_;
    StderrLog errors_;

    ScriptInput input_;
    std::unique_ptr<io::PipeStream> output_;
    std::unique_ptr<io::PipeStream> errorOutput_;
    process::Child child_;
    std::optional<Result<process::Exit>> exit_;
    std::optional<Error> inputError_;
    coro::Event stopped_; ///< the program has ended, or its input failed
    coro::Scope pumps_;   ///< last: what the pumps use outlives them
};

Task<http::Handled> Run::start() {
    const std::string& program = island_.interpreter.empty() ? island_.file : island_.interpreter;
    process::SpawnRequest spawn(program);
    if (const auto ready = co_await input_.prepare(services_.spoolDirectory); !ready)
        co_return failedBody(ready.error());
    spawn.input = input_.takeProgramsEnd();
    if (auto admitted = co_await host_.admit(); !admitted) co_return admitted;
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
    spawn.environment = metaVariables(request_, target_, input_.length());
    spawn.directory = island_.file.substr(0, island_.file.rfind('/'));
    spawn.output = std::move(output->write);
    spawn.error = std::move(errorOutput->write);
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
        auto child = co_await warm->run(spawn);
        if (child || child.error().step != process::StartStep::zygoteRefused) co_return child;
    }
    co_return co_await services_.keeper.spawn(std::move(spawn));
}

Task<void> Run::feed() {
    const auto fed = co_await input_.feed();
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

Task<Result<std::size_t>> Run::read(ByteRoom into) {
    for (;;) {
        const auto got = output_->readNow(into);
        if (got || !(got.error() == Error::unavailable)) co_return got;
        if (stopped_.isSet()) co_return 0U;
        co_await coro::race(outputReadable(), programStopped());
    }
}

Task<Status> Run::outputReadable() {
    co_return co_await output_->readable();
}

Task<http::Handled> Run::outcome() {
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
    if (exit.signal() != 0)
        co_return http::failWith(502, text::concat("island ", island_.name, ": ", exit.describe()));
    if (!exit.succeeded()) errors_.note(exit.describe());
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
    if (auto started = co_await run.start(); !started)
        co_return std::unexpected(std::move(started.error()));
    auto result =
        co_await io::Within<IslandResult>(services.loop, services.timeout, relayWithin(answer));
    run.finishLog();
    if (!result)
        co_return http::failWith(504, text::concat("island ", island.name, " took longer than ",
                                                   services.timeout.count(), " ms and was ended"));
    co_return std::move(*result);
}

} // namespace reef::gateway

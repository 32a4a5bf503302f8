#include "gateway/cgi.h"

#include "base/text.h"
#include "coro/race.h"
#include "gateway/announced_length.h"
#include "gateway/cgi_failure.h"
#include "gateway/script_head.h"
#include "gateway/script_input.h"
#include "gateway/stderr_log.h"
#include "http/status.h"
#include "io/stream.h"
#include "io/within.h"

#include <memory>
#include <optional>

namespace reef::gateway {

namespace {

constexpr io::Timeout kEndAfterOutput =
    std::chrono::seconds(5); // a program that closed its output is about to end

/// One run. Lives in the frame of runIsland; its scope ends the pumps when the frame goes.
class Run {
public:
    Run(CgiServices& services, const Island& island, const ScriptTarget& target,
        http::Request& request, http::ResponseSink& sink, IslandHost& host)
        : services_(services), island_(island), target_(target), request_(request), sink_(sink),
          host_(host), errors_("cgi-bin/" + island.name), buffer_(services.buffers.take()),
          head_(*request.arena), input_(services.loop, *request.body) {}

    /// Starts the program and the pumps of its input and standard error.
    Task<http::Handled> start();

    /// Passes its answer on, to the end.
    Task<Result<http::Handled>> relay();

    /// What is left on standard error belongs to the log.
    void finishLog();

private:
    Task<process::StartResult<process::Child>> launch(process::SpawnRequest spawn);
    Task<void> feed();
    Task<void> watchErrors();
    Task<void> watchExit();

    Task<http::Handled> readHead();
    Task<http::Handled> passOn();
    Task<http::Handled> sendWhole(ByteView content);
    Task<http::Handled> stream(ByteView content);
    Task<Status> writeOn(ByteView content);
    bool fitsBuffer() const noexcept;
    bool hasContent() const noexcept;
    bool hasDied() const noexcept { return exit_ && *exit_ && !(*exit_)->succeeded(); }

    Task<Result<std::size_t>> readOutput(ByteRoom room);
    Task<Status> outputReadable();
    Task<void> programStopped() { co_await stopped_.wait(); }
    Task<http::Handled> outcome();

    ByteRoom room() const { return buffer_.room().subspan(used_); }

    CgiServices& services_;
    const Island& island_;
    const ScriptTarget& target_;
    http::Request& request_;
    http::ResponseSink& sink_;
    IslandHost& host_;
    StderrLog errors_;
    io::BufferPool::Lease buffer_;
    std::size_t used_ = 0; ///< bytes in the buffer while the head is read
    ScriptHead head_;
    AnnouncedLength announced_{std::nullopt};

    ScriptInput input_;
    std::unique_ptr<io::PipeStream> output_;
    std::unique_ptr<io::PipeStream> errorOutput_;
    process::Child child_;
    std::optional<Result<process::Exit>> exit_;
    std::optional<Error> bodyError_;
    coro::Event stopped_; ///< the program has ended, or its input failed
    coro::Scope pumps_;   ///< last: what the pumps use outlives them
};

Task<http::Handled> Run::start() {
    process::SpawnRequest spawn(island_.file);
    if (const auto ready = co_await input_.prepare(services_.spoolDirectory); !ready)
        co_return failedBody(ready.error());
    spawn.input = input_.takeProgramsEnd();
    if (auto admitted = co_await host_.admit(); !admitted) co_return admitted;
    auto output = io::makePipe(io::OurEnd::read);
    auto errorOutput = io::makePipe(io::OurEnd::read);
    if (!output || !errorOutput)
        co_return http::failWith(503, "no descriptors left for an island's pipes");
    spawn.arguments.add(island_.file);
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
    bodyError_ = fed.error();
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

Task<Result<http::Handled>> Run::relay() {
    auto handled = co_await readHead();
    if (!handled) co_return handled;
    if (head_.kind() == ScriptHead::Kind::localRedirect)
        co_return co_await host_.follow(request_, head_.location());
    co_return co_await passOn();
}

Task<http::Handled> Run::readHead() {
    for (;;) {
        const auto verdict = head_.parse({buffer_.room().data(), used_});
        if (verdict == http::Verdict::complete) co_return http::Handled{};
        if (verdict == http::Verdict::rejected)
            co_return http::failWith(
                502, text::concat("the answer of ", island_.name, ": ", head_.reason()));
        if (room().empty())
            co_return http::failWith(502, text::concat("the head of the answer of ", island_.name,
                                                       " is longer than ", io::BufferPool::kBytes,
                                                       " bytes"));
        const auto got = co_await readOutput(room());
        if (bodyError_) co_return failedBody(*bodyError_);
        if (!got || *got == 0) break;
        used_ += *got;
    }
    const auto ended = co_await outcome();
    if (!ended) co_return ended;
    co_return http::failWith(
        502, used_ == 0 ? describeSilence(island_, hasDied())
                        : text::concat("the answer of ", island_.name,
                                       " ended within its head; expected an empty line after it"));
}

/// The content. A short answer that is there whole goes out at once and with its length. One whose
/// announced length fits the buffer is waited for, so that the length can be known to be right.
Task<http::Handled> Run::passOn() {
    announced_ = AnnouncedLength(head_.head().length);
    const bool patient = fitsBuffer();
    while (!room().empty()) {
        const auto got = patient ? co_await readOutput(room()) : output_->readNow(room());
        if (bodyError_) co_return failedBody(*bodyError_);
        if (!got && !patient) break;
        if (!got || *got == 0) {
            const ByteView all(buffer_.room().data(), used_);
            co_return co_await sendWhole(all.subspan(head_.length()));
        }
        used_ += *got;
    }
    if (patient && hasContent()) head_.forgetLength(); // there is more than was announced
    const ByteView all(buffer_.room().data(), used_);
    co_return co_await stream(all.subspan(head_.length()));
}

/// With room for one byte more, to see that more comes.
bool Run::fitsBuffer() const noexcept {
    const auto announced = head_.head().length;
    return announced && *announced < io::BufferPool::kBytes - head_.length();
}

/// Whether content goes to the client, so that its length matters.
bool Run::hasContent() const noexcept {
    const int status = head_.head().status;
    return request_.method != http::Method::head && status != 205 && !http::forbidsContent(status);
}

Task<http::Handled> Run::sendWhole(ByteView content) {
    if (auto ended = co_await outcome(); !ended) co_return ended;
    if (request_.method == http::Method::head && head_.head().length) {
        const auto begun = co_await sink_.begin(head_.head());
        co_return handledAs(begun ? co_await sink_.end() : begun);
    }
    announced_.take(content);
    if (hasContent() && announced_.isShort() && hasDied())
        co_return http::failWith(
            502, text::concat("island ", island_.name, " ", announced_.describe(), ", and failed"));
    if (hasContent() && !announced_.isRight())
        errors_.note(announced_.describe() + "; the client is given what it wrote");
    co_return handledAs(co_await http::sendPiece(sink_, head_.head(), content));
}

Task<http::Handled> Run::stream(ByteView content) {
    auto sent = co_await sink_.begin(head_.head());
    if (sent) sent = content.empty() ? co_await sink_.flush() : co_await writeOn(content);
    // From here on the head's views are of no more use, and the whole buffer is free.
    used_ = 0;
    while (sent) {
        const auto got = co_await readOutput(room());
        if (bodyError_) co_return failedBody(*bodyError_);
        if (!got || *got == 0) break;
        sent = co_await writeOn({buffer_.room().data(), *got});
    }
    if (!sent) co_return handledAs(sent);
    if (auto ended = co_await outcome(); !ended) co_return ended;
    if (hasContent() && announced_.isShort())
        co_return http::failWith(502,
                                 text::concat("island ", island_.name, " ", announced_.describe()));
    if (hasContent() && announced_.isExceeded() && !head_.head().length)
        errors_.note(announced_.describe() + "; the client is given what it wrote");
    co_return handledAs(co_await sink_.end());
}

/// A promised length is kept: what is more than it goes nowhere. That is said before the client has
/// its last byte, and may leave.
Task<Status> Run::writeOn(ByteView content) {
    const bool knownBefore = announced_.isExceeded();
    const ByteView promised = announced_.take(content);
    if (head_.head().length && hasContent() && !knownBefore && announced_.isExceeded())
        errors_.note(announced_.describe() + " and more; the client is given what it announced");
    co_return co_await http::writePiece(sink_, head_.head().length ? promised : content);
}

/// Bytes, or 0 when the program has closed its output, or has ended and a descendant alone holds it
/// open.
Task<Result<std::size_t>> Run::readOutput(ByteRoom into) {
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

/// How the program ended, after its output: a crash is a failure even when all looked well.
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
    if (bodyError_) co_return failedBody(*bodyError_);
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

} // namespace

Task<http::Handled> runIsland(CgiServices& services, const Island& island,
                              const ScriptTarget& target, http::Request& request,
                              http::ResponseSink& sink, IslandHost& host) {
    Run run(services, island, target, request, sink, host);
    if (auto started = co_await run.start(); !started) co_return started;
    auto handled = co_await io::Within<http::Handled>(services.loop, services.timeout, run.relay());
    run.finishLog();
    if (!handled)
        co_return http::failWith(504, text::concat("island ", island.name, " took longer than ",
                                                   services.timeout.count(), " ms and was ended"));
    co_return std::move(*handled);
}

} // namespace reef::gateway

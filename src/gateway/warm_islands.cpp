#include "gateway/warm_islands.h"

#include "base/log.h"
#include "base/text.h"
#include "gateway/meta_variables.h"
#include "gateway/shebang.h"
#include "gateway/stderr_log.h"
#include "gateway/warm_command.h"
#include "io/sleep.h"
#include "io/stream.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <optional>

namespace reef::gateway {

namespace {

using Time = std::chrono::steady_clock::time_point;

constexpr std::size_t kMostEntries = 1024;    // of islands that were asked for, warm or not
constexpr std::chrono::seconds kGrace{5};     // for an interpreter, whose children have their own
constexpr std::chrono::seconds kSoundAge{10}; // who has lived so long is no failure when it ends

/// Whether a variable of a run says something of the island, and nothing of the request.
bool isLasting(std::string_view entry) {
    constexpr std::string_view kNames[] = {"PATH=",
                                           "GATEWAY_INTERFACE=",
                                           "SERVER_SOFTWARE=",
                                           "DOCUMENT_ROOT=",
                                           "SCRIPT_FILENAME=",
                                           "LANG=",
                                           "LC_",
                                           "TZ=",
                                           "HOME=",
                                           "TMPDIR=",
                                           "PERL",
                                           "PYTHON"};
    return std::ranges::any_of(kNames,
                               [entry](std::string_view name) { return entry.starts_with(name); });
}

process::StringList lastingOf(const process::StringList& environment) {
    process::StringList lasting;
    std::string_view rest = environment.view().bytes;
    while (!rest.empty()) {
        const auto entry = text::takeUntil(rest, '\0');
        if (isLasting(entry)) lasting.add(entry);
    }
    return lasting;
}

std::optional<WarmCommand> commandOf(const Island& island) {
    const auto line = shebangOfFile(island.file);
    if (!island.interpreter.empty()) return warmCommandBy(island.interpreter, line.value_or(""));
    return line ? warmCommandOf(*line) : std::nullopt;
}

} // namespace

/// A zygote, and what it writes to standard error.
class WarmIslands::Interpreter {
public:
    Interpreter(WarmIslands& services, const std::string& name, process::SpawnRequest request,
                const WarmCommand& command, Fd errorOutput, bool silent)
        : began(services.loop_.now()), errors_(name), silent_(silent),
          errorOutput_(services.loop_, std::move(errorOutput)),
          zygote(services.loop_, services.keeper_, std::move(request),
                 warmProgram(command.language)) {
        errors_.setSpeaker("warm interpreter");
        pumps_.start(watchErrors());
    }

    const Time began;

private:
    /// Yields, for who writes without a pause may not have the loop to itself.
    Task<void> watchErrors() {
        char bytes[2048];
        for (;;) {
            const auto got = co_await errorOutput_.read(bytes);
            if (!got || *got == 0) break;
            if (!silent_) errors_.take({bytes, *got});
            co_await io::Yield();
        }
        if (!silent_) errors_.finish();
    }

    StderrLog errors_;
    bool silent_; ///< it was said before
    io::PipeStream errorOutput_;

public:
    process::Zygote zygote;

private:
    coro::Scope pumps_; // last
};

/// What is known of an island that was asked for.
struct WarmIslands::Entry {
    std::string name;    ///< "cgi-bin/form.pl"
    std::string program; ///< the interpreter that the configuration names, if it does
    FileVersion version;
    process::Limits limits;
    std::uint16_t identity = 0;
    std::optional<WarmCommand> command; ///< nothing: it cannot be kept warm
    std::unique_ptr<Interpreter> interpreter;
    Time used;
    int failures = 0;
    Time retry;       ///< not before
    std::string told; ///< the failure that the log has

    bool fits(const Island& island, const process::SpawnRequest& request) const {
        return version == island.version && program == island.interpreter &&
               limits == request.limits && identity == request.identity;
    }

    void become(const Island& island, const process::SpawnRequest& request) {
        name = island.scriptName.substr(1);
        program = island.interpreter;
        version = island.version;
        limits = request.limits;
        identity = request.identity;
        command = commandOf(island);
        failures = 0;
        retry = {};
        told.clear();
    }
};

WarmIslands::WarmIslands(io::Loop& loop, process::KeeperClient& keeper)
    : loop_(loop), keeper_(keeper) {
    tasks_.start(lookAfter());
}

WarmIslands::~WarmIslands() = default;

process::Zygote* WarmIslands::find(const Island& island, const process::SpawnRequest& request) {
    using State = process::Zygote::State;
    auto& place = entries_[island.file];
    if (place == nullptr) place = std::make_unique<Entry>();
    Entry& entry = *place;
    if (entry.name.empty() || !entry.fits(island, request)) {
        dismiss(entry);
        entry.become(island, request);
    }
    entry.used = loop_.now();
    if (entry.interpreter != nullptr) {
        process::Zygote& zygote = entry.interpreter->zygote;
        if (zygote.state() == State::serving) return &zygote;
        if (zygote.state() == State::stale) dismiss(entry);
        if (zygote.hasEnded()) noteEnd(entry);
    }
    const bool wanted = entry.command && entry.interpreter == nullptr;
    if (wanted && entry.retry <= loop_.now()) start(entry, island, request);
    return nullptr;
}

void WarmIslands::start(Entry& entry, const Island& island, const process::SpawnRequest& request) {
    auto errorOutput = io::makePipe(io::OurEnd::read);
    // What is written there shows that the script does not only load.
    Fd output(::memfd_create("output", MFD_CLOEXEC));
    if (!errorOutput || !output) return; // the next request tries again
    makeRoom();
    process::SpawnRequest start(entry.command->interpreter);
    start.directory = request.directory;
    start.arguments = warmArguments(*entry.command, island.file);
    start.environment = lastingOf(request.environment);
    // Room for what names a run: a forked process writes it there, for /proc/PID/environ.
    start.environment.add(kRunVariable, std::string(kMaxRunName, '-'));
    start.output = std::move(output);
    start.error = std::move(errorOutput->write);
    start.limits = request.limits;
    start.limits.cpuTime.reset(); // it lives long; each child has its own limit
    start.identity = request.identity;
    start.grace = kGrace;
    entry.interpreter =
        std::make_unique<Interpreter>(*this, entry.name, std::move(start), *entry.command,
                                      std::move(errorOutput->read), !entry.told.empty());
    begun_.set();
}

/// For one more.
void WarmIslands::makeRoom() {
    if (entries_.size() > kMostEntries)
        std::erase_if(entries_, [](const auto& item) {
            return item.second->interpreter == nullptr && item.second->failures == 0 &&
                   !item.second->command;
        });
    std::size_t kept = 0;
    Entry* oldest = nullptr;
    for (const auto& [file, entry] : entries_) {
        if (entry->interpreter == nullptr) continue;
        ++kept;
        if (oldest == nullptr || entry->used < oldest->used) oldest = entry.get();
    }
    if (kept >= kMostInterpreters) dismiss(*oldest);
}

/// Its interpreter goes when its children have ended.
void WarmIslands::dismiss(Entry& entry) {
    if (entry.interpreter == nullptr) return;
    entry.interpreter->zygote.retire();
    leaving_.push_back(std::move(entry.interpreter));
}

/// Its interpreter has ended by itself.
void WarmIslands::noteEnd(Entry& entry) {
    const std::string why = entry.interpreter->zygote.loss();
    if (loop_.now() - entry.interpreter->began >= kSoundAge) {
        entry.failures = 0;
        entry.told.clear();
    }
    const auto pause = kFirstPause * (1 << std::min(entry.failures, 10));
    entry.retry = loop_.now() + std::min<std::chrono::milliseconds>(pause, kLongestPause);
    ++entry.failures;
    leaving_.push_back(std::move(entry.interpreter));
    if (entry.told == why) return;
    entry.told = why;
    log::warning(entry.name, text::concat("its warm interpreter ended: ", why,
                                          "; it runs as plain CGI until another start succeeds"));
}

Task<void> WarmIslands::lookAfter() {
    for (;;) {
        co_await begun_.wait();
        begun_.clear();
        while (size() != 0) {
            co_await io::Sleep(loop_, std::chrono::seconds(1));
            lookAround();
        }
    }
}

void WarmIslands::lookAround() {
    using State = process::Zygote::State;
    for (const auto& [file, entry] : entries_) {
        if (entry->interpreter == nullptr) continue;
        process::Zygote& zygote = entry->interpreter->zygote;
        zygote.lookAfter();
        if (zygote.hasEnded())
            noteEnd(*entry);
        else if (zygote.state() == State::stale || entry->used + kIdle <= loop_.now())
            dismiss(*entry);
    }
    for (const auto& interpreter : leaving_)
        interpreter->zygote.lookAfter();
    std::erase_if(leaving_, [](const auto& interpreter) { return interpreter->zygote.isOver(); });
}

std::size_t WarmIslands::size() const noexcept {
    std::size_t count = leaving_.size();
    for (const auto& [file, entry] : entries_)
        count += entry->interpreter != nullptr;
    return count;
}

} // namespace reef::gateway

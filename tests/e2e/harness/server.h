#pragma once

#include "harness/command.h"
#include "harness/process.h"
#include "harness/site.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reef::e2e {

enum class Panel : bool { off, on };

/// The addresses are those of the site's atoll.toml.
struct FromFile {};

/// A command that starts another one in its place: {"prlimit", "--nofile=160"}.
struct Under {
    std::vector<std::string> command;
};

/// The real binary, serving a site on free ports of 127.0.0.1. The constructor returns when it has
/// printed its addresses.
///
/// The destructor stops it as an administrator would (SIGTERM) and fails the test when the exit
/// status is not 0, when a process of it is left, or when a sanitizer has complained in its log.
/// After an exception it only cleans up.
class Server {
public:
    explicit Server(const Site& site, Panel panel = Panel::off,
                    const std::vector<std::string>& options = {});
    Server(const Site& site, FromFile);
    Server(const Site& site, const Under& wrapper);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const noexcept { return port_; }
    std::uint16_t panelPort() const noexcept { return panelPort_; }

    /// What it has printed on standard output.
    std::string output();

    /// "/setup?token=...", of the link for the first account; "" when none was printed.
    std::string setupTarget();

    /// What it and its islands have written to standard error.
    std::string log() const;

    /// Waits until the log holds `text`. False when that does not happen in time.
    bool awaitLog(std::string_view text, Duration patience = kPatience) const;

    /// The guardian is our child, the keeper is the guardian's, and the server is the keeper's.
    pid_t guardian() const noexcept { return guardian_.pid(); }
    pid_t keeper() const;
    pid_t serverPid() const;
    std::vector<ProcessEntry> islands() const; ///< all descendants but keeper and server

    /// SIGTERM, and what `awaitCleanEnd` does.
    void stop();

    /// Waits for the end. Fails the test when the exit status is not 0 or something is left.
    void awaitCleanEnd();

    /// Kills the keeper alone, or the guardian alone, and waits until both are gone; what happens
    /// to the rest is the test's subject.
    void killKeeper();
    void killGuardian();

    /// For a test that sends the signal itself.
    void signal(int number) { guardian_.signal(number); }
    std::optional<Ending> awaitEnd(Duration patience = kPatience) {
        return guardian_.wait(patience);
    }

    /// For a test whose server ends in another way than by a clean stop.
    void expectNoCleanEnd() noexcept { expectCleanEnd_ = false; }

    /// Waits until no process that the keeper has started is left. What is still there, when that
    /// does not happen in time.
    std::vector<ProcessEntry> leftovers(Duration patience = kPatience) const;

private:
    Server(const Site& site, const std::vector<std::string>& command);
    void awaitBanner();
    bool readOutput(const Deadline& deadline);
    std::uint16_t portAfter(std::string_view label) const;
    void checkLog() const;
    void cleanUp() noexcept;

    /// Standard output (a pipe of ours) and error (a file) of the keeper.
    struct Outlets {
        explicit Outlets(const Site& site);
        std::string logFile;
        Fd nothing;
        Fd output;
        Fd keepersOutput;
        Fd keepersLog;
    };

    Outlets outlets_;
    ChildProcess guardian_;
    std::string printed_;
    std::uint16_t port_ = 0;
    std::uint16_t panelPort_ = 0;
    bool expectCleanEnd_ = true;
};

} // namespace reef::e2e

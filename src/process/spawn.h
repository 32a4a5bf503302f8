#pragma once

#include "process/identity.h"
#include "process/limits.h"
#include "process/start_failure.h"

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <span>

namespace reef::process {

/// Signals whose disposition a child must set back to the default: 1 to 64.
class SignalSet {
public:
    static constexpr SignalSet all() noexcept { return SignalSet(~std::uint64_t{0}); }

    /// Those that this process ignores or handles now. Asks the kernel 64 times, so a process that
    /// does not change its dispositions asks once.
    static SignalSet notDefault() noexcept;

    constexpr bool holds(int signal) const noexcept {
        return ((bits_ >> static_cast<unsigned>(signal - 1)) & 1U) != 0;
    }

private:
    explicit constexpr SignalSet(std::uint64_t bits) noexcept : bits_(bits) {}
    std::uint64_t bits_;
};

/// What to start, and how. Views alone: all of it must live until `spawn` returns.
struct SpawnSpec {
    /// The program, looked up in no PATH; a relative one starts from `directory`.
    const char* path = nullptr;

    /// Takes the place of `path`: a descriptor of a binary (O_PATH will do; not for #! scripts).
    int program = -1;

    std::span<const char* const> arguments;   ///< ends with a null pointer
    std::span<const char* const> environment; ///< ends with a null pointer
    const char* directory = nullptr;          ///< null: the caller's own

    /// Become 0, 1, 2, … in the child, in this order, whatever their numbers are here. All others
    /// the child loses because they are close-on-exec.
    std::span<const int> descriptors;

    Limits limits;
    const Identity* identity = nullptr; ///< null: the caller's own
    SignalSet resetSignals = SignalSet::all();

    /// The signal the child gets when the thread that called `spawn` ends; 0 for none. The kernel
    /// forgets it when the child runs a set-uid program, which no_new_privs makes harmless.
    int parentDeathSignal = SIGKILL;
};

/// Starts a process in a process group of its own, with no_new_privs, an empty signal mask and
/// default dispositions. Returns its pid when the program runs; the caller reaps it.
///
/// The child shares our memory until it executes (CLONE_VM | CLONE_VFORK), so the cost does not
/// depend on our size, and this thread waits for it; what fails in it is told here by step and
/// errno. Allocates nothing. From any thread.
StartResult<pid_t> spawn(const SpawnSpec& spec);

} // namespace reef::process

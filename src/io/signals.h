#pragma once

#include "base/fd.h"
#include "io/watch.h"

#include <initializer_list>

namespace reef::io {

/// Blocks these signals in the calling thread and returns a descriptor (non-blocking,
/// close-on-exec) that reads them: call it in the main thread before others start. Throws
/// std::system_error when it cannot.
Fd signalDescriptor(std::initializer_list<int> signals);

/// A signal, and the process that has sent it; 0: the kernel, as for a key on the terminal.
struct TakenSignal {
    int number = 0; ///< 0: none waits
    int sender = 0;
};

/// The next signal that waits on such a descriptor.
TakenSignal takeSignal(int descriptor) noexcept;

/// `int signal = co_await signals.next();`
class Signals {
public:
    Signals(Loop& loop, std::initializer_list<int> signals)
        : watch_(loop, signalDescriptor(signals)) {}

    class NextAwaiter final : public IoAwaiter {
    public:
        explicit NextAwaiter(Watch& watch) noexcept : IoAwaiter(watch, kNever) {}
        int await_resume() const noexcept { return signal_; }

    private:
        Step attempt() override;
        void timedOut() noexcept override {}
        int signal_ = 0;
    };
    NextAwaiter next() noexcept { return NextAwaiter(watch_); }

private:
    Watch watch_;
};

} // namespace reef::io

#include "io/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <system_error>
#include <unistd.h>

#include <cerrno>

namespace reef::io {

Fd signalDescriptor(std::initializer_list<int> signals) {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : signals)
        ::sigaddset(&set, signal);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    Fd descriptor(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!descriptor) throw std::system_error(errno, std::generic_category(), "signalfd");
    return descriptor;
}

TakenSignal takeSignal(int descriptor) noexcept {
    signalfd_siginfo info{};
    const auto got = ::read(descriptor, &info, sizeof info);
    if (got != static_cast<ssize_t>(sizeof info)) return {};
    const bool fromProcess = info.ssi_code <= 0; // SI_USER, SI_QUEUE, SI_TKILL
    return {static_cast<int>(info.ssi_signo), fromProcess ? static_cast<int>(info.ssi_pid) : 0};
}

IoAwaiter::Step Signals::NextAwaiter::attempt() {
    signal_ = takeSignal(watch().descriptor()).number;
    return signal_ != 0 ? Step::done : Step::wantsRead;
}

} // namespace reef::io

#pragma once

#include <functional>
#include <memory>
#include <pthread.h>
#include <string>

namespace reef {

/// A thread with a stack of 512 KiB (musl's default of 128 KiB is too small for SQLite and
/// coroutines), named for `ps -T`, all signals blocked: they belong to whoever reads the signal
/// descriptor. Joins in its destructor.
class Thread {
public:
    Thread() noexcept = default;

    /// Starts `body`. Names are cut at 15 bytes. Throws std::system_error when there can be no
    /// thread.
    Thread(const std::string& name, std::function<void()> body);

    Thread(Thread&& other) noexcept;
    Thread& operator=(Thread&& other) noexcept;
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;
    ~Thread() { join(); }

    void join() noexcept;

private:
    pthread_t handle_{};
    bool joinable_ = false;
};

} // namespace reef

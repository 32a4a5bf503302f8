#include "base/thread.h"

#include <signal.h>
#include <system_error>

#include <utility>

namespace reef {

namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 10U;

void* runBody(void* context) {
    const std::unique_ptr<std::function<void()>> body(static_cast<std::function<void()>*>(context));
    (*body)();
    return nullptr;
}

} // namespace

Thread::Thread(const std::string& name, std::function<void()> body) {
    auto owned = std::make_unique<std::function<void()>>(std::move(body));
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    ::pthread_attr_setstacksize(&attributes, kStackBytes);
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before); // the new thread inherits it
    const int error = ::pthread_create(&handle_, &attributes, runBody, owned.get());
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    ::pthread_attr_destroy(&attributes);
    if (error != 0) throw std::system_error(error, std::generic_category(), "pthread_create");
    static_cast<void>(owned.release()); // the thread has it
    joinable_ = true;
    ::pthread_setname_np(handle_, name.substr(0, 15).c_str());
}

Thread::Thread(Thread&& other) noexcept
    : handle_(other.handle_), joinable_(std::exchange(other.joinable_, false)) {}

Thread& Thread::operator=(Thread&& other) noexcept {
    join();
    handle_ = other.handle_;
    joinable_ = std::exchange(other.joinable_, false);
    return *this;
}

void Thread::join() noexcept {
    if (std::exchange(joinable_, false)) ::pthread_join(handle_, nullptr);
}

} // namespace reef

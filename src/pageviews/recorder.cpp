#include "pageviews/recorder.h"

#include <csignal>

namespace reef::pageviews {

namespace {

/// SQLite needs some 100 KiB at worst; musl would give a thread 128 KiB.
constexpr std::size_t kStackBytes = 512_KiB;

void* runWriter(void* writer) {
    static_cast<Writer*>(writer)->run();
    return nullptr;
}

/// Starts the thread with every signal blocked, so that none is ever delivered to it.
int startThread(pthread_t& thread, Writer& writer) noexcept {
    pthread_attr_t attributes;
    if (const int code = pthread_attr_init(&attributes); code != 0) return code;
    int code = pthread_attr_setstacksize(&attributes, kStackBytes);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (code == 0) code = pthread_create(&thread, &attributes, runWriter, &writer);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    pthread_attr_destroy(&attributes);
    return code;
}

} // namespace

Recorder::Recorder(Doorbell doorbell, RecorderOptions options)
    : ringBytes_(options.ringBytes), intake_(std::move(doorbell)),
      writer_(intake_, std::move(options.writer)) {}

Result<std::unique_ptr<Recorder>> Recorder::start(RecorderOptions options) {
    auto doorbell = Doorbell::open();
    if (!doorbell) return fail(doorbell.error());
    std::unique_ptr<Recorder> recorder(new Recorder(std::move(*doorbell), std::move(options)));
    const int code = startThread(recorder->thread_, recorder->writer_);
    if (code != 0) return fail(Error(Error::system, code));
    recorder->running_ = true;
    return recorder;
}

void Recorder::stop() noexcept {
    if (!running_) return;
    running_ = false;
    intake_.close();
    pthread_join(thread_, nullptr);
}

} // namespace reef::pageviews

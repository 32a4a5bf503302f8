#include "pageviews/recorder.h"

#include <system_error>

namespace reef::pageviews {

Recorder::Recorder(Doorbell doorbell, RecorderOptions options)
    : ringBytes_(options.ringBytes), intake_(std::move(doorbell)),
      writer_(intake_, std::move(options.writer)) {}

Result<std::unique_ptr<Recorder>> Recorder::start(RecorderOptions options) {
    auto doorbell = Doorbell::open();
    if (!doorbell) return fail(doorbell.error());
    std::unique_ptr<Recorder> recorder(new Recorder(std::move(*doorbell), std::move(options)));
    try {
        recorder->thread_ = Thread("pageviews", [writer = &recorder->writer_] { writer->run(); });
    } catch (const std::system_error& error) {
        return fail(Error(Error::system, error.code().value()));
    }
    return recorder;
}

void Recorder::stop() noexcept {
    intake_.close();
    thread_.join();
}

} // namespace reef::pageviews

#pragma once

#include "app/loop_thread.h"
#include "app/serving_loop.h"

#include <functional>
#include <memory>
#include <vector>

namespace reef::app {

/// All event loops of the server: the first runs on the thread that made it, the others on threads
/// of their own. All calls on the first loop's thread.
class ServingLoops {
public:
    /// `parts` gives what loop `index` needs; called `count` times, at least once.
    ServingLoops(std::size_t count, const std::function<LoopParts(std::size_t index)>& parts);

    io::Loop& loop() noexcept { return first_.loop(); }
    std::size_t size() const noexcept { return others_.size() + 1; }

    /// The sites as the first loop serves them.
    http::Handler& sites() noexcept { return first_.sites(); }

    /// Runs the first loop until it is stopped.
    void run() { first_.run(); }

    /// Requests that begin after it has ended, on any loop, go by `config`. May be dropped.
    Task<void> use(LoopConfig config);

    /// One socket for each loop, or a single one that the first loop takes.
    void listen(std::vector<Fd> sockets, const io::Address& address,
                serve::ListenerOptions options);
    void stopListening(const io::Address& address);

    /// Accepts no more, and ends when the last connection of the last loop has. May be dropped.
    Task<void> drain();

private:
    class Progress;

    void onEach(const std::function<void(ServingLoop&)>& change);

    ServingLoop first_;
    std::vector<std::unique_ptr<LoopThread>> others_;
};

} // namespace reef::app

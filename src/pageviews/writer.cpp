#include "pageviews/writer.h"

#include "base/log.h"
#include "base/text.h"

#include <algorithm>
#include <thread>

namespace reef::pageviews {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{10'000};
constexpr milliseconds kLastPause{50};

std::string explain(Error error) {
    switch (error.code()) {
    case Error::unavailable:
        return "another program holds its lock";
    case Error::malformed:
        return "it is not a sound database";
    case Error::unsupported:
        return "it was written by a newer version of Atoll";
    case Error::notFound:
        return "its directory does not exist";
    default:
        return error.describe();
    }
}

} // namespace

Writer::Writer(Intake& intake, WriterOptions options)
    : intake_(intake), options_(std::move(options)) {}

void Writer::run() noexcept {
    auto pause = kFirstPause;
    flush(); // makes the database, or says at once why it cannot
    while (!intake_.isClosed()) {
        intake_.waitForFirst();
        intake_.gather(options_.gather);
        if (flush()) {
            pause = kFirstPause;
        } else {
            intake_.pause(pause);
            pause = std::min(2 * pause, kLongestPause);
        }
    }
    drain();
    store_
        .reset(); // here, not in another thread: its last act is to fold the log into the database
}

void Writer::drain() {
    const auto end = std::chrono::steady_clock::now() + options_.patience;
    while (!intake_.isEmpty() && !flush()) {
        if (std::chrono::steady_clock::now() >= end) {
            log::error("pageviews", text::concat("stopped without writing ", countWaiting(),
                                                 " views to ", options_.file));
            return;
        }
        std::this_thread::sleep_for(kLastPause);
    }
}

std::uint64_t Writer::countWaiting() {
    std::uint64_t count = 0;
    Event event;
    for (auto& reader : intake_.readers())
        while (reader.next(event))
            ++count;
    return count;
}

bool Writer::flush() {
    const auto done = tryFlush();
    if (done) {
        rejoice();
    } else {
        complain(done.error(), store_ ? store_->lastMessage() : std::string());
        settle(done.error());
    }
    healthy_.store(done.has_value(), std::memory_order_relaxed);
    return done.has_value();
}

Status Writer::tryFlush() {
    if (auto opened = openStore(); !opened) return opened;
    auto readers = intake_.readers();
    std::uint64_t views = 0;
    if (auto begun = store_->begin(); !begun) return begun;
    if (auto wrote = writeBatch(readers, views); !wrote) return wrote;
    for (auto& reader : readers)
        reader.release();
    written_.fetch_add(views, std::memory_order_relaxed);
    return {};
}

Status Writer::openStore() {
    if (store_ && !store_->isInPlace()) {
        log::warning("pageviews",
                     text::concat(options_.file, " was removed or replaced; it is opened anew"));
        store_.reset();
    }
    if (store_) return {};
    auto opened = Store::open(options_.file, options_.store);
    if (!opened) return fail(opened.error());
    store_ = std::move(*opened);
    return {};
}

Status Writer::writeBatch(std::vector<EventRing::Reader>& readers, std::uint64_t& views) {
    Event event;
    for (auto& reader : readers) {
        for (; reader.next(event); ++views) {
            if (auto added = store_->add(event); !added) return added;
        }
    }
    const std::uint64_t dropped = intake_.dropped();
    if (dropped != lossesNoted_) {
        const auto now = std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
        if (auto noted = store_->addLosses(now, dropped - lossesNoted_); !noted) return noted;
    }
    if (auto committed = store_->commit(); !committed) return committed;
    lossesNoted_ = dropped;
    return {};
}

/// Leaves things so that the next try has a chance.
void Writer::settle(Error error) {
    if (!store_) return;
    store_->rollback();
    const bool passing = error == Error::unavailable || error.systemError() == ENOSPC;
    if (passing) return;
    store_.reset();
    if (error != Error::malformed) return;
    if (auto moved = setAside(options_.file); !moved) complain(moved.error(), "cannot be renamed");
}

void Writer::complain(Error error, const std::string& details) {
    if (std::ranges::find(troubles_, error) != troubles_.end()) return;
    troubles_.push_back(error);
    log::error("pageviews", text::concat("cannot write ", options_.file, ": ", explain(error),
                                         details.empty() ? "" : " (", details,
                                         details.empty() ? "" : ")", "; views wait in memory"));
}

void Writer::rejoice() {
    if (troubles_.empty()) return;
    troubles_.clear();
    log::info("pageviews", text::concat("writes ", options_.file,
                                        " again; views lost since the start: ", intake_.dropped()));
}

} // namespace reef::pageviews

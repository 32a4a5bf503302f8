// What a pageview costs: on the event loop (a push), in the writer (events a second), on disk
// (bytes), and in a report. `bench_pageviews [VIEWS]`: the last two for so many views (default
// 1,000,000) over half a year.
#include "measure.h"
#include "pageviews/event_codec.h"
#include "pageviews/recorder.h"
#include "pageviews/report.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

using namespace reef;
using namespace reef::pageviews;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<const char*, 6> kAgents = {
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 "
    "Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
    "Gecko) Version/17.5 "
    "Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/7.88.1",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 "
    "Safari/605.1.15"};

/// Traffic of a small site: 500 pages, few of them much read; a third of the views with a referrer.
class Traffic {
public:
    Traffic() {
        for (int i = 0; i < 500; ++i)
            pages_.push_back("/articles/2026/a-page-about-topic-" + std::to_string(i));
        for (int i = 0; i < 200; ++i)
            referrers_.push_back("https://www.site-" + std::to_string(i) + ".example/links");
    }

    Event next(Time time) {
        Event event;
        event.time = time;
        event.duration = std::chrono::microseconds(200 + random_() % 5000);
        event.bytesSent = 2000 + random_() % 60'000;
        event.status = 200;
        event.method = "GET";
        event.host = "example.org";
        const double share = std::generate_canonical<double, 32>(random_);
        event.path = pages_[static_cast<std::size_t>(std::pow(share, 3) *
                                                     static_cast<double>(pages_.size()))];
        event.contentType = "text/html; charset=utf-8";
        if (random_() % 3 == 0) event.referrer = referrers_[random_() % referrers_.size()];
        event.userAgent = kAgents[random_() % kAgents.size()];
        event.fetchDestination = "document";
        return event;
    }

private:
    std::mt19937 random_{1};
    std::vector<std::string> pages_;
    std::vector<std::string> referrers_;
};

Time now() {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Processor time of all threads: what a busy machine does not spoil.
double cpuSeconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Median nanoseconds of one of 1,000 calls; `between` runs outside the measured time.
template<class Work, class Between>
double medianOf(Work&& work, Between&& between) {
    std::vector<double> rounds;
    for (int round = 0; round < 501; ++round) {
        const auto start = Clock::now();
        for (int i = 0; i < 1000; ++i)
            work();
        rounds.push_back(secondsSince(start) * 1e6);
        between();
    }
    std::ranges::nth_element(rounds, rounds.begin() + 250);
    return rounds[250];
}

void drain(Intake& intake) {
    Event event;
    for (auto& reader : intake.readers()) {
        while (reader.next(event))
            bench::keep(event);
        reader.release();
    }
}

void measurePush() {
    Traffic traffic;
    std::vector<Event> events;
    for (int i = 0; i < 64; ++i)
        events.push_back(traffic.next(now()));
    std::size_t bytes = 0;
    for (const auto& event : events)
        bytes += EventEncoder(event).size() / events.size();

    std::string source(bytes, 'x');
    std::vector<char> log(1_MiB);
    std::size_t end = 0;
    const double baseline = medianOf(
        [&] {
            if (end + bytes > log.size()) end = 0;
            std::memcpy(&log[end], source.data(), bytes);
            bench::keep(log[end]);
            end += bytes;
        },
        [] {});

    auto doorbell = Doorbell::open();
    Intake intake(std::move(*doorbell));
    Producer& producer = intake.add(1_MiB);
    std::size_t next = 0;
    const double push =
        medianOf([&] { producer.push(events[next++ % 64]); }, [&] { drain(intake); });
    auto picture = events[0];
    picture.contentType = "image/png";
    const double refusal = medianOf([&] { producer.push(picture); }, [] {});

    std::printf("event on the loop, %zu bytes encoded\n", bytes);
    std::printf("  append by memcpy (baseline) %10.1f ns\n", baseline);
    std::printf("  push of a page              %10.1f ns   %.2f x the baseline\n", push,
                push / baseline);
    std::printf("  push of what is no page     %10.1f ns   %.2f x the baseline\n", refusal,
                refusal / baseline);
    if (intake.dropped() != 0) std::printf("  (events were dropped: the figures are wrong)\n");
}

void measureWriter(const std::string& file) {
    static constexpr std::uint64_t kEvents = 1'000'000;
    Traffic traffic;
    std::vector<Event> events;
    for (int i = 0; i < 4096; ++i)
        events.push_back(traffic.next(now()));
    RecorderOptions options;
    options.writer.file = file;
    auto recorder = Recorder::start(std::move(options));
    if (!recorder) std::abort();
    Producer& producer = (*recorder)->addProducer();

    const double cpu = cpuSeconds();
    const auto start = Clock::now();
    for (std::uint64_t sent = 0; sent < kEvents;) {
        producer.push(events[sent++ % events.size()]);
        if (sent % 256 != 0) continue;
        while (sent - (*recorder)->counts().written >
               2000) // real traffic would not wait; this is not to drop
            std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    (*recorder)->stop();
    const double seconds = secondsSince(start);
    const auto counts = (*recorder)->counts();
    std::printf(
        "through the writer thread, into SQLite: %.0f events/s, %.0f a second of processor time\n",
        static_cast<double>(counts.written) / seconds,
        static_cast<double>(counts.written) / (cpuSeconds() - cpu));
    if (counts.dropped != 0) std::printf("  (events were dropped: the figures are wrong)\n");
}

/// Half a year of views, evenly, in batches as the writer makes them.
void fill(const std::string& file, std::int64_t views) {
    Traffic traffic;
    auto store = Store::open(file, {});
    if (!store) std::abort();
    const auto start = now() - std::chrono::days(182);
    const auto step =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::days(182)) / views;
    const double cpu = cpuSeconds();
    for (std::int64_t i = 0; i < views;) {
        if (!(*store)->begin()) std::abort();
        for (int n = 0; n < 2000 && i < views; ++n, ++i) {
            const auto time = std::chrono::floor<std::chrono::milliseconds>(start + i * step);
            if (!(*store)->add(traffic.next(time))) std::abort();
        }
        if (!(*store)->commit()) std::abort();
    }
    std::printf("store alone, %lld views of half a year: %.0f a second of processor time\n",
                static_cast<long long>(views), static_cast<double>(views) / (cpuSeconds() - cpu));
}

void measureDiskAndReport(const std::string& file, std::int64_t views) {
    fill(file, views);
    const auto size = static_cast<double>(std::filesystem::file_size(file));
    std::printf("on disk: %.1f MB, %.1f bytes a view, the last 100,000 one by one included\n",
                size / 1e6, size / static_cast<double>(views));
    auto reader = ReportReader::open(file);
    if (!reader) std::abort();
    for (const int days : {0, 30, 7}) {
        ReportQuery query(now());
        if (days != 0) query.pagesFrom = query.now - std::chrono::days(days);
        const auto start = Clock::now();
        const double cpu = cpuSeconds();
        const auto report = (*reader)->read(query);
        if (!report) std::abort();
        std::printf("report, pages of %3d days: %6.1f ms, %6.1f ms of processor time\n",
                    days == 0 ? 182 : days, secondsSince(start) * 1e3, (cpuSeconds() - cpu) * 1e3);
    }
}

} // namespace

int main(int argc, char** argv) {
    const std::int64_t views = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
    std::string pattern =
        (std::filesystem::temp_directory_path() / "pageviews-bench-XXXXXX").string();
    if (views < 1 || ::mkdtemp(pattern.data()) == nullptr) return 1;
    measurePush();
    measureWriter(pattern + "/writer.db");
    measureDiskAndReport(pattern + "/half-a-year.db", views);
    std::filesystem::remove_all(pattern);
    return 0;
}

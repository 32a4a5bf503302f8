// What a line of the access log costs the loop that writes it. Baseline: a copy of a line as long.
#include "app/access_log_format.h"
#include "measure.h"

#include <mutex>
#include <string>

using namespace reef;
using bench::keep;
using bench::report;

namespace {

struct Sample {
    Sample() {
        request.target = "/islands/page.shtml?utm_source=x&id=42";
        request.rawPath = "/islands/page.shtml";
        request.authority = request.host = "www.example.org";
        request.id = "0123456789-4711";
        request.fields.add("Referer", "https://www.example.org/islands/");
        request.fields.add("User-Agent",
                           "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, "
                           "like Gecko) Chrome/130.0 Safari/537.36");
        ends.remoteAddress = "192.0.2.7";
        record.request = &request;
        record.status = 200;
        record.sent = record.content = 1234;
        record.head = bytesOf(head);
        record.complete = true;
        record.contentType = "text/html; charset=utf-8";
    }

    std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1234\r\n\r\n";
    Arena arena;
    http::EmptyBody body;
    http::Endpoints ends;
    http::Request request{arena, body, ends};
    serve::RequestRecord record{};
};

void measure(const char* name, const char* format, const Sample& sample, double baseline) {
    const auto parsed = app::AccessLogFormat::parse(format);
    if (!parsed) return;
    app::LogClock clock;
    std::mutex mutex;
    std::string lines;
    report(
        name,
        [&] {
            const auto now = std::chrono::system_clock::now();
            const std::lock_guard lock(mutex);
            if (lines.size() > 65536) lines.clear(); // the thread has taken them
            parsed->append(lines, sample.record, now, clock);
            keep(lines);
        },
        baseline);
}

} // namespace

int main() {
    const Sample sample;
    const std::string line(260, 'x');
    std::string lines;
    const double copy = report("copy of a line", [&] {
        if (lines.size() > 65536) lines.clear();
        lines += line;
        keep(lines);
    });
    measure("combined", "combined", sample, copy);
    measure("json", "json", sample, copy);
    measure("%h %>s %D", "%h %>s %D", sample, copy);
}

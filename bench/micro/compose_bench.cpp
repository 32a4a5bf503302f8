// What composition costs: the tokeniser against a bare memchr over the same bytes, and a page of
// four includes that are in memory against copying its bytes into one buffer.
#include "compose/composer.h"
#include "measure.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

using namespace reef;
using bench::keep;
using bench::nanoseconds;

namespace {

std::size_t allocations = 0;

/// 64 KiB of ordinary HTML: a tag every 30 bytes, a comment or a `!` now and then, and `directives`
/// includes at equal distances.
std::string htmlPage(int directives) {
    constexpr std::size_t kSize = 64U << 10U;
    const std::string paragraph =
        "<p class=\"lead\">Islands are <em>small</em> programs, each on its own.</p>\n"
        "<ul><li><a href=\"/one\">One</a></li><li><a href=\"/two#x\">Two!</a></li></ul>\n"
        "<div id=\"note\"><img src=\"/pictures/atoll.webp\" alt=\"An atoll\"><span>2 &lt; 3</span>"
        "</div><!-- end of note -->\n";
    std::string page = "<!doctype html><html><head><title>Page</title></head><body>\n";
    const auto distance = directives == 0 ? kSize : kSize / static_cast<std::size_t>(directives);
    auto next = distance / 2;
    while (page.size() < kSize) {
        page += paragraph;
        if (directives == 0 || page.size() < next) continue;
        page += "<!--#include virtual=\"/fragments/part.html?of=page\" -->";
        next += distance;
    }
    return page;
}

std::size_t tokenise(std::string_view page, std::size_t pieceSize) {
    compose::Parser parser;
    std::size_t items = 0;
    for (std::size_t at = 0; at < page.size(); at += pieceSize) {
        parser.feed(bytesOf(page.substr(at, pieceSize)));
        while (const auto item = parser.next()) {
            keep(*item);
            ++items;
        }
    }
    return items;
}

void benchTokeniser() {
    for (const int directives : {0, 8, 256}) {
        const auto page = htmlPage(directives);
        const auto line = [&](const char* name, double time, double baseline) {
            std::printf("  %-36s %8.0f MB/s   %5.2f of memchr\n", name,
                        static_cast<double>(page.size()) * 1e3 / time, baseline / time);
        };
        std::printf("tokeniser, page of %zu bytes, %d directives\n", page.size(), directives);
        const double bare =
            nanoseconds([&] { keep(std::memchr(page.data(), '\x01', page.size())); });
        line("memchr, one byte that is not there", bare, bare);
        line("memmem of the start tag", nanoseconds([&] {
                 const char* at = page.data();
                 const char* const end = at + page.size();
                 while (at != nullptr) {
                     at = static_cast<const char*>(
                         memmem(at, static_cast<std::size_t>(end - at), "<!--#", 5));
                     keep(at);
                     if (at != nullptr) ++at;
                 }
             }),
             bare);
        line("Parser, whole", nanoseconds([&] { keep(tokenise(page, page.size())); }), bare);
        line("Parser, in pieces of 4 KiB", nanoseconds([&] { keep(tokenise(page, 4096)); }), bare);
    }
}

/// Takes everything at once, like a socket with room.
class NullSink final : public http::ResponseSink {
public:
    Task<Status> begin(const http::ResponseHead&) override { co_return Status(); }
    Task<Status> write(std::span<const ByteView> pieces) override {
        keep(pieces);
        co_return Status();
    }
    Task<Status> flush() override { co_return Status(); }
    Task<Status> end() override { co_return Status(); }
    Task<Status> send(const http::ResponseHead&, std::span<const ByteView> pieces) override {
        keep(pieces);
        ++sends;
        co_return Status();
    }
    Task<Status> sendFile(const http::ResponseHead&, int, ByteCount, ByteCount) override {
        co_return Status();
    }
    bool begun() const noexcept override { return false; }
    std::size_t sends = 0;
};

class MemoryHost final : public compose::Host {
public:
    Task<http::Handled> fragment(const compose::FragmentSpec& spec,
                                 compose::Place& place) override {
        http::ResponseHead head(*spec.page->arena);
        const auto sent = co_await http::sendPiece(place, head, bytesOf(part));
        if (!sent) co_return http::failClient(sent.error());
        co_return http::Handled();
    }
    std::optional<std::string> variable(const http::Request&, std::string_view) override {
        return std::nullopt;
    }
    std::optional<compose::FileFacts> factsOf(const compose::FragmentSpec&) override {
        return std::nullopt;
    }
    bool mayAccess(const compose::FragmentSpec&) override { return false; }
    std::optional<bool> liesIn(std::string_view, std::string_view) override { return std::nullopt; }
    void problem(const http::Request&, std::size_t, std::string_view) override { std::abort(); }

    std::string part = std::string(500, 'f');
};

Task<void> sendPage(compose::Composer& composer, Arena& arena, std::string_view page) {
    http::ResponseHead head(arena);
    head.fields.add("Content-Type", "text/html");
    keep(co_await http::sendPiece(composer, head, bytesOf(page)));
}

void benchPage() {
    std::string page;
    for (int i = 0; i != 4; ++i) {
        page +=
            std::string(200, 't') + "<!--#include virtual=\"/part?" + std::to_string(i) + "\"-->";
    }
    page += std::string(200, 't');
    coro::ReadyQueue queue;
    MemoryHost host;
    NullSink sink;
    http::EmptyBody body;
    http::Endpoints ends;
    Arena arena;
    const auto compose = [&] {
        arena.release();
        http::Request request(arena, body, ends);
        request.target = request.rawPath = request.path = "/page.shtml";
        compose::Composer composer(host, request, sink, nullptr, compose::Compose::all);
        coro::Scope scope;
        scope.start(sendPage(composer, arena, page));
        while (queue.runOnce() != 0) {
        }
    };
    std::printf("page of four includes in memory, %zu bytes\n", page.size());
    const double copy = bench::report("  its bytes copied into one new buffer", [&] {
        std::string out;
        for (int i = 0; i != 4; ++i)
            out.append(page, 0, 200).append(host.part);
        out.append(page, 0, 200);
        keep(out);
    });
    bench::report("  Composer, one send", compose, copy);
    compose();
    const auto before = allocations;
    const auto fromMalloc = coro::FramePool::counts().fromMalloc;
    compose();
    std::printf("  allocations of a page: %zu by new, %zu by the frame pool from malloc\n",
                allocations - before, coro::FramePool::counts().fromMalloc - fromMalloc);
    if (sink.sends < 2) std::abort();
}

} // namespace

void* operator new(std::size_t size) {
    ++allocations;
    if (void* const place = std::malloc(size); place != nullptr) return place;
    throw std::bad_alloc();
}
void operator delete(void* place) noexcept {
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
    std::free(place);
}

// Without an argument everything; else one part: `bench_compose page`.
int main(int count, char** words) {
    const std::string_view part = count > 1 ? words[1] : "";
    if (part.empty() || part == "tokeniser") benchTokeniser();
    if (part.empty() || part == "page") benchPage();
}

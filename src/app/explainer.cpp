#include "app/explainer.h"

#include "app/page_json.h"
#include "base/text.h"
#include "http/path.h"

namespace reef::app {

namespace {

/// Counts what comes.
class CountingSink final : public http::ResponseSink {
public:
    Task<Status> begin(const http::ResponseHead& head) override {
        status = head.status;
        co_return Status();
    }
    Task<Status> write(std::span<const ByteView> pieces) override {
        for (const ByteView piece : pieces)
            bytes += piece.size();
        co_return Status();
    }
    Task<Status> writeFile(int, ByteCount, ByteCount count) override {
        bytes += count;
        co_return Status();
    }
    Task<Status> flush() override { co_return Status(); }
    Task<Status> end() override { co_return Status(); }
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override {
        status = head.status;
        co_return co_await write(pieces);
    }
    Task<Status> sendFile(const http::ResponseHead& head, int, ByteCount,
                          ByteCount count) override {
        status = head.status;
        bytes += count;
        co_return Status();
    }
    bool begun() const noexcept override { return status != 0; }

    int status = 0;
    ByteCount bytes = 0;
};

} // namespace

Task<std::string> Explainer::explain(std::string_view host, std::string_view target,
                                     std::string_view id) {
    Arena arena;
    http::EmptyBody nothing;
    http::Endpoints ends;
    ends.remoteAddress = ends.localAddress = "127.0.0.1";
    ends.localPort = 80;
    http::Request request(arena, nothing, ends);
    request.target = target;
    request.rawPath = target.substr(0, target.find('?'));
    request.hasQuery = target.contains('?');
    if (request.hasQuery) request.query = target.substr(request.rawPath.size() + 1);
    request.authority = request.host = host;
    request.id = id;
    request.traced = true;
    request.began = std::chrono::steady_clock::now();
    request.fields.add("Host", host);
    request.fields.add("User-Agent", "atoll explain");

    CountingSink sink;
    http::Handled handled;
    if (const auto path = http::decodePath(request.rawPath, arena)) {
        request.path = *path;
        handled = co_await sites_.handle(request, sink);
    } else {
        handled = http::failWith(http::statusOf(path.error()), "the path is not acceptable");
    }
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - request.began);

    const auto status = handled || sink.begun() ? sink.status : handled.error().status;
    JsonWriter json;
    json.beginObject().key("status").value(static_cast<std::uint64_t>(status));
    json.key("bytes").value(static_cast<std::uint64_t>(sink.bytes));
    json.key("took").value(static_cast<std::uint64_t>(took.count()));
    json.key("why").value(handled ? std::string() : handled.error().detail);
    json.key("page");
    if (const auto page = pages_.find(id)) {
        writePage(json, *page);
    } else {
        json.null();
    }
    json.endObject();
    co_return json.take() + "\n";
}

std::string Explainer::recent() const {
    JsonWriter json;
    json.beginObject().key("pages").beginArray();
    for (const auto& page : pages_.recent())
        writePage(json, *page);
    json.endArray().endObject();
    return json.take() + "\n";
}

} // namespace reef::app

#include "test_panel.h"

#include "base/text.h"

#include <cstdlib>
#include <deque>
#include <stdexcept>

namespace reef::test {
namespace {

/// The body of a request, in pieces of seven bytes.
class StringBody final : public http::Body {
public:
    explicit StringBody(std::string content) : content_(std::move(content)) {}
    Task<Result<ByteView>> read() override {
        const auto piece = std::string_view(content_).substr(at_, 7);
        at_ += piece.size();
        co_return bytesOf(piece);
    }
    std::optional<ByteCount> length() const noexcept override { return std::nullopt; }

private:
    std::string content_;
    std::size_t at_ = 0;
};

class CollectingSink final : public http::ResponseSink {
public:
    explicit CollectingSink(Reply& reply) : reply_(reply) {}

    Task<Status> begin(const http::ResponseHead& head) override {
        reply_.status = head.status;
        for (const auto& field : head.fields)
            reply_.fields.emplace_back(field.name, field.value);
        co_return Status();
    }
    Task<Status> write(std::span<const ByteView> pieces) override {
        for (const ByteView piece : pieces)
            reply_.body += textOf(piece);
        co_return Status();
    }
    Task<Status> flush() override { co_return Status(); }
    Task<Status> end() override { co_return Status(); }
    Task<Status> send(const http::ResponseHead& head, std::span<const ByteView> pieces) override {
        co_await begin(head);
        co_return co_await write(pieces);
    }
    Task<Status> sendFile(const http::ResponseHead&, int, ByteCount, ByteCount) override {
        co_return fail(Error::unsupported);
    }
    bool begun() const noexcept override { return reply_.status != 0; }

private:
    Reply& reply_;
};

std::string between(const std::string& text, std::string_view before, std::string_view after) {
    const auto begin = text.find(before);
    if (begin == std::string::npos) return {};
    const auto from = begin + before.size();
    return text.substr(from, text.find(after, from) - from);
}

void appendEncoded(std::string& out, std::string_view text) {
    static constexpr std::string_view kHex = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (text::isAlpha(c) || text::isDigit(c))
            out += c;
        else
            out += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
}

} // namespace

std::string Reply::field(std::string_view name) const {
    for (const auto& [key, value] : fields)
        if (text::equalsIgnoreCase(key, name)) return value;
    return {};
}

std::string Reply::hidden(std::string_view name) const {
    return between(body, text::concat("name=\"", name, "\" value=\""), "\"");
}

std::string Reply::cookie(std::string_view name) const {
    for (const auto& [key, value] : fields)
        if (key == "Set-Cookie" && value.starts_with(std::string(name) + "="))
            return between(value, "=", ";");
    return {};
}

struct TestPanel::Exchange {
    explicit Exchange(const Asked& what)
        : asked(what), body(what.body), request(arena, body, ends), sink(reply) {
        request.method = http::methodNamed(asked.method);
        request.methodName = asked.method;
        request.target = asked.target;
        const auto question = asked.target.find('?');
        request.rawPath = std::string_view(asked.target).substr(0, question);
        request.hasQuery = question != std::string::npos;
        if (request.hasQuery) request.query = std::string_view(asked.target).substr(question + 1);
        request.authority = asked.authority;
        request.host = request.authority.substr(0, request.authority.rfind(':'));
        for (const auto& [name, value] : asked.headers)
            request.fields.add(name, value);
        ends.remoteAddress = asked.client;
        ends.secure = asked.secure;
    }
    Asked asked;
    Arena arena;
    StringBody body;
    http::Endpoints ends;
    http::Request request;
    Reply reply;
    CollectingSink sink;
    bool done = false;
};

TestPanel::TestPanel(admin::PanelSettings settings)
    : accounts(directory / "accounts.json", 1000),
      panel(loop, workers, accounts, data, std::move(settings)) {}

Task<void> TestPanel::serve(Exchange& exchange) {
    const auto handled = co_await panel.handle(exchange.request, exchange.sink);
    if (!handled) exchange.reply.failure = handled.error().status;
    exchange.done = true;
}

Reply TestPanel::ask(const Asked& asked) {
    return askAtOnce({asked}).front();
}

std::vector<Reply> TestPanel::askAtOnce(const std::vector<Asked>& all) {
    std::deque<Exchange> exchanges;
    for (const Asked& asked : all)
        scope.start(serve(exchanges.emplace_back(asked)));
    std::vector<Reply> replies;
    for (Exchange& exchange : exchanges) {
        while (!exchange.done)
            loop.turn();
        replies.push_back(std::move(exchange.reply));
    }
    return replies;
}

void TestPanel::startAndLeave(const Asked& asked) {
    Exchange exchange(asked);
    scope.start(serve(exchange));
    scope.dropAll();
}

Asked Browser::prepared(Asked asked) const {
    asked.authority = authority_;
    asked.client = client;
    std::string all;
    for (const auto& [name, value] : cookies)
        all += (all.empty() ? "" : "; ") + name + "=" + value;
    if (!all.empty()) asked.headers.emplace_back("Cookie", all);
    return asked;
}

Reply Browser::get(const std::string& target) {
    return keep(panel_.ask(prepared(Asked("GET", target))));
}

Asked Browser::posting(const std::string& target, const Headers& fields) const {
    Asked asked("POST", target);
    asked.headers = {{"Origin", "http://" + authority_},
                     {"Sec-Fetch-Site", "same-origin"},
                     {"Content-Type", "application/x-www-form-urlencoded"}};
    asked.body = formOf({{"csrf", csrf_}});
    if (!fields.empty()) asked.body += "&" + formOf(fields);
    return prepared(asked);
}

Reply Browser::post(const std::string& target, const Headers& fields) {
    return keep(panel_.ask(posting(target, fields)));
}

Reply Browser::signIn(std::string_view name, std::string_view password) {
    get("/login");
    return post("/login", {{"name", std::string(name)}, {"password", std::string(password)}});
}

Reply Browser::keep(Reply reply) {
    for (const auto& [name, value] : reply.fields) {
        if (name != "Set-Cookie") continue;
        const auto equals = value.find('=');
        const std::string cookie = value.substr(0, equals);
        if (value.find("Max-Age=0") != std::string::npos)
            cookies.erase(cookie);
        else
            cookies[cookie] = value.substr(equals + 1, value.find(';') - equals - 1);
    }
    if (const auto token = reply.hidden("csrf"); !token.empty()) csrf_ = token;
    return reply;
}

std::string formOf(const Headers& fields) {
    std::string out;
    for (const auto& [name, value] : fields) {
        if (!out.empty()) out += '&';
        appendEncoded(out, name);
        out += '=';
        appendEncoded(out, value);
    }
    return out;
}

} // namespace reef::test

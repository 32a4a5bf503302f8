#include "gateway/script_head.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace reef::gateway {

namespace {

constexpr std::size_t kQuotedBytes = 80;
constexpr std::size_t kMaxReasonBytes = 100; // a longer one is none that a client would show
constexpr std::size_t kMaxStatusLine = 256;

/// One of them at least makes a head (6.2).
constexpr std::array<std::string_view, 5> kCgiFields{"Content-Type", "Location", "Status",
                                                     "X-Accel-Redirect", "X-Sendfile"};

/// What the server alone says to a client, and what was said to the server alone.
constexpr std::array<std::string_view, 19> kServersOwn{
    "Connection",       "Content-Length",  "Date",
    "HTTP2-Settings",   "Keep-Alive",      "Proxy-Connection",
    "Server",           "Status",          "TE",
    "Trailer",          "Upgrade",         "X-Accel-Buffering",
    "X-Accel-Charset",  "X-Accel-Expires", "X-Accel-Limit-Rate",
    "X-Accel-Redirect", "X-Sendfile",      "X-Sendfile-Type",
    "X-Sendfile2"};

/// "200", "200 OK": three digits, then nothing or a blank. Only final statuses.
std::optional<int> statusIn(std::string_view value) {
    if (value.size() < 3 || (value.size() > 3 && value[3] != ' ')) return std::nullopt;
    const auto code = text::parseDecimal(value.substr(0, 3));
    if (!code || *code < 200 || *code > 599) return std::nullopt;
    return static_cast<int>(*code);
}

/// A path of this server. `//host` would be another server's (RFC 3986 4.2), and is for the client.
bool isLocal(std::string_view location) {
    return location.starts_with('/') && !location.starts_with("//");
}

/// Makes one line of those of this name. False: they say different things.
bool onlyValueOf(http::HeaderList& fields, std::string_view name) {
    std::optional<std::string_view> value;
    std::size_t lines = 0;
    for (const http::HeaderField& field : fields) {
        if (!text::equalsIgnoreCase(field.name, name)) continue;
        if (value && field.value != *value) return false;
        value = field.value;
        ++lines;
    }
    if (lines > 1) fields.set(name, *value);
    return true;
}

/// The line with this number, counted from 0; each line before it was a field.
std::string_view lineAt(std::string_view received, std::size_t number) {
    for (; number != 0; --number)
        text::takeUntil(received, '\n');
    return received.substr(0, received.find('\n'));
}

std::string quote(std::string_view line) {
    const auto shown = text::escapeControls(line.substr(0, kQuotedBytes));
    return line.size() > kQuotedBytes ? shown + "..." : shown;
}

} // namespace

ScriptHead::Form ScriptHead::formOf(std::string_view islandName) noexcept {
    const auto name = islandName.substr(islandName.rfind('/') + 1);
    return name.starts_with("nph-") ? Form::nph : Form::parsed;
}

http::Verdict ScriptHead::parse(ByteView received) {
    if (form_ == Form::nph && !hasStatusLine_) {
        const auto verdict = parseStatusLine(received);
        if (verdict != http::Verdict::complete) return verdict;
    }
    const auto verdict = lines_.parse(received, head_.fields);
    if (verdict == http::Verdict::complete) {
        if (hasStatusLine_) takeReason(textOf(received).substr(0, statusLine_.end()).substr(12));
        return decide();
    }
    if (verdict == http::Verdict::rejected) {
        const auto& [status, reason] = lines_.rejection();
        if (status != 400) return reject(std::string(reason)); // a limit: no line is to blame
        const auto line = lineAt(textOf(received), head_.fields.size() + (hasStatusLine_ ? 1 : 0));
        const bool colon = line.find(':') != std::string_view::npos;
        return reject(
            text::concat(colon ? reason : "line without colon", ": \"", quote(line), "\""));
    }
    return verdict;
}

/// "HTTP/1.1 200 OK", and nothing looser than that.
http::Verdict ScriptHead::parseStatusLine(ByteView received) {
    const auto verdict = statusLine_.find(received, kMaxStatusLine);
    if (verdict == http::Verdict::incomplete) return verdict;
    std::string_view line = textOf(received);
    line = line.substr(0, verdict == http::Verdict::complete ? statusLine_.end() : line.find('\n'));
    const bool known = line.starts_with("HTTP/1.1 ") || line.starts_with("HTTP/1.0 ");
    const auto code = known ? statusIn(line.substr(9)) : std::nullopt;
    if (verdict == http::Verdict::rejected || !code)
        return reject(text::concat("expected a status line such as \"HTTP/1.1 200 OK\" of a script "
                                   "whose name begins with nph-; found \"",
                                   quote(line), "\""));
    head_.status = *code;
    hasStatusLine_ = true;
    lines_.startAt(statusLine_.next());
    return http::Verdict::complete;
}

http::Verdict ScriptHead::decide() {
    for (const auto* const name : {"Content-Length", "Content-Type", "Location", "Status"})
        if (!onlyValueOf(head_.fields, name))
            return reject(text::concat("expected one ", name, "; found several that differ"));
    const auto& fields = head_.fields;
    // 6.2.1: at least one CGI field; a text that happens to hold a colon is no head.
    if (form_ == Form::parsed && !std::ranges::any_of(kCgiFields, [&](std::string_view name) {
            return fields.contains(name);
        }))
        return reject("expected Content-Type, Status or Location before the empty line");
    if (fields.contains("Transfer-Encoding"))
        return reject("Transfer-Encoding is the server's business, not a script's");
    if (form_ == Form::parsed && !takeStatus())
        return reject("expected three digits from 200 to 599 in Status");
    if (!takeLength()) return reject("expected a decimal number in Content-Length");
    if (form_ == Form::parsed) takeTarget();
    dropServersOwn();
    return http::Verdict::complete;
}

bool ScriptHead::takeStatus() {
    const auto status = head_.fields.find("Status");
    if (!status) return true;
    const auto code = statusIn(*status);
    if (!code) return false;
    head_.status = *code;
    takeReason(status->substr(3));
    return true;
}

void ScriptHead::takeReason(std::string_view behindStatus) {
    const auto reason = text::trim(behindStatus);
    if (reason.size() <= kMaxReasonBytes) head_.reason = reason;
}

bool ScriptHead::takeLength() {
    const auto length = head_.fields.find("Content-Length");
    if (!length) return true;
    head_.length = text::parseDecimal(*length);
    return head_.length.has_value();
}

void ScriptHead::takeTarget() {
    const auto handOver = [this](Kind kind, std::string_view target) {
        kind_ = kind;
        target_ = target;
    };
    const auto location = head_.fields.find("Location");
    if (const auto file = head_.fields.find("X-Sendfile")) return handOver(Kind::file, *file);
    if (const auto path = head_.fields.find("X-Accel-Redirect"))
        return handOver(Kind::innerPath, *path);
    if (!location) return;
    // As Apache does, a Content-Type beside it does not change what a local path means.
    const bool hasStatus = head_.fields.contains("Status");
    if (!hasStatus) head_.status = 302;
    if (!hasStatus && isLocal(*location)) return handOver(Kind::localRedirect, *location);
    kind_ = Kind::clientRedirect;
}

void ScriptHead::dropServersOwn() {
    for (const auto name : kServersOwn)
        head_.fields.remove(name);
}

http::Verdict ScriptHead::reject(std::string reason) {
    reason_ = std::move(reason);
    return http::Verdict::rejected;
}

} // namespace reef::gateway

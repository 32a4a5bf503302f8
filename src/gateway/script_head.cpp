#include "gateway/script_head.h"

#include "base/text.h"

#include <array>
#include <optional>
#include <utility>

namespace reef::gateway {

namespace {

constexpr std::size_t kQuotedBytes = 80;
constexpr std::size_t kMaxReasonBytes = 100; // a longer one is none that a client would show

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

http::Verdict ScriptHead::parse(ByteView received) {
    const auto verdict = lines_.parse(received, head_.fields);
    if (verdict == http::Verdict::complete) return decide();
    if (verdict == http::Verdict::rejected) {
        const auto& [status, reason] = lines_.rejection();
        if (status != 400) return reject(std::string(reason)); // a limit: no line is to blame
        const auto line = lineAt(textOf(received), head_.fields.size());
        const bool colon = line.find(':') != std::string_view::npos;
        return reject(
            text::concat(colon ? reason : "line without colon", ": \"", quote(line), "\""));
    }
    return verdict;
}

http::Verdict ScriptHead::decide() {
    const auto status = head_.fields.find("Status");
    const auto location = head_.fields.find("Location");
    const auto length = head_.fields.find("Content-Length");
    // 6.2.1: at least one CGI field; a text that happens to hold a colon is no head.
    if (!status && !location && !head_.fields.contains("Content-Type"))
        return reject("expected Content-Type, Status or Location before the empty line");
    if (status) {
        const auto code = statusIn(*status);
        if (!code) return reject("expected three digits from 200 to 599 in Status");
        head_.status = *code;
        const auto reason = text::trim(status->substr(3));
        if (reason.size() <= kMaxReasonBytes) head_.reason = reason;
    }
    if (length) {
        const auto bytes = text::parseDecimal(*length);
        if (!bytes || head_.fields.count("Content-Length") != 1)
            return reject("expected one decimal number in Content-Length");
        head_.length = *bytes;
    }
    if (head_.fields.contains("Transfer-Encoding"))
        return reject("Transfer-Encoding is the server's business, not a script's");
    if (location) {
        // As Apache does, a Content-Type beside it does not change what a local path means.
        kind_ = !status && isLocal(*location) ? Kind::localRedirect : Kind::clientRedirect;
        if (kind_ == Kind::localRedirect) location_ = *location;
        if (!status) head_.status = 302;
    }
    head_.fields.remove("Status");
    head_.fields.remove("Content-Length");
    return http::Verdict::complete;
}

http::Verdict ScriptHead::reject(std::string reason) {
    reason_ = std::move(reason);
    return http::Verdict::rejected;
}

} // namespace reef::gateway

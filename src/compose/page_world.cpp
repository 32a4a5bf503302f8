#include "compose/page_world.h"

#include "base/text.h"
#include "compose/nginx_variables.h"
#include "compose/target.h"

#include <algorithm>

namespace reef::compose {

namespace {

std::string upperCase(std::string_view name) {
    std::string out;
    for (const char c : name)
        out += text::upper(c);
    return out;
}

/// `%{TIME}` and its parts, of local time.
std::string_view timeFormatOf(std::string_view name) noexcept {
    if (name == "TIME") return "%Y%m%d%H%M%S";
    if (name == "TIME_YEAR") return "%Y";
    if (name == "TIME_MON") return "%m";
    if (name == "TIME_DAY") return "%d";
    if (name == "TIME_HOUR") return "%H";
    if (name == "TIME_MIN") return "%M";
    if (name == "TIME_SEC") return "%S";
    if (name == "TIME_WDAY") return "%w";
    return {};
}

} // namespace

std::optional<std::string> PageWorld::captured(std::string_view name) const {
    const Matched* const matched = evaluating_ != nullptr ? evaluating_ : matched_.get();
    const auto number = static_cast<std::size_t>(name.front() - '0');
    if (matched == nullptr || matched->parts.at(number).empty()) return std::nullopt;
    return matched->parts.at(number);
}

std::optional<std::string> PageWorld::given(std::string_view name) {
    if (auto value = host_.variable(page_, name)) return value;
    return compose::variable(page_, name, times());
}

std::optional<std::string> PageWorld::valueOf(std::string_view name) {
    if (name.size() == 1 && text::isDigit(name.front())) {
        if (auto capture = captured(name)) return capture;
    }
    if (const auto value = assignments_.find(name)) return std::string(*value);
    if (dialect_ == Dialect::nginx) {
        if (auto value = nginxVariable(page_, text::toLower(name))) return value;
    }
    if (auto value = given(name)) return value;
    const auto capitals = upperCase(name);
    return capitals == name ? std::nullopt : given(capitals);
}

bool PageWorld::set(std::string_view name, std::string_view value) {
    return assignments_.set(name, value);
}

std::expected<bool, std::string> PageWorld::holds(std::string_view text) {
    const auto expression = parseExpression(text, dialect_);
    if (!expression) return std::unexpected(expression.error());
    Matched last = matched_ != nullptr ? *matched_ : Matched();
    const auto before = last;
    auto outcome = evaluate(*expression, *this, last);
    evaluating_ = nullptr;
    if (!outcome) return outcome;
    if (last.parts == before.parts && last.named == before.named) return outcome;
    for (const auto& [name, value] : last.named) {
        if (!set(name, value)) return std::unexpected("the page sets too many variables");
    }
    matched_ = std::make_unique<Matched>(std::move(last));
    return outcome;
}

std::vector<Assignments::Entry> PageWorld::all() {
    std::vector<Assignments::Entry> out;
    const auto add = [&](std::string_view name) {
        if (std::ranges::find(out, name, &Assignments::Entry::first) != out.end()) return;
        if (auto value = valueOf(name)) out.emplace_back(name, std::move(*value));
    };
    for (const http::HeaderField& field : clientRequest(page_).fields) {
        auto name = upperCase(field.name);
        std::ranges::replace(name, '-', '_');
        add(text::concat("HTTP_", name));
    }
    for (const std::string_view name : {"SERVER_SOFTWARE", "DOCUMENT_ROOT", "USER_NAME"})
        add(name);
    for (const std::string& name : variableNames(page_))
        add(name);
    if (const auto& set = assignments_.snapshot()) {
        for (const auto& [name, value] : set->entries())
            add(name);
    }
    return out;
}

std::string PageWorld::timeText(std::time_t time) const {
    return formatTime(time, Zone::local, times().format);
}

PageTimes PageWorld::times() const {
    PageTimes times(host_.now(), context_.lastModified);
    if (timeFormat_) times.format = *timeFormat_;
    return times;
}

std::string PageWorld::serverVariable(std::string_view name) {
    const auto& client = clientRequest(page_);
    if (const auto format = timeFormatOf(name); !format.empty())
        return formatTime(host_.now(), Zone::local, format);
    if (name == "REQUEST_URI" || name == "DOCUMENT_URI") return std::string(client.path);
    if (name == "THE_REQUEST") return nginxVariable(page_, "request").value_or("");
    if (name == "IS_SUBREQ") return page_.lineage.parent != nullptr ? "true" : "false";
    if (name == "HTTPS") return client.endpoints->secure ? "on" : "off";
    if (name == "HTTP2") return "off";
    if (name == "IPV6") return client.endpoints->remoteAddress.contains(':') ? "on" : "off";
    if (name == "CONN_REMOTE_ADDR") return std::string(client.endpoints->remoteAddress);
    if (name == "REMOTE_HOST") return std::string(client.endpoints->remoteAddress);
    if (name == "AUTH_TYPE") return client.remoteUser.empty() ? "" : "Basic";
    if (name == "CONTENT_TYPE") return "text/html";
    if (name == "CONTEXT_DOCUMENT_ROOT") name = "DOCUMENT_ROOT";
    if (name == "REQUEST_LOG_ID") return std::string(page_.id);
    if (name == "SCRIPT_FILENAME" || name == "REQUEST_FILENAME")
        return given("DOCUMENT_ROOT").value_or("") + std::string(client.path);
    return given(name).value_or("");
}

std::string PageWorld::requestField(std::string_view name) {
    return compose::requestField(page_, name).value_or("");
}

bool PageWorld::mayAccess(std::string_view path) {
    const auto spec = resolve(FragmentKind::virtualPath, path, page_);
    return spec && host_.mayAccess(*spec);
}

std::optional<bool> PageWorld::lies(std::string_view address, std::string_view network) {
    return host_.liesIn(address, network);
}

std::expected<std::string, std::string> PageWorld::expand(std::string_view text,
                                                          const Matched& last) {
    evaluating_ = &last;
    std::string scratch;
    const auto out = expanded(text, scratch);
    evaluating_ = nullptr;
    if (!out) return std::unexpected(std::string(out.error()));
    return std::string(*out);
}

} // namespace reef::compose

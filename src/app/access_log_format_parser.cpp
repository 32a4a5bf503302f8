#include "app/access_log_format.h"
#include "base/text.h"
#include "http/characters.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace reef::app {

namespace {

constexpr std::string_view kCommon = "%h %l %u %t \"%r\" %>s %b";
constexpr std::string_view kCombined =
    "%h %l %u %t \"%r\" %>s %b \"%{Referer}i\" \"%{User-Agent}i\"";

} // namespace

/// Takes a format string apart, one directive at a time.
class AccessLogFormatParser {
public:
    using Kind = AccessLogFormat::Kind;

    explicit AccessLogFormatParser(std::string_view text) : text_(text) {}

    std::expected<AccessLogFormat, AccessLogFormatError> parse() {
        while (place_ < text_.size()) {
            if (text_[place_] != '%') {
                takeLiteral();
            } else if (auto error = takeDirective()) {
                return std::unexpected(std::move(*error));
            }
        }
        return std::move(format_);
    }

private:
    using Problem = std::optional<AccessLogFormatError>;

    struct Directive {
        char letter;
        Kind kind;
        std::string_view argument = {}; ///< the one that means `kind`; "*": any, as its text
    };
    static const Directive kDirectives[];

    void takeLiteral() {
        const auto end = std::min(text_.find('%', place_), text_.size());
        addLiteral(text_.substr(place_, end - place_));
        place_ = end;
    }

    void addLiteral(std::string_view text) {
        auto& items = format_.items_;
        if (items.empty() || items.back().kind != Kind::literal)
            items.push_back({Kind::literal, {}});
        items.back().text += text;
    }

    Problem takeDirective() {
        column_ = place_ + 1;
        ++place_;
        if (next() == '>' || next() == '<') ++place_; // there is only the final status
        std::string_view argument;
        if (next() == '{') {
            const auto end = text_.find('}', place_);
            if (end == std::string_view::npos) return problem("this %{ has no }");
            argument = text_.substr(place_ + 1, end - place_ - 1);
            if (argument.empty()) return problem("nothing stands between { and }");
            place_ = end + 1;
        }
        if (place_ == text_.size()) return problem("a % at the end; write %% for a percent sign");
        return add(text_[place_++], argument);
    }

    Problem add(char letter, std::string_view argument);

    char next() const noexcept { return place_ < text_.size() ? text_[place_] : '\0'; }

    Problem problem(std::string message) const {
        return AccessLogFormatError{column_, std::move(message)};
    }

    std::string_view text_;
    std::size_t place_ = 0;
    std::size_t column_ = 1;
    AccessLogFormat format_;
};

const AccessLogFormatParser::Directive AccessLogFormatParser::kDirectives[] = {
    {'h', Kind::remoteAddress},
    {'a', Kind::remoteAddress},
    {'A', Kind::localAddress},
    {'l', Kind::dash},
    {'u', Kind::user},
    {'t', Kind::time},
    {'t', Kind::seconds, "sec"},
    {'t', Kind::milliseconds, "msec"},
    {'t', Kind::microseconds, "usec"},
    {'t', Kind::formattedTime, "*"},
    {'r', Kind::requestLine},
    {'m', Kind::method},
    {'U', Kind::path},
    {'q', Kind::query},
    {'H', Kind::protocol},
    {'s', Kind::status},
    {'b', Kind::contentOrDash},
    {'B', Kind::content},
    {'I', Kind::received},
    {'O', Kind::sent},
    {'D', Kind::durationMicroseconds},
    {'T', Kind::durationSeconds},
    {'T', Kind::durationSeconds, "s"},
    {'T', Kind::durationMilliseconds, "ms"},
    {'T', Kind::durationMicroseconds, "us"},
    {'i', Kind::requestField, "*"},
    {'o', Kind::responseField, "*"},
    {'C', Kind::cookie, "*"},
    {'v', Kind::host},
    {'V', Kind::host},
    {'p', Kind::localPort},
    {'p', Kind::localPort, "local"},
    {'p', Kind::localPort, "canonical"},
    {'p', Kind::remotePort, "remote"},
    {'L', Kind::requestId},
    {'X', Kind::connection},
};

AccessLogFormatParser::Problem AccessLogFormatParser::add(char letter, std::string_view argument) {
    if (letter == '%' && argument.empty()) {
        addLiteral("%");
        return {};
    }
    bool known = false;
    for (const Directive& directive : kDirectives) {
        if (directive.letter != letter) continue;
        known = true;
        const bool any = directive.argument == "*" && !argument.empty();
        if (!any && directive.argument != argument) continue;
        const bool isField = letter == 'i' || letter == 'o';
        if (isField && !http::isToken(argument))
            return problem(text::concat("\"", argument, "\" is no name of a field"));
        format_.items_.push_back({directive.kind, any ? std::string(argument) : std::string()});
        return {};
    }
    if (!known) return problem(text::concat("unknown directive %", letter));
    if (argument.empty()) return problem(text::concat("%", letter, " needs {…} before it"));
    return problem(text::concat("%", letter, " does not know {", argument, "}"));
}

std::expected<AccessLogFormat, AccessLogFormatError> AccessLogFormat::parse(std::string_view text) {
    if (text == "json") {
        AccessLogFormat format;
        format.items_.push_back({Kind::json, {}});
        return format;
    }
    if (text == "combined") text = kCombined;
    if (text == "common") text = kCommon;
    if (text.empty()) return std::unexpected(AccessLogFormatError{1, "the format is empty"});
    const bool isWord = std::ranges::all_of(text, text::isAlpha);
    if (isWord)
        return std::unexpected(AccessLogFormatError{
            1, text::concat("unknown format \"", text,
                            "\"; there are common, combined, json, and strings with directives")});
    return AccessLogFormatParser(text).parse();
}

} // namespace reef::app

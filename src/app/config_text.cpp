#include "app/config_text.h"

#include "app/regular_file.h"
#include "base/text.h"

#include <algorithm>

namespace reef::app {

namespace {

/// Goes through a text as far as TOML's own rules about strings, comments and keys reach; what
/// else is wrong with it, the parser says.
class KeyScan {
public:
    explicit KeyScan(std::string_view text) : text_(text) {}

    /// Where a key has one part too many; `npos`: nowhere.
    std::size_t firstTooDeep() {
        constexpr std::string_view kEnds = ",=[]{}\n";
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"' || c == '\'') {
                skipString(c);
                continue;
            }
            if (c == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
                continue;
            }
            if (kEnds.find(c) != std::string_view::npos) parts_ = 1;
            if (c == '.' && ++parts_ > kMaxKeyParts) return at_;
            ++at_;
        }
        return std::string_view::npos;
    }

private:
    /// From its first quote to behind its last. A backslash hides the next byte in strings of `"`.
    void skipString(char quote) {
        const std::string three(3, quote);
        const bool isLong = text_.substr(at_).starts_with(three);
        at_ += isLong ? 3 : 1;
        for (; at_ < text_.size(); ++at_) {
            if (quote == '"' && text_[at_] == '\\') {
                ++at_;
            } else if (!isLong && text_[at_] == '\n') {
                return; // the parser stops here
            } else if (isLong && text_.substr(at_).starts_with(three)) {
                return skipQuotes(quote, 5); // the last two may belong to the text
            } else if (!isLong && text_[at_] == quote) {
                return skipQuotes(quote, 1);
            }
        }
    }

    void skipQuotes(char quote, std::size_t most) {
        for (; most != 0 && at_ < text_.size() && text_[at_] == quote; --most)
            ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t parts_ = 1;
};

std::string tooLarge() {
    return text::concat("is larger than ", kMaxConfigBytes >> 10U,
                        " KB; expected a file of settings");
}

} // namespace

std::expected<std::optional<std::string>, ConfigError> readConfigText(const std::string& file) {
    auto text = readRegularFile(file, kMaxConfigBytes);
    if (text) return std::optional(std::move(*text));
    const Error error = text.error();
    if (error == Error::notFound) return std::nullopt;
    std::string why;
    if (error == Error::unsupported) {
        why = "is no regular file (a directory, a pipe or a device); expected a file of settings";
    } else if (error == Error::tooLarge) {
        why = tooLarge();
    } else {
        why = "the file is there, but cannot be read: " + error.describe();
    }
    return std::unexpected(ConfigError{file, 0, 0, std::move(why)});
}

std::optional<ConfigError> faultOfText(std::string_view text, const std::string& file) {
    if (text.size() > kMaxConfigBytes) return ConfigError{file, 0, 0, tooLarge()};
    const auto at = KeyScan(text).firstTooDeep();
    if (at == std::string_view::npos) return std::nullopt;
    const auto before = text.substr(0, at);
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    const auto newline = before.rfind('\n');
    const auto column = at - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
    return ConfigError{file, line, column,
                       text::concat("a key of more than ", kMaxKeyParts,
                                    " parts; Atoll knows none of more than four")};
}

} // namespace reef::app

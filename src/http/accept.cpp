#include "http/accept.h"

#include "base/text.h"
#include "http/quality.h"

#include <optional>

namespace reef::http {

namespace {

/// How closely a media range names a type: 3 exactly, 2 "text/*", 1 "*/*", 0 not.
int closeness(std::string_view range, std::string_view mediaType) noexcept {
    if (text::equalsIgnoreCase(range, mediaType)) return 3;
    if (range == "*/*") return 1;
    if (!range.ends_with("/*")) return 0;
    return text::startsWithIgnoreCase(mediaType, range.substr(0, range.size() - 1)) ? 2 : 0;
}

/// The weight among the parameters of an element: 1000 when there is none; nothing: malformed.
std::optional<int> weightAmong(std::string_view parameters) noexcept {
    while (!parameters.empty()) {
        const auto parameter = text::trim(text::takeUntil(parameters, ';'));
        if (text::startsWithIgnoreCase(parameter, "q=")) return parseQuality(parameter.substr(2));
    }
    return 1000;
}

} // namespace

int acceptWeight(const HeaderList& fields, std::string_view mediaType) noexcept {
    bool asked = false;
    int closest = 0;
    int weight = 0;
    for (const HeaderField& field : fields) {
        if (!text::equalsIgnoreCase(field.name, "Accept")) continue;
        asked = true;
        std::string_view line = field.value;
        while (!line.empty()) {
            std::string_view element = text::takeUntil(line, ',');
            const int close = closeness(text::trim(text::takeUntil(element, ';')), mediaType);
            const auto given = close > closest ? weightAmong(element) : std::nullopt;
            if (!given) continue;
            closest = close;
            weight = *given;
        }
    }
    return asked ? weight : 1000;
}

} // namespace reef::http

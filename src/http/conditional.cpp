#include "http/conditional.h"

#include "base/text.h"
#include "http/date.h"

namespace reef::http {

namespace {

/// The first line of one conditional field, and how many there are.
struct Lines {
    std::string_view value;
    unsigned count = 0;
    explicit operator bool() const noexcept { return count > 0; }
};

/// The conditional fields, found in one walk over the list.
struct Conditions {
    explicit Conditions(const HeaderList& fields) noexcept {
        for (const HeaderField& field : fields) {
            const std::string_view name = field.name;
            if (name.size() < 8 || text::lower(name[0]) != 'i' || name[2] != '-') continue;
            switch (name.size()) {
            case 8:
                take(field, "if-match", match);
                take(field, "if-range", range);
                break;
            case 13:
                take(field, "if-none-match", noneMatch);
                break;
            case 17:
                take(field, "if-modified-since", modifiedSince);
                break;
            case 19:
                take(field, "if-unmodified-since", unmodifiedSince);
                break;
            default:
                break;
            }
        }
    }

    static void take(const HeaderField& field, std::string_view name, Lines& lines) noexcept {
        if (!text::equalsIgnoreCase(field.name, name)) return;
        if (lines.count++ == 0) lines.value = field.value;
    }

    Lines match;
    Lines noneMatch;
    Lines modifiedSince;
    Lines unmodifiedSince;
    Lines range;
};

using Compare = bool (*)(std::string_view, std::string_view) noexcept;

bool isEtagByte(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x21 || (byte >= 0x23 && byte != 0x7f);
}

/// The entity tag at the front of `rest`, taken off; empty when there is none.
std::string_view takeEtag(std::string_view& rest) noexcept {
    std::size_t end = rest.starts_with("W/") ? 2 : 0;
    if (end >= rest.size() || rest[end] != '"') return {};
    do
        ++end;
    while (end < rest.size() && isEtagByte(rest[end]));
    if (end == rest.size() || rest[end] != '"') return {};
    const auto etag = rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
    return etag;
}

/// Whether one value names the representation. What is not an entity tag ends the list.
bool listNames(std::string_view rest, const Validators& current, Compare same) noexcept {
    if (rest == "*") return current.exists;
    while (!rest.empty()) {
        rest = rest.substr(std::min(rest.find_first_not_of(" \t,"), rest.size()));
        const auto etag = takeEtag(rest);
        if (etag.empty()) return false;
        if (same(etag, current.etag)) return true;
        rest = text::trim(rest);
        if (!rest.empty() && rest.front() != ',') return false;
    }
    return false;
}

bool anyLineNames(const HeaderList& fields, std::string_view name, const Lines& lines,
                  const Validators& current, Compare same) noexcept {
    if (lines.count == 1) return listNames(lines.value, current, same);
    for (const HeaderField& field : fields) {
        if (text::equalsIgnoreCase(field.name, name) && listNames(field.value, current, same))
            return true;
    }
    return false;
}

/// The date of a condition; none when it cannot count (RFC 9110 13.1.3, 13.1.4).
std::optional<std::time_t> dateOf(const Lines& lines, const Validators& current) noexcept {
    if (lines.count != 1 || !current.lastModified) return std::nullopt;
    return parseDate(lines.value, current.now);
}

bool opaqueTagsEqual(std::string_view a, std::string_view b) noexcept {
    return !a.empty() && a == b;
}

} // namespace

bool strongMatch(std::string_view a, std::string_view b) noexcept {
    return a.starts_with('"') && opaqueTagsEqual(a, b);
}

bool weakMatch(std::string_view a, std::string_view b) noexcept {
    if (a.starts_with("W/")) a.remove_prefix(2);
    if (b.starts_with("W/")) b.remove_prefix(2);
    return opaqueTagsEqual(a, b);
}

Precondition evaluate(Method method, const HeaderList& fields, const Validators& current) noexcept {
    if (method == Method::connect || method == Method::options || method == Method::trace) {
        return Precondition::proceed; // RFC 9110 13.2.1
    }
    const Conditions conditions(fields);
    const bool reads = method == Method::get || method == Method::head;
    if (conditions.match) {
        if (!anyLineNames(fields, "if-match", conditions.match, current, strongMatch)) {
            return Precondition::failed;
        }
    } else if (const auto date = dateOf(conditions.unmodifiedSince, current)) {
        if (*current.lastModified > *date) return Precondition::failed;
    }
    if (conditions.noneMatch) {
        if (!anyLineNames(fields, "if-none-match", conditions.noneMatch, current, weakMatch)) {
            return Precondition::proceed;
        }
        return reads ? Precondition::notModified : Precondition::failed;
    }
    if (const auto date = dateOf(conditions.modifiedSince, current); date && reads) {
        if (*current.lastModified <= *date) return Precondition::notModified;
    }
    return Precondition::proceed;
}

bool ifRangeHolds(const HeaderList& fields, const Validators& current) noexcept {
    const Lines range = Conditions(fields).range;
    if (!range) return true;
    if (range.count > 1) return false;
    if (range.value.starts_with('"') || range.value.starts_with("W/")) {
        return strongMatch(range.value, current.etag);
    }
    const auto date = dateOf(range, current);
    // Changed within this very second, it may change again and keep its date (RFC 9110 8.8.2.2).
    return date && *date == *current.lastModified && *current.lastModified < current.now;
}

} // namespace reef::http

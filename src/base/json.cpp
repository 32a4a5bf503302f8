#include "base/json.h"

#include "base/utf8.h"

#include <algorithm>

namespace reef {

namespace {

void appendUnit(std::string& out, unsigned unit) {
    static constexpr char kHex[] = "0123456789abcdef";
    out += {'\\',
            'u',
            kHex[unit >> 12U],
            kHex[(unit >> 8U) & 15U],
            kHex[(unit >> 4U) & 15U],
            kHex[unit & 15U]};
}

/// As \uXXXX, above U+FFFF as a pair of surrogates.
void appendEscaped(std::string& out, char32_t value) {
    if (value < 0x10000) return appendUnit(out, value);
    appendUnit(out, 0xd800U + ((value - 0x10000U) >> 10U));
    appendUnit(out, 0xdc00U + ((value - 0x10000U) & 0x3ffU));
}

} // namespace

void appendJsonString(std::string& out, std::string_view text) {
    out += '"';
    while (!text.empty()) {
        const auto point = utf8::first(text);
        if (point.length == 0) {
            out += "\xef\xbf\xbd";
        } else if (point.value == '"' || point.value == '\\') {
            out += {'\\', text[0]};
        } else if (point.value == '<' || utf8::isHidden(point.value)) {
            appendEscaped(out, point.value);
        } else {
            out += text.substr(0, point.length);
        }
        text.remove_prefix(std::max<std::size_t>(point.length, 1));
    }
    out += '"';
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    appendJsonString(out_, name);
    out_ += ':';
    needsComma_ = false;
    return *this;
}

JsonWriter& JsonWriter::value(std::string_view text) {
    separate();
    appendJsonString(out_, text);
    return *this;
}

JsonWriter& JsonWriter::value(std::uint64_t number) {
    separate();
    out_ += std::to_string(number);
    return *this;
}

JsonWriter& JsonWriter::null() {
    separate();
    out_ += "null";
    return *this;
}

JsonWriter& JsonWriter::open(char bracket) {
    separate();
    out_ += bracket;
    needsComma_ = false;
    return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
    out_ += bracket;
    needsComma_ = true;
    return *this;
}

void JsonWriter::separate() {
    if (needsComma_) out_ += ',';
    needsComma_ = true;
}

} // namespace reef

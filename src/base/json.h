#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace reef {

/// Appends `text` as a JSON string (RFC 8259 section 7), quotes included. The result is valid UTF-8
/// whatever the text: bytes that are not become U+FFFD. "<" is escaped too, so that the document
/// may stand in a <script> block, and hidden code points (utf8::isHidden), so that a reader sees
/// what is there.
void appendJsonString(std::string& out, std::string_view text);

/// Writes one JSON document, commas and all:
/// `json.beginObject().key("views").value(7).endObject()`. The caller keeps the order right;
/// nothing is checked.
class JsonWriter {
public:
    JsonWriter& beginObject() { return open('{'); }
    JsonWriter& endObject() { return close('}'); }
    JsonWriter& beginArray() { return open('['); }
    JsonWriter& endArray() { return close(']'); }

    JsonWriter& key(std::string_view name);
    JsonWriter& value(std::string_view text);
    JsonWriter& value(const char* text) { return value(std::string_view(text)); }
    JsonWriter& value(std::uint64_t number);
    JsonWriter& null();

    /// The document so far, given away.
    std::string take() { return std::move(out_); }

private:
    JsonWriter& open(char bracket);
    JsonWriter& close(char bracket);
    void separate();

    std::string out_;
    bool needsComma_ = false;
};

} // namespace reef

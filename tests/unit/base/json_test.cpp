#include "base/json.h"

#include <catch2/catch.hpp>

using namespace reef;

namespace {

std::string quoted(std::string_view text) {
    std::string out;
    appendJsonString(out, text);
    return out;
}

} // namespace

TEST_CASE("any bytes become a valid JSON string") {
    CHECK(quoted("plain \xe4\xbd\xa0") == "\"plain \xe4\xbd\xa0\"");
    CHECK(quoted("\"\\/") == "\"\\\"\\\\/\"");
    CHECK(quoted(std::string_view("\0\n\x1f\x7f", 4)) == "\"\\u0000\\u000a\\u001f\\u007f\"");
    CHECK(quoted("\xff\xc0") == "\"\xef\xbf\xbd\xef\xbf\xbd\"");
    CHECK(quoted("\xed\xa0\x80") == "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
    CHECK(quoted("</script>") == "\"\\u003c/script>\"");
    CHECK(quoted("\xe2\x80\xa8\xe2\x80\xae") == "\"\\u2028\\u202e\"");
    CHECK(quoted("\xf3\xa0\x80\x81") == "\"\\udb40\\udc01\""); // a tag, beyond U+FFFF and hidden
}

TEST_CASE("commas stand between, and nowhere else") {
    JsonWriter json;
    json.beginObject().key("a").value(1U).key("b").beginArray();
    json.beginObject().endObject().beginObject().key("c").null().endObject().value("x").endArray();
    json.key("d").beginArray().endArray().endObject();
    CHECK(json.take() == R"({"a":1,"b":[{},{"c":null},"x"],"d":[]})");
}

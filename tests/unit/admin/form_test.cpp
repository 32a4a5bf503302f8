#include "admin/form.h"

#include <catch2/catch.hpp>

using namespace reef;
using admin::parseForm;

TEST_CASE("a form is decoded field by field") {
    const auto form = parseForm("name=ada&pass=a%26b%3Dc+d%C3%A4&empty=&bare");
    REQUIRE(form);
    CHECK((*form)["name"] == "ada");
    CHECK((*form)["pass"] == "a&b=c d\xc3\xa4");
    CHECK((*form)["empty"].empty());
    CHECK((*form)["missing"].empty());
    CHECK(form->size() == 4);
    CHECK(parseForm("")->size() == 0);
}

TEST_CASE("what our pages would never send is refused") {
    const std::string_view bad[] = {
        "a=%",        "a=%1",    "a=%zz",    "a=%00",       "a=%0a",     "a=%7f",
        "a=\xc3\xa4", "a=%c3",   "a=%ff",    "a=%ed%a0%80", "a=%c0%80",  "a=b c",
        "a=b\n",      "a=1&a=2", "a=1&&b=2", "=1",          "%61=1&a=2", "a=1&=",
    };
    for (const auto text : bad) {
        INFO(text);
        const auto form = parseForm(text);
        REQUIRE_FALSE(form);
        CHECK(form.error() == Error::malformed);
    }
}

TEST_CASE("forms are bounded in size and number of fields") {
    CHECK(parseForm("a=" + std::string(8190, 'x')));
    CHECK(parseForm("a=" + std::string(8191, 'x')).error() == Error::tooLarge);
    std::string many;
    for (int i = 0; i < 33; ++i)
        many += (i == 0 ? "f" : "&f") + std::to_string(i) + "=1";
    CHECK(parseForm(many).error() == Error::tooLarge);
}

TEST_CASE("any bytes at all are answered with a form or an error") {
    for (unsigned byte = 0; byte < 256; ++byte) {
        const std::string text = {'a', '=', static_cast<char>(byte), '&', static_cast<char>(byte)};
        const auto form = parseForm(text);
        if (form) CHECK(form->size() <= 3);
    }
}

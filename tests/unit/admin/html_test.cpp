#include "admin/html.h"
#include "admin/visible.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef::admin;

namespace {

/// Whether the template would compile with these parts.
template<class... Parts>
bool passes(std::string_view markup) {
    constexpr PartKind kParts[] = {kPartKind<Parts>..., PartKind::text};
    try {
        TemplateCheck(markup, kParts, sizeof...(Parts)).run();
        return true;
    } catch (const char*) {
        return false;
    }
}

} // namespace

TEST_CASE("every text that is put into markup is escaped") {
    const std::string hostile = R"(<script>alert("1")</script>&'x')";
    const std::string escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;x&#39;";
    CHECK(html("<p>{}</p>", hostile).text() == "<p>" + escaped + "</p>");
    CHECK(html(R"(<p title="{}"></p>)", hostile).text() == "<p title=\"" + escaped + "\"></p>");
    CHECK(html("<p>{}</p>", hostile.c_str()).text() == "<p>" + escaped + "</p>");
}

TEST_CASE("markup, numbers and addresses are put in as they are") {
    const Html inner = html("<b>{}</b>", 42U);
    CHECK(html("<p>{}{}</p>", inner, -7).text() == "<p><b>42</b>-7</p>");
    CHECK(html(R"(<a href="{}">x</a>)", Url("/login")).text() == R"(<a href="/login">x</a>)");
}

TEST_CASE("a place inside a text is not filled again") {
    CHECK(html("<p>{}|{}</p>", "{}", "{x}").text() == "<p>{}|{x}</p>");
}

TEST_CASE("templates that could not be filled safely do not compile") {
    CHECK(passes<int>("<p>{}</p>"));
    CHECK(passes<int>("<p title=\"{}\">x</p>"));
    CHECK(passes<Url>("<a href=\"{}\">x</a>"));
    CHECK(passes<>("<!doctype html><input required>"));

    CHECK_FALSE(passes<>("<p>{}</p>"));                       // too few parts
    CHECK_FALSE(passes<int, int>("<p>{}</p>"));               // too many
    CHECK_FALSE(passes<std::string>("<p title={}>"));         // no quotes
    CHECK_FALSE(passes<std::string>("<p title='{}'>"));       // the other ones
    CHECK_FALSE(passes<std::string>("<p {}>"));               // an attribute's name
    CHECK_FALSE(passes<std::string>("<{}>"));                 // an element's name
    CHECK_FALSE(passes<Html>("<p title=\"{}\">"));            // markup in an attribute
    CHECK_FALSE(passes<std::string>("<a href=\"{}\">x</a>")); // any text as an address
    CHECK_FALSE(passes<std::string>("<form action=\"{}\">")); //
    CHECK_FALSE(passes<Url>("<p title=\"{}\">"));             // an address elsewhere
    CHECK_FALSE(passes<Url>("<p>{}</p>"));                    //
    CHECK_FALSE(passes<std::string>("<p style=\"{}\">"));     // inline style
    CHECK_FALSE(passes<>("<p style=\"color:red\">x</p>"));    //
    CHECK_FALSE(passes<>("<p onclick=\"x()\">x</p>"));        // handlers
    CHECK_FALSE(passes<>("<script>x</script>"));              //
    CHECK_FALSE(passes<>("<style>x</style>"));                //
    CHECK_FALSE(passes<>("<p"));                              // unfinished
    CHECK_FALSE(passes<>("<p>{</p>"));                        // a lone brace
}

TEST_CASE("text that would hide or turn is made visible") {
    CHECK(visible("plain \xc3\xa4 \xe4\xbd\xa0 \xf0\x9f\x98\x80") ==
          "plain \xc3\xa4 \xe4\xbd\xa0 \xf0\x9f\x98\x80");
    CHECK(visible(std::string_view("a\0b\n\x1b[2J\x7f", 9)) == "a\\x00b\\x0a\\x1b[2J\\x7f");
    CHECK(visible("\xff\xc0\x80\xed\xa0\x80") == "\\xff\\xc0\\x80\\xed\\xa0\\x80");
    CHECK(visible("exe\xe2\x80\xaegpj") == "exe\\u{202e}gpj"); // right-to-left override
    CHECK(visible("a\xe2\x80\x8b"
                  "b") == "a\\u{200b}b");         // zero-width space
    CHECK(visible("a\xc2\x85z") == "a\\u{85}z");  // a control above ASCII
    CHECK(visible("x\xe4\xbd") == "x\\xe4\\xbd"); // cut short
}

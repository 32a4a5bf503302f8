#include "app/page_lint.h"
#include "base/text.h"

#include <catch2/catch.hpp>

using namespace reef;
using compose::Dialect;

namespace {

/// "line: what" or "line: advice: what", one a line. Targets with "lost" in them are not there.
std::string lint(std::string_view content, Dialect dialect = Dialect::apache, bool exec = false) {
    Arena arena;
    http::EmptyBody body;
    const http::Endpoints ends;
    http::Request page(arena, body, ends);
    page.target = page.rawPath = page.path = "/dir/page.shtml";
    app::PageManners manners;
    manners.dialect = dialect;
    manners.exec = exec;
    std::string out;
    const auto missing = [](const compose::FragmentSpec& spec) -> std::string {
        return spec.path.contains("lost") ? "there is no such file" : "";
    };
    for (const auto& finding : app::lintPage(content, page, manners, missing))
        out +=
            text::concat(finding.line, ": ", finding.advice ? "advice: " : "", finding.what, "\n");
    return out;
}

struct Case {
    const char* page;
    const char* says;
};

} // namespace

TEST_CASE("a page without faults has no findings") {
    CHECK(lint("<p>text</p>").empty());
    CHECK(lint("<!--#config timefmt='%Y' --><!--#set var='a' value='$b' -->"
               "<!--#if expr=\"v('a') = 'x' && $1 = ''\" --><!--#include virtual='/a' -->"
               "<!--#elif expr='true' --><!--#echo var='a' --><!--#else --><!--#endif -->"
               "<!--#include virtual='/lost/$a' --><!--#comment lost -->")
              .empty());
    CHECK(lint("<!--# if expr=\"$a = /b/\" --><!--#block name='s' --><!--#endblock -->"
               "<!--#include virtual='/a' stub='s' wait='yes' --><!--#endif -->",
               Dialect::nginx)
              .empty());
    CHECK(lint("<!--#if expr='$a = b || !$c' --><!--#endif -->", Dialect::apacheLegacy).empty());
}

TEST_CASE("what is wrong in a page is told with its line") {
    const Case cases[] = {
        {"\n<!--#dance -->", "2: dance: unknown directive\n"},
        {"<!--#include fiel='a' -->", "1: include fiel=\"a\": unknown attribute\n"},
        {"<!--#include virtual='lost' -->", "1: include virtual=\"lost\": there is no such file\n"},
        {"<!--#fsize file='lost' -->", "1: fsize file=\"lost\": there is no such file\n"},
        {"<!--#include virtual='a' onerror='/lost' -->",
         "1: include onerror=\"/lost\": there is no such file\n"},
        {"<!--#include virtual='a' wait='maybe' -->",
         "1: include wait=\"maybe\": expected yes or no\n"
         "1: advice: include wait: Apache has no such attribute\n"},
        {"<!--#config sizefmt='kilo' -->",
         "1: config sizefmt=\"kilo\": expected bytes or abbrev\n"},
        {"<!--#echo encoding='rot13' var='a' -->",
         "1: echo encoding=\"rot13\": expected none, url, urlencoded, base64 or entity\n"},
        {"<!--#if expr='true' -->\n<!--#if expr='true' --><!--#endif -->",
         "1: if: it is not closed by endif\n"},
        {"<!--#endif --><!--#else --><!--#elif expr='true' -->",
         "1: endif: there is no if before it\n1: else: there is no if before it\n"
         "1: elif: there is no if before it\n"},
        {"<!--#if expr='foo' --><!--#endif -->",
         "1: if expr=\"foo\": foo is no function and no text; texts stand in quotes\n"},
        {"<!--#exec cmd='date' -->", "1: exec: it is off here; `ssi_exec = true` turns it on\n"},
        {"<!--#echo var='a", "1: a directive does not end\n"},
    };
    for (const Case& c : cases) {
        INFO(c.page);
        CHECK(lint(c.page) == c.says);
    }
}

TEST_CASE("a variable that ap_expr does not replace is told, wherever it stands") {
    CHECK(lint("<!--#if expr='$name = \"x\"' --><!--#endif -->") ==
          "1: if expr=\"$name = \"x\"\": $name is nothing here; v('name') is the variable of the "
          "page\n");
    CHECK(lint("<!--#if expr=\"'${name}' = 'x'\" --><!--#endif -->") ==
          "1: advice: $name is not replaced in an expression of ap_expr; v('name') is the variable "
          "of the page\n");
    CHECK(lint("<!--#if expr=\"%{name} = 'x'\" --><!--#endif -->").contains("v('name')"));
    CHECK(lint("<!--#if expr='$name = x' --><!--#endif -->", Dialect::apacheLegacy).empty());
}

TEST_CASE("what is unsafe is told as advice") {
    CHECK(lint("<!--#echo encoding='none' var='HTTP_REFERER' -->") ==
          "1: advice: echo of HTTP_REFERER without encoding: what a visitor sends may come out of "
          "it as HTML\n");
    CHECK(lint("<!--#echo encoding='none' var='a' encoding='entity' var='b' -->")
              .starts_with("1: advice: echo of a "));
    CHECK(lint("<!--#exec cmd='grep $QUERY_STRING list' -->", Dialect::apache, true)
              .contains("what $QUERY_STRING holds becomes a part of the command"));
}

TEST_CASE("what the dialect's own server does not have is told as advice") {
    CHECK(lint("<!--#block name='s' --><!--#endblock --><!--#include virtual='/a' stub='s' -->") ==
          "1: advice: block: Apache has no such directive\n"
          "1: advice: endblock: Apache has no such directive\n"
          "1: advice: include stub: Apache has no such attribute\n");
    CHECK(lint("<!--# echo var='a' -->") ==
          "1: advice: echo: Apache takes no blank behind <!--#\n");
    CHECK(lint("<!--#fsize file='a' --><!--#Echo var='a' decoding='url' -->", Dialect::nginx) ==
          "1: advice: fsize: nginx has no such directive\n"
          "1: advice: Echo: nginx knows it in small letters only\n"
          "1: advice: Echo decoding: nginx has no such attribute\n");
    CHECK(lint("<!--#if expr='$a && $b' --><!--#endif -->", Dialect::nginx) ==
          "1: if expr=\"$a && $b\": expected = or != before `&& $b`\n");
    CHECK(lint("<!--#include virtual='/a' stub='s' -->", Dialect::nginx) ==
          "1: include stub=\"s\": there is no block of this name before it\n");
}

#include "harness/command.h"
#include "harness/http_client.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

/// Whether a program for the test is there. Says what is missing when it is not.
bool available(const std::string& probe, const std::string& package) {
    if (shell(probe + " > /dev/null 2>&1").clean()) return true;
    WARN("left out: " << package << " is not installed (packaging/packages/test)");
    return false;
}

constexpr const char* kPerlForm = R"(#!/usr/bin/perl
use strict;
use warnings;
use CGI;
my $q = CGI->new;
my $upload = $q->upload('file');
my $size = 0;
while ($upload && read($upload, my $piece, 65536)) { $size += length $piece; }
print $q->header(-type => 'text/plain', -charset => 'utf-8',
                 -cookie => [$q->cookie(-name => 'seen', -value => 1)]);
print "name=", scalar $q->param('name'), "\nfile=", $q->param('file'), "\nsize=$size\n";
print "cookie=", $q->cookie('a') // '', "\npath=", $q->path_info, "\nurl=", $q->url(-absolute => 1),
      "\n";
)";

constexpr const char* kPythonForm = R"(#!/usr/bin/python3
import os, sys, urllib.parse
size = int(os.environ.get("CONTENT_LENGTH", "0"))
form = urllib.parse.parse_qs(sys.stdin.buffer.read(size).decode())
sys.stdout.write("Content-Type: text/plain; charset=utf-8\r\n\r\n")
for name in sorted(form):
    print(name, "=", form[name])
print("rest", len(sys.stdin.buffer.read()))
)";

} // namespace

TEST_CASE("a form with a file reaches CGI.pm, the library that CGI was written for") {
    if (!available("perl -MCGI -e 1", "libcgi-pm-perl")) return;
    Site site;
    site.island("form.pl", kPerlForm);
    Server server(site);
    const auto file = site.beside("picture.png");
    writeFile(file, noise(700'000));
    const auto outcome =
        shell("curl -sS --max-time 60 -i -b a=1 -F 'name=R\xc3\xbc"
              "ben & Co' -F file=@" +
              file.string() + " http://127.0.0.1:" + std::to_string(server.port()) +
              "/cgi-bin/form.pl/extra");
    INFO(outcome.out << outcome.err);
    CHECK(holds(outcome.out, "Set-Cookie: seen=1"));
    CHECK(holds(outcome.out, "name=R\xc3\xbc"
                             "ben & Co\n"));
    CHECK(holds(outcome.out, "file=picture.png\n"));
    CHECK(holds(outcome.out, "size=700000\n"));
    CHECK(holds(outcome.out, "cookie=1\n"));
    CHECK(holds(outcome.out, "path=/extra\n"));
    CHECK(holds(outcome.out, "url=/cgi-bin/form.pl\n"));
}

TEST_CASE("a form reaches a Python program, and nothing behind it") {
    if (!available("/usr/bin/python3 -c pass", "python3")) return;
    Site site;
    site.island("form.py", kPythonForm);
    Server server(site);
    HttpClient client(server.port());
    const auto answer = client.post("/cgi-bin/form.py", "b=2&a=1&a=%C3%A9");
    CHECK(answer.body == "a = ['1', '\xc3\xa9']\nb = ['2']\nrest 0\n");
}

TEST_CASE("a compiled program answers as a script does") {
    if (!available("cc --version", "a C compiler")) return;
    Site site;
    const auto source = site.beside("hello.c");
    writeFile(source,
              "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n"
              "  printf(\"Content-Type: text/plain\\r\\n\\r\\n%s\", getenv(\"QUERY_STRING\"));\n"
              "}\n");
    const auto compiled =
        shell("cc -o " + (site.islands() / "hello").string() + " " + source.string());
    REQUIRE(compiled.clean());
    Server server(site);
    CHECK(fetch(server.port(), "/cgi-bin/hello?from=C").body == "from=C");
}

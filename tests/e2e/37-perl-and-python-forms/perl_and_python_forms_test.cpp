#include "harness/command.h"
#include "harness/curl.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

constexpr const char* kPerl = R"(#!/usr/bin/perl
use strict;
use warnings;
use CGI;
use Digest::SHA qw(sha1_hex);
my $q = CGI->new;
if ($q->param('go')) { print $q->redirect($q->url(-base => 1) . '/target.html'); exit }
my $cookie = $q->cookie(-name => 'visits', -value => ($q->cookie('visits') // 0) + 1);
print $q->header(-type => 'text/plain', -charset => 'utf-8', -cookie => $cookie);
print join '|', $q->request_method, scalar $q->param('name') // '-', $q->path_info,
    $q->self_url, $q->remote_host, '';
my $file = $q->upload('file') or exit;
binmode $file;
local $/;
print sha1_hex(scalar <$file>), '|', scalar $q->param('file');
)";

constexpr const char* kPython = R"(#!/usr/bin/python3 -Wignore
import cgi, hashlib, http.cookies, os, sys
form = cgi.FieldStorage()
cookies = http.cookies.SimpleCookie(os.environ.get('HTTP_COOKIE', ''))
visits = int(cookies['visits'].value) + 1 if 'visits' in cookies else 1
reply = http.cookies.SimpleCookie()
reply['visits'] = visits
print('Content-Type: text/plain; charset=utf-8')
print(reply)
print()
line = [os.environ['REQUEST_METHOD'], form.getfirst('name', '-'), str(visits)]
if 'file' in form:
    line += [form['file'].filename, hashlib.sha1(form['file'].file.read()).hexdigest()]
sys.stdout.flush()
sys.stdout.buffer.write('|'.join(line).encode())
)";

} // namespace

TEST_CASE("Perl's CGI.pm has its forms, cookies, uploads and redirects") {
    Site site;
    site.island("form.pl", kPerl);
    Server server(site);
    const std::string base = "http://127.0.0.1:" + std::to_string(server.port());
    CHECK(curl(server, "", "/cgi-bin/form.pl/info?name=a+b%26c") ==
          "GET|a b&c|/info|" + base + "/cgi-bin/form.pl/info?name=a%20b%26c|127.0.0.1|");
    CHECK(curl(server, "--data-urlencode 'name=\xc3\xa9t\xc3\xa9'", "/cgi-bin/form.pl")
              .starts_with("POST|\xc3\xa9t\xc3\xa9||"));
    const auto answer = fetch(server.port(), "/cgi-bin/form.pl", "Cookie: visits=4; x=y\r\n");
    CHECK(answer.field("Set-Cookie").starts_with("visits=5"));
    CHECK(answer.field("Content-Type") == "text/plain; charset=utf-8");
    const auto moved = fetch(server.port(), "/cgi-bin/form.pl?go=1");
    CHECK(moved.status == 302);
    CHECK(moved.field("Location").ends_with("/target.html"));

    const auto file = site.beside("coral.bin");
    writeFile(file, noise(700'000));
    const auto digest = shell("sha1sum < " + file.string()).out.substr(0, 40);
    for (const char* framing : {"", "-H 'Transfer-Encoding: chunked' "}) {
        INFO(framing);
        CHECK(curl(server, std::string(framing) + "-F name=reef -F file=@" + file.string(),
                   "/cgi-bin/form.pl")
                  .ends_with("|" + digest + "|coral.bin"));
    }
}

TEST_CASE("Python's cgi and http.cookies have their forms, cookies and uploads") {
    Site site;
    site.island("form.py", kPython);
    Server server(site);
    CHECK(curl(server, "", "/cgi-bin/form.py?name=a+b%26c") == "GET|a b&c|1");
    CHECK(curl(server, "-d name=%C3%A9", "/cgi-bin/form.py") == "POST|\xc3\xa9|1");
    const auto answer = fetch(server.port(), "/cgi-bin/form.py", "Cookie: visits=4; x=y\r\n");
    CHECK(answer.field("Set-Cookie") == "visits=5");
    const auto file = site.beside("coral.bin");
    writeFile(file, noise(700'000));
    const auto digest = shell("sha1sum < " + file.string()).out.substr(0, 40);
    for (const char* framing : {"", "-H 'Transfer-Encoding: chunked' "}) {
        INFO(framing);
        CHECK(curl(server, std::string(framing) + "-F name=reef -F file=@" + file.string(),
                   "/cgi-bin/form.py") == "POST|reef|1|coral.bin|" + digest);
    }
}

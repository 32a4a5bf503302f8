#include "harness/command.h"
#include "harness/curl.h"
#include "harness/raw_client.h"
#include "harness/server.h"
#include "harness/text.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPhp = "interpreters = { \".php\" = \"/usr/bin/php-cgi\" }\n"
                             "index = [\"index.php\", \"index.html\"]\n";

/// A directory with one repository, `reef`, of one file.
std::string repositoriesBeside(const Site& site) {
    const std::string directory = site.beside("repositories");
    const auto made = shell(
        "mkdir " + directory + " && cd " + directory +
        " && export HOME=/nonexistent GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@a.example"
        " GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@a.example && git init -q -b main reef && "
        "cd reef && echo coral > a.txt && git add a.txt && git commit -q -m 'The first coral' && "
        "git update-server-info");
    INFO(made.err);
    REQUIRE(made.clean());
    return directory;
}

constexpr const char* kTrustsAllOwners = " GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory "
                                         "GIT_CONFIG_VALUE_0='*'\n";

} // namespace

TEST_CASE("php-cgi runs pages of a site, and sees what it needs") {
    Site site;
    site.config(kPhp);
    site.document(
        "info.php",
        "<?php header('Content-Type: text/plain'); echo implode('|', [$_SERVER['PHP_SELF'],"
        "$_SERVER['SCRIPT_NAME'], $_SERVER['PATH_INFO'] ?? '-', $_SERVER['QUERY_STRING'],"
        "$_SERVER['DOCUMENT_ROOT'], $_SERVER['SCRIPT_FILENAME'], $_SERVER['REQUEST_URI'],"
        "php_sapi_name(), getcwd()]);");
    site.document("dir/index.php", "<?php echo 'index of ' . $_SERVER['SCRIPT_NAME'];");
    site.document("gone.php", "<?php http_response_code(410); echo 'gone';");
    site.document("moved.php", "<?php header('Location: http://a.example/x');");
    site.document("cookie.php", "<?php setcookie('seen', '1'); echo $_COOKIE['seen'] ?? 'new';");
    site.document("fatal.php", "<?php ini_set('display_errors', '0'); no_such_function();");
    Server server(site);
    const std::string www = site.documents();
    CHECK(fetch(server.port(), "/info.php/a/b?x=1").body ==
          "/info.php/a/b|/info.php|/a/b|x=1|" + www + "|" + www +
              "/info.php|/info.php/a/b?x=1|cgi-fcgi|" + www);
    CHECK(fetch(server.port(), "/info.php").body ==
          "/info.php|/info.php|||" + www + "|" + www + "/info.php|/info.php|cgi-fcgi|" + www);
    CHECK(fetch(server.port(), "/dir/").body == "index of /dir/index.php");
    const auto gone = fetch(server.port(), "/gone.php");
    CHECK(gone.status == 410);
    CHECK(gone.body == "gone");
    const auto moved = fetch(server.port(), "/moved.php");
    CHECK(moved.status == 302);
    CHECK(moved.field("Location") == "http://a.example/x");
    const auto cookie = fetch(server.port(), "/cookie.php", "Cookie: seen=yes\r\n");
    CHECK(cookie.body == "yes");
    CHECK(cookie.field("Set-Cookie").starts_with("seen=1"));
    CHECK(fetch(server.port(), "/fatal.php").status == 500);
}

TEST_CASE("a query cannot give php-cgi options, nor show a page's source") {
    Site site;
    site.config(std::string(kPhp) + "query_arguments = true\n");
    site.document("page.php", "<?php /* SOURCE */ echo 'ran';");
    Server server(site);
    for (const char* query :
         {"?-s", "?-n+-s", "?%2ds", "?--version", "?-d+auto_prepend_file%3d/etc/passwd"}) {
        INFO(query);
        CHECK(fetch(server.port(), std::string("/page.php") + query).body == "ran");
    }
}

TEST_CASE("php-cgi takes forms and uploads, chunked ones too") {
    Site site;
    site.config(kPhp);
    site.document("form.php", "<?php echo $_SERVER['REQUEST_METHOD'], ' ', $_POST['name'] ?? '-', "
                              "' ', $_GET['q'] ?? '-';");
    site.document("upload.php",
                  "<?php $f = $_FILES['file']; echo $f['error'], ' ', $f['name'], ' ', $f['size'], "
                  "' ', sha1_file($f['tmp_name']), ' ', $_POST['note'];");
    Server server(site);
    CHECK(curl(server, "--data-urlencode 'name=a b&c'", "/form.php?q=%C3%A9") ==
          "POST a b&c \xc3\xa9");
    const auto file = site.beside("coral.bin");
    writeFile(file, noise(1'000'000));
    const auto digest = shell("sha1sum < " + file.string()).out.substr(0, 40);
    for (const char* framing : {"", "-H 'Transfer-Encoding: chunked' "}) {
        INFO(framing);
        CHECK(curl(server, std::string(framing) + "-F note=reef -F file=@" + file.string(),
                   "/upload.php") == "0 coral.bin 1000000 " + digest + " reef");
    }
}

TEST_CASE("gitweb shows a repository, with its style sheet from a directory of its own") {
    Site site;
    const auto repositories = repositoriesBeside(site);
    const auto settings = site.beside("gitweb.conf");
    writeFile(settings, "$projectroot = '" + repositories +
                            "';\n$feature{'pathinfo'}{'default'} = [1];\n"
                            "$feature{'snapshot'}{'default'} = ['tgz'];\n1;\n");
    site.config("[[route]]\npath = \"/static/*\"\nalias = \"/usr/share/gitweb/static\"\n");
    site.island("gitweb.cgi", "#!/bin/sh\nexport GITWEB_CONFIG=" + settings.string() +
                                  kTrustsAllOwners + "exec /usr/share/gitweb/gitweb.cgi\n");
    Server server(site);
    const auto list = fetch(server.port(), "/cgi-bin/gitweb.cgi");
    CHECK(list.status == 200);
    CHECK(list.contains("reef/.git"));
    const auto summary = fetch(server.port(), "/cgi-bin/gitweb.cgi/reef/.git");
    CHECK(summary.contains("The first coral"));
    CHECK(fetch(server.port(), "/cgi-bin/gitweb.cgi/reef/.git/blob_plain/main:/a.txt").body ==
          "coral\n");
    CHECK(fetch(server.port(), "/cgi-bin/gitweb.cgi?p=reef/.git;a=none").status == 400);
    CHECK(fetch(server.port(), "/static/gitweb.css").field("Content-Type").starts_with("text/css"));
    const auto names = shell("curl -sS 'http://127.0.0.1:" + std::to_string(server.port()) +
                             "/cgi-bin/gitweb.cgi/reef/.git/snapshot/main.tar.gz' | tar tzf -");
    CHECK(names.clean());
    CHECK(holds(names.out, "a.txt"));
}

TEST_CASE("cgit shows a repository under paths of its own, and git clones from it") {
    Site site;
    const auto repositories = repositoriesBeside(site);
    const auto settings = site.beside("cgitrc");
    writeFile(settings, "virtual-root=/code/\ncss=/static/cgit.css\nsnapshots=tar.gz\n"
                        "clone-url=http://$HTTP_HOST/code/$CGIT_REPO_URL\n"
                        "repo.url=reef\nrepo.path=" +
                            repositories + "/reef/.git\nrepo.desc=Corals & more\n");
    site.config("[[route]]\npath = \"/static/*\"\nalias = \"/usr/share/cgit\"\n"
                "[[route]]\npath = \"/code/*\"\nrewrite = \"/cgi-bin/cgit/$1\"\n");
    site.island("cgit", "#!/bin/sh\nexport CGIT_CONFIG=" + settings.string() + kTrustsAllOwners +
                            "exec /usr/lib/cgit/cgit.cgi\n");
    Server server(site);
    const auto list = fetch(server.port(), "/code/");
    CHECK(list.status == 200);
    CHECK(list.contains("Corals &amp; more"));
    CHECK(list.contains("href='/code/reef/'"));
    const auto summary = fetch(server.port(), "/code/reef/");
    CHECK(summary.contains("The first coral"));
    CHECK(fetch(server.port(), "/code/reef/log/?qt=grep&q=first").contains("The first coral"));
    CHECK_FALSE(fetch(server.port(), "/code/reef/log/?qt=grep&q=second").contains("first coral"));
    const auto none = fetch(server.port(), "/code/none/");
    CHECK(none.status == 404);
    CHECK(none.contains("No repositories found"));
    CHECK(fetch(server.port(), "/static/cgit.css").field("Content-Type").starts_with("text/css"));

    const auto file = fetch(server.port(), "/code/reef/plain/a.txt");
    CHECK(file.body == "coral\n");
    CHECK(file.field("Content-Type") == "text/plain; charset=UTF-8");
    const auto known = "If-None-Match: " + file.field("ETag") + "\r\n";
    CHECK(fetch(server.port(), "/code/reef/plain/a.txt", known).status == 304);

    const auto packed = site.beside("reef.tar.gz").string();
    curl(server, "-o " + packed, "/code/reef/snapshot/reef-main.tar.gz");
    CHECK(shell("tar -xzOf " + packed + " reef-main/a.txt").out == "coral\n");
    const auto cloned = shell("cd " + site.beside("").string() +
                              " && HOME=/nonexistent git clone -q http://127.0.0.1:" +
                              std::to_string(server.port()) + "/code/reef copy && cat copy/a.txt");
    INFO(cloned.err);
    CHECK(cloned.out == "coral\n");
}

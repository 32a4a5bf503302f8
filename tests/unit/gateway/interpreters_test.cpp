#include "gateway/interpreters.h"

#include <catch2/catch.hpp>

using reef::gateway::Interpreters;

namespace {

Interpreters some() {
    Interpreters interpreters;
    interpreters.add(".php", "/usr/bin/php-cgi");
    interpreters.add(".PY", "/usr/bin/python3");
    return interpreters;
}

} // namespace

TEST_CASE("a file is run by the program of its last extension, in any case") {
    const auto interpreters = some();
    CHECK(interpreters.programFor("a.php") == "/usr/bin/php-cgi");
    CHECK(interpreters.programFor("sub/a.b.PhP") == "/usr/bin/php-cgi");
    CHECK(interpreters.programFor("a.py") == "/usr/bin/python3");
    for (const char* name : {"", "php", "a", "a.php5", "a.php.txt", "a.php/b", "a.", ".", "a.php."})
        CHECK(interpreters.programFor(name).empty());
}

TEST_CASE("a path may lead to a script where any part of it could be one") {
    const auto interpreters = some();
    for (const char* path : {"/a.php", "/a.php/b/c", "/x/a.py/", "/a.PHP/../b"})
        CHECK(interpreters.mayLead(path));
    for (const char* path : {"/", "", "/a.html", "/php/a", "/a.phps/b"})
        CHECK_FALSE(interpreters.mayLead(path));
}

TEST_CASE("source is source under a dot or a content coding behind its extension") {
    const auto interpreters = some();
    for (const char* name : {"a.php", "a.PHP", "a.php.", "a.php...", "a.php.gz", "a.php.GZ",
                             "a.py.zst.", "a.php.br.gz"}) {
        INFO(name);
        CHECK(interpreters.isSource(name));
    }
    for (const char* name : {"a.html", "a.gz", "gz", ".gz", "a.php.txt", "php", ""}) {
        INFO(name);
        CHECK_FALSE(interpreters.isSource(name));
    }
}

TEST_CASE("the first program of an extension counts") {
    auto interpreters = some();
    Interpreters others;
    others.add(".Php", "/opt/other");
    others.add(".rb", "/usr/bin/ruby");
    interpreters.add(others);
    CHECK(interpreters.programFor("a.php") == "/usr/bin/php-cgi");
    CHECK(interpreters.programFor("a.rb") == "/usr/bin/ruby");
    CHECK(Interpreters().empty());
}

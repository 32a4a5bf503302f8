#include "gateway/warm_command.h"

#include <catch2/catch.hpp>

using namespace reef;
using namespace reef::gateway;

TEST_CASE("interpreters that can be kept warm are known by their names") {
    struct Case {
        std::string_view command;
        WarmCommand warm;
    };
    const Case cases[] = {
        {"/usr/bin/perl", {WarmLanguage::perl, "/usr/bin/perl", {}}},
        {"/usr/bin/perl -w", {WarmLanguage::perl, "/usr/bin/perl", {"-w"}}},
        {"/usr/bin/perl -w -T", {WarmLanguage::perl, "/usr/bin/perl", {"-w", "-T"}}},
        {"/opt/perl/bin/perl5.36.0 -wT", {WarmLanguage::perl, "/opt/perl/bin/perl5.36.0", {"-wT"}}},
        {"/usr/bin/env perl", {WarmLanguage::perl, "/usr/bin/perl", {}}},
        {"/usr/bin/env -S perl -T", {WarmLanguage::perl, "/usr/bin/perl", {"-T"}}},
        {"/usr/bin/python3", {WarmLanguage::python, "/usr/bin/python3", {}}},
        {"/usr/bin/python3.11 -uI", {WarmLanguage::python, "/usr/bin/python3.11", {"-uI"}}},
        {"/usr/bin/env  python3", {WarmLanguage::python, "/usr/bin/python3", {}}},
    };
    for (const auto& [command, warm] : cases) {
        INFO(command);
        const auto found = warmCommandOf(command);
        REQUIRE(found);
        CHECK(*found == warm);
    }
}

TEST_CASE("what would not do the same warm is left alone") {
    for (const std::string_view command : {"",
                                           "/bin/sh",
                                           "perl",
                                           "/usr/bin/perl -n",
                                           "/usr/bin/perl -x",
                                           "/usr/bin/perl -wp",
                                           "/usr/bin/perl -d",
                                           "/usr/bin/perl script",
                                           "/usr/bin/perl -",
                                           "/usr/bin/perl6",
                                           "/usr/bin/perlish",
                                           "/usr/bin/python",
                                           "/usr/bin/python2",
                                           "/usr/bin/python3-config",
                                           "/usr/bin/python3 -i",
                                           "/usr/bin/python3 -m",
                                           "/usr/bin/env",
                                           "/usr/bin/env perl -w",
                                           "/usr/bin/env -i perl",
                                           "/usr/bin/env PERL5LIB=x perl",
                                           "/usr/bin/env no-such-perl"}) {
        INFO(command);
        CHECK_FALSE(warmCommandOf(command));
    }
}

TEST_CASE("an interpreter that the configuration names is kept warm, if it would do the same") {
    struct Case {
        const char* program;
        std::string_view line;
        bool warm;
    };
    const Case cases[] = {
        {"/usr/bin/python3", "", true},
        {"/usr/bin/python3", "/bin/sh -x", true}, // a comment to Python
        {"/opt/my python/bin/python3.12", "", true},
        {"/usr/bin/perl", "", true},
        {"/usr/bin/perl", "/usr/bin/perl -w", true},
        {"/usr/bin/perl", "/usr/bin/env perl", true},
        {"/usr/bin/perl", "/usr/bin/perl -n", false},
        {"/usr/bin/perl", "/bin/sh", false}, // which perl would become
        {"/usr/bin/perl", "perl", false},
        {"/usr/bin/php-cgi", "", false},
        {"/usr/bin/env", "/usr/bin/python3", false},
    };
    for (const auto& [program, line, warm] : cases) {
        INFO(program << " and " << line);
        const auto found = warmCommandBy(program, line);
        REQUIRE(found.has_value() == warm);
        if (!found) continue;
        CHECK(found->interpreter == program);
        CHECK(found->options.empty());
    }
}

TEST_CASE("the script is perl's main program, and an argument of Python's") {
    const auto perl = warmArguments({WarmLanguage::perl, "/usr/bin/perl", {"-wT"}}, "/a/b.pl");
    CHECK(perl.count() == 4);
    CHECK(perl.view().bytes.ends_with(std::string_view("-wT\0/a/b.pl\0", 12)));
    const auto python = warmArguments({WarmLanguage::python, "/usr/bin/python3", {}}, "/a/b.py");
    CHECK(python.count() == 4);
    CHECK(python.view().bytes.starts_with(std::string_view("/usr/bin/python3\0-c\0", 20)));
    CHECK(python.view().bytes.ends_with(std::string_view("/a/b.py\0", 8)));
}

TEST_CASE("the programs begin with the numbers of this machine's system calls") {
    const auto perl = warmProgram(WarmLanguage::perl);
    CHECK(perl.starts_with("my %n = (\"clock_gettime\" => "));
    CHECK(perl.find("my $room = 65536;\n") != std::string::npos);
    const auto python = warmProgram(WarmLanguage::python);
    CHECK(python.starts_with("N = {\"clock_gettime\": "));
    CHECK(python.find("ROOM = 65536;\n") != std::string::npos);
    CHECK(python.ends_with("main()\n"));
}

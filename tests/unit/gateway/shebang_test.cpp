#include "gateway/shebang.h"
#include "scratch.h"

#include <catch2/catch.hpp>

using namespace reef;
using gateway::faultOfShebang;
using gateway::shebangOf;

TEST_CASE("the command of a #! line is what stands between it and the line's end") {
    CHECK(shebangOf(bytesOf("#!/bin/sh\necho")) == "/bin/sh");
    CHECK(shebangOf(bytesOf("#! /usr/bin/perl -w \n")) == "/usr/bin/perl -w");
    CHECK(shebangOf(bytesOf("#!/bin/sh")) == "/bin/sh");
    CHECK(shebangOf(bytesOf("#!\n")) == "");
    CHECK(shebangOf(bytesOf("#!/bin/sh\r\n")) == "/bin/sh\r");
    CHECK_FALSE(shebangOf(bytesOf("echo hello\n")));
    CHECK_FALSE(shebangOf(bytesOf("")));
    CHECK_FALSE(shebangOf(bytesOf("\n#!/bin/sh\n")));
}

TEST_CASE("what is wrong with a #! line is said in words that help") {
    struct Case {
        const char* content;
        const char* says; ///< nullptr: nothing is wrong
    };
    const Case cases[] = {
        {"#!/bin/sh\necho\n", nullptr},
        {"#!/bin/sh", nullptr},
        {"#! /bin/sh -e\n", nullptr},
        {"#!/usr/bin/env sh\n", nullptr},
        {"#!/usr/bin/env -S sh -e\n", nullptr},
        {"#!/usr/bin/env A=b sh\n", nullptr},
        {"#!/usr/bin/env -i whatever\n", nullptr}, // options are env's own affair
        {"\x7f"
         "ELF and more",
         nullptr},
        {"#!/bin/sh\r\necho\r\n", "ends in CR"},
        {"#!/usr/bin/env sh\r\n", "ends in CR"},
        {"#!/no/such/interpreter -w\n", "/no/such/interpreter does not exist"},
        {"#!/etc/passwd\n", "is not an executable file"},
        {"#!/etc\n", "is not an executable file"},
        {"#!/usr/bin/env no-such-program\n", "no-such-program is nowhere in /usr/local/sbin:"},
        {"#!sh\n", "no absolute path"},
        {"#!\n", "names no interpreter"},
        {"#!/no/\x1b[31m\n", "\\x1b"},
        {"echo hello\n", "it has no #! line"},
        {"", "it is empty"},
    };
    const test::Scratch scratch;
    for (const Case& c : cases) {
        INFO(c.content);
        const auto file = scratch.file("island", c.content);
        const auto fault = faultOfShebang(file);
        CHECK(fault.has_value() == (c.says != nullptr));
        if (fault && c.says) CHECK(fault->find(c.says) != std::string::npos);
    }
}

TEST_CASE("a file that cannot be read has no fault that we know of") {
    CHECK_FALSE(faultOfShebang("/no/such/file"));
    CHECK_FALSE(faultOfShebang("/etc"));
}

#include "process/start_failure.h"

#include <catch2/catch.hpp>
#include <cerrno>

using reef::Error;
using reef::process::StartFailure;
using reef::process::StartStep;

TEST_CASE("a start failure becomes the error that a page can be made of") {
    struct Case {
        StartFailure failure;
        Error::Code error;
    };
    const Case cases[] = {
        {{StartStep::program, ENOENT}, Error::notFound},
        {{StartStep::interpreter, ENOENT}, Error::notFound},
        {{StartStep::program, EACCES}, Error::forbidden},
        {{StartStep::identity, EPERM}, Error::forbidden},
        {{StartStep::program, ENOEXEC}, Error::failed},
        {{StartStep::program, E2BIG}, Error::tooLarge},
        {{StartStep::clone, EAGAIN}, Error::unavailable},
        {{StartStep::program, EAGAIN}, Error::unavailable},
        {{StartStep::program, ETXTBSY}, Error::unavailable},
        {{StartStep::capacity, EAGAIN}, Error::unavailable},
        {{StartStep::keeper, EPIPE}, Error::unavailable},
    };
    for (const auto& [failure, error] : cases) {
        CHECK(failure.error().code() == error);
        CHECK(failure.error().systemError() == failure.code);
    }
}

TEST_CASE("a start failure names its step and the system's reason") {
    CHECK(StartFailure{StartStep::interpreter, ENOENT}.describe() ==
          "its interpreter: No such file or directory");
    CHECK(StartFailure{StartStep::program, EACCES}.describe() == "the program: Permission denied");
    CHECK(StartFailure{StartStep::capacity, 0}.describe() == "the number of children");
}

#include "base/version.h"

#include "build_values.h"

#include <array>
#include <cstdlib>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#define ATOLL_TEXT_OF(number) ATOLL_TEXT(number)
#define ATOLL_TEXT(words) #words

namespace reef {

namespace {

Component cLibrary() {
#ifdef __GLIBC__
    return {"glibc", gnu_get_libc_version()};
#else
    constexpr std::string_view both = ATOLL_C_LIBRARY; // "musl 1.2.3": musl has no macro of its own
    constexpr auto space = both.find(' ');
    static_assert(space != std::string_view::npos,
                  "the build must name the C library and its version");
    return {both.substr(0, space), both.substr(space + 1)};
#endif
}

} // namespace

const BuildInfo& buildInfo() noexcept {
    static constexpr BuildInfo info{ATOLL_VERSION, ATOLL_COMMIT, ATOLL_BUILD_TYPE, __VERSION__};
    return info;
}

std::span<const Component> runtimeComponents() noexcept {
    static const std::array components{
        cLibrary(),
        Component{"libstdc++", ATOLL_TEXT_OF(_GLIBCXX_RELEASE)},
    };
    return components;
}

} // namespace reef

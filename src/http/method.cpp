#include "http/method.h"

#include <array>

namespace reef::http {

namespace {
constexpr std::array<std::string_view, 9> kNames{"GET",     "HEAD",    "POST",  "PUT",  "DELETE",
                                                 "CONNECT", "OPTIONS", "TRACE", "PATCH"};
}

Method methodNamed(std::string_view name) noexcept {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (kNames[i] == name) return static_cast<Method>(i);
    }
    return Method::other;
}

std::string_view nameOf(Method method) noexcept {
    const auto index = static_cast<std::size_t>(method);
    return index < kNames.size() ? kNames[index] : std::string_view{};
}

} // namespace reef::http

// The entry point of every fuzz program; ATOLL_FUZZ_TARGET is the function that it is about.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reef::fuzz {
void ATOLL_FUZZ_TARGET(std::string_view input);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    reef::fuzz::ATOLL_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
    return 0;
}

#pragma once

#include "compose/dialect.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reef::compose {

/// How `echo` and `set` write a value, or read it.
enum class Encoding : std::uint8_t {
    none,
    url,        ///< %xx for what may not stand in a URL path
    urlencoded, ///< as a form sends it: blank as +
    base64,
    entity, ///< & < > " ' as references of HTML
};

/// Some encodings, in the order in which they are applied.
class EncodingList {
public:
    static constexpr std::size_t kMax = 8;

    EncodingList() = default;
    explicit EncodingList(Encoding one) noexcept { add(one); }

    /// False: there are too many.
    bool add(Encoding encoding) noexcept {
        if (count_ == kMax) return false;
        list_[count_++] = encoding;
        return true;
    }
    const Encoding* begin() const noexcept { return list_.data(); }
    const Encoding* end() const noexcept { return list_.data() + count_; }

private:
    std::array<Encoding, kMax> list_{};
    std::size_t count_ = 0;
};

std::string encoded(std::string_view text, Encoding encoding);

/// What is not well encoded stays as it is; base64 is read up to its first bad byte. `%00` stays.
std::string decoded(std::string_view text, Encoding encoding);

/// As nginx writes them: `url` leaves other bytes alone, in capitals.
std::string encodedByNginx(std::string_view text, Encoding encoding);

/// "url,entity". Nothing: one of them is none (with nginx: no encoding of its), or there are too
/// many.
std::optional<EncodingList> readEncodings(std::string_view text, Dialect dialect);

} // namespace reef::compose

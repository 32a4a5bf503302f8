#pragma once

#include "base/bytes.h"
#include "process/string_list.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

/// The two codecs of protocol.h. A message lists its fields once, in `fields(self, codec)`, and
/// both codecs walk that list, so writer and reader cannot disagree. Numbers are in the machine's
/// own order: both ends are the same program on the same machine.
namespace reef::process::wire {

/// Appends fields to a packet.
class Encoder {
public:
    explicit Encoder(std::string& packet) noexcept : packet_(packet) {}

    template<class Number>
        requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
    void operator()(const Number& number) {
        packet_.append(reinterpret_cast<const char*>(&number), sizeof number);
    }

    /// An enum that has no value above `last`.
    template<class Enum>
    void choice(const Enum& value, Enum) {
        (*this)(value);
    }

    /// What the decoder insists on.
    void require(bool) const noexcept {}

    template<class Number>
    void operator()(const std::optional<Number>& number) {
        (*this)(std::uint8_t{number.has_value()});
        if (number) (*this)(*number);
    }

    /// A string that holds no NUL.
    void operator()(std::string_view text) {
        (*this)(static_cast<std::uint32_t>(text.size()));
        packet_.append(text);
        packet_.push_back('\0');
    }

    void operator()(const StringListView& list) {
        (*this)(list.count);
        (*this)(static_cast<std::uint32_t>(list.bytes.size()));
        packet_.append(list.bytes);
    }

private:
    std::string& packet_;
};

/// Takes fields off the front of a packet that nobody vouches for: after the first field that is
/// not what it should be, `sound()` is false and the rest stays as it was. Strings are views into
/// the packet, and end in a NUL there.
class Decoder {
public:
    explicit Decoder(ByteView packet) noexcept : rest_(packet) {}

    bool sound() const noexcept { return sound_; }
    /// What has not been taken.
    ByteView rest() const noexcept { return rest_; }

    template<class Number>
        requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
    void operator()(Number& number) noexcept {
        const ByteView bytes = take(sizeof number);
        if (sound_) std::memcpy(&number, bytes.data(), sizeof number);
    }

    template<class Enum>
    void choice(Enum& value, Enum last) noexcept {
        std::underlying_type_t<Enum> number{};
        (*this)(number);
        if (number > static_cast<std::underlying_type_t<Enum>>(last)) sound_ = false;
        if (sound_) value = static_cast<Enum>(number);
    }

    void require(bool condition) noexcept { sound_ = sound_ && condition; }

    template<class Number>
    void operator()(std::optional<Number>& number) noexcept {
        std::uint8_t present = 0;
        (*this)(present);
        number.reset();
        if (present == 0) return;
        if (present != 1) sound_ = false;
        Number value{};
        (*this)(value);
        if (sound_) number = value;
    }

    void operator()(std::string_view& text) noexcept {
        std::uint32_t size = 0;
        (*this)(size);
        const ByteView bytes = take(std::size_t{size} + 1);
        if (!sound_) return;
        const auto whole = textOf(bytes);
        if (whole.find('\0') != size) {
            sound_ = false;
            return;
        }
        text = whole.substr(0, size);
    }

    void operator()(StringListView& list) noexcept {
        std::uint32_t count = 0;
        std::uint32_t size = 0;
        (*this)(count);
        (*this)(size);
        const StringListView taken{textOf(take(size)), count};
        if (!taken.valid()) sound_ = false;
        if (sound_) list = taken;
    }

private:
    ByteView take(std::size_t size) noexcept {
        if (!sound_ || size > rest_.size()) {
            sound_ = false;
            return {};
        }
        const ByteView bytes = rest_.first(size);
        rest_ = rest_.subspan(size);
        return bytes;
    }

    ByteView rest_;
    bool sound_ = true;
};

} // namespace reef::process::wire

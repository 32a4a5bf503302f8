#pragma once

#include <array>
#include <cstddef>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef {

/// What a regular expression matched: the whole at 0, the groups after it. Views of the subject; a
/// group that took no part is empty.
class Captures {
public:
    static constexpr std::size_t kMax = 10;

    std::string_view operator[](std::size_t index) const noexcept {
        return index < kMax ? parts_[index] : std::string_view{};
    }
    void set(std::size_t index, std::string_view part) noexcept { parts_.at(index) = part; }

private:
    std::array<std::string_view, kMax> parts_{};
};

/// A Perl-compatible regular expression (PCRE2), over bytes. Immutable, usable by all threads at
/// once. Matching is bounded: a pattern that would try for ever on a hostile subject ends as
/// `exhausted`.
class Regex {
public:
    enum class Case : bool { matters, ignored };

    /// What is wrong with a pattern, and the byte at which it was found.
    struct Fault {
        std::string message;
        std::size_t offset = 0;
    };

    static std::expected<Regex, Fault> compile(std::string_view pattern,
                                               Case letters = Case::matters);

    enum class Verdict : std::uint8_t { matched, unmatched, exhausted };

    /// Looks for the pattern anywhere in `subject`. `captures` is changed when it matched.
    Verdict search(std::string_view subject, Captures& captures) const;

    /// How many groups the pattern has, the whole not counted.
    std::size_t groups() const noexcept;

    /// Groups that have a name, `(?<name>...)`, with their number.
    std::vector<std::pair<std::string, std::size_t>> names() const;

private:
    struct Release {
        void operator()(void* code) const noexcept;
    };
    explicit Regex(void* code) : code_(code, Release{}) {}

    std::shared_ptr<const void> code_; ///< pcre2_code; shared so that routes stay plain values
};

} // namespace reef

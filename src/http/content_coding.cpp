#include "http/content_coding.h"

#include "base/text.h"
#include "http/quality.h"

#include <array>
#include <optional>

namespace reef::http {

namespace {

constexpr std::array<std::string_view, 4> kTokens{"identity", "gzip", "zstd", "br"};

/// The weights that a client gives, in thousandths.
class Wishes {
public:
    explicit Wishes(const HeaderList& fields) noexcept {
        for (const HeaderField& field : fields) {
            constexpr std::string_view kName = "Accept-Encoding";
            if (field.name.size() == kName.size() && text::equalsIgnoreCase(field.name, kName))
                addLine(field.value);
        }
    }

    /// 0: not acceptable. What is not named is not, but for identity, as the last resort.
    int weightFor(ContentCoding coding) const noexcept {
        if (const auto named = weights_[static_cast<std::size_t>(coding)]) return *named;
        return others_.value_or(coding == ContentCoding::identity ? kUnnamedIdentity : 0);
    }

private:
    static constexpr int kUnnamedIdentity = 1; // as little as can be said

    void addLine(std::string_view line) noexcept {
        while (!line.empty()) {
            std::string_view element = text::trim(text::takeUntil(line, ','));
            const auto name = text::trim(text::takeUntil(element, ';'));
            int weight = 1000;
            if (!element.empty()) {
                const auto parameter = text::trim(element);
                if (!text::startsWithIgnoreCase(parameter, "q=")) continue;
                const auto given = parseQuality(parameter.substr(2));
                if (!given) continue;
                weight = *given;
            }
            if (std::optional<int>* const place = placeOf(name); place != nullptr && !*place)
                *place = weight;
        }
    }

    std::optional<int>* placeOf(std::string_view name) noexcept {
        if (name == "*") return &others_;
        if (text::equalsIgnoreCase(name, "x-gzip")) name = tokenOf(ContentCoding::gzip);
        for (std::size_t i = 0; i != kTokens.size(); ++i) {
            if (text::equalsIgnoreCase(name, kTokens[i])) return &weights_[i];
        }
        return nullptr;
    }

    std::array<std::optional<int>, kTokens.size()> weights_;
    std::optional<int> others_;
};

} // namespace

std::string_view tokenOf(ContentCoding coding) noexcept {
    return kTokens[static_cast<std::size_t>(coding)];
}

ContentCoding chooseCoding(const HeaderList& fields,
                           std::span<const ContentCoding> available) noexcept {
    if (available.empty()) return ContentCoding::identity;
    const Wishes wishes(fields);
    auto best = ContentCoding::identity;
    int weight = 0;
    for (const ContentCoding coding : available) {
        if (wishes.weightFor(coding) <= weight) continue;
        best = coding;
        weight = wishes.weightFor(coding);
    }
    return wishes.weightFor(ContentCoding::identity) > weight ? ContentCoding::identity : best;
}

} // namespace reef::http

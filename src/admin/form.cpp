#include "admin/form.h"

#include "base/text.h"
#include "base/utf8.h"

#include <algorithm>
#include <optional>

namespace reef::admin {
namespace {

std::optional<std::string> decode(std::string_view encoded) {
    std::string out;
    out.reserve(encoded.size());
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        char c = encoded[i];
        if (c == '%') {
            if (encoded.size() - i < 3) return std::nullopt;
            const int high = text::hexValue(encoded[i + 1]);
            const int low = text::hexValue(encoded[i + 2]);
            if (high < 0 || low < 0) return std::nullopt;
            c = static_cast<char>(high * 16 + low);
            i += 2;
        } else if (c == '+') {
            c = ' ';
        } else if (c <= ' ' || c > '~') { // also bytes above 127
            return std::nullopt;
        }
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return std::nullopt;
        out += c;
    }
    if (!utf8::isValid(out)) return std::nullopt;
    return out;
}

} // namespace

std::string_view Form::operator[](std::string_view name) const noexcept {
    const auto found = std::ranges::find(fields_, name, [](const auto& f) { return f.first; });
    return found == fields_.end() ? std::string_view() : found->second;
}

Result<Form> parseForm(std::string_view encoded) {
    if (encoded.size() > kMostFormBytes) return fail(Error::tooLarge);
    Form form;
    while (!encoded.empty()) {
        std::string_view pair = text::takeUntil(encoded, '&');
        auto name = decode(text::takeUntil(pair, '='));
        auto value = decode(pair);
        if (!name || name->empty() || !value) return fail(Error::malformed);
        const auto same = [&](const auto& field) { return field.first == *name; };
        if (std::ranges::any_of(form.fields_, same)) return fail(Error::malformed);
        if (form.fields_.size() == kMostFormFields) return fail(Error::tooLarge);
        form.fields_.emplace_back(std::move(*name), std::move(*value));
    }
    return form;
}

} // namespace reef::admin

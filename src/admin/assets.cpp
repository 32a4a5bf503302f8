#include "admin/assets.h"

#include "base/embedded.h"
#include "base/sha256.h"
#include "base/text.h"
#include "http/media_type.h"

#include <span>
#include <stdexcept>

namespace reef::admin {

/// Defined by the build (src/admin/CMakeLists.txt).
std::span<const EmbeddedFile> assetFiles() noexcept;

namespace {

std::string hashOf(std::span<const EmbeddedFile> files) {
    constexpr std::string_view kHex = "0123456789abcdef";
    Sha256 all;
    for (const EmbeddedFile& file : files) {
        all.update(file.path);
        all.update(bytesOf(Sha256::of(file.bytes)));
    }
    std::string text;
    for (const std::uint8_t byte : all.finish()) {
        text += {kHex[byte >> 4U], kHex[byte & 15U]};
        if (text.size() == 16) break;
    }
    return text;
}

} // namespace

Assets::Assets() {
    const std::string directory = text::concat("/assets/", hashOf(assetFiles()), '/');
    for (const EmbeddedFile& file : assetFiles()) {
        auto path = directory + std::string(file.path);
        files_.emplace(path, File{file.bytes, http::mediaTypeOf(file.path)});
        paths_.emplace(file.path, std::move(path));
    }
}

Url Assets::urlOf(std::string_view name) const {
    const auto found = paths_.find(name);
    if (found == paths_.end()) throw std::out_of_range(text::concat("no asset ", name));
    return Url::ofAsset(found->second);
}

std::optional<Assets::File> Assets::at(std::string_view path) const {
    const auto found = files_.find(path);
    if (found == files_.end()) return std::nullopt;
    return found->second;
}

} // namespace reef::admin

#include "http/media_type.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace reef::http {

namespace {

struct Entry {
    std::string_view extension;
    std::string_view type;
};

/// By extension, for a binary search (checked below). The IANA registry, and what browsers expect.
constexpr auto kTypes = std::to_array<Entry>({
    {"3gp", "video/3gpp"},
    {"7z", "application/x-7z-compressed"},
    {"aac", "audio/aac"},
    {"ai", "application/postscript"},
    {"apk", "application/vnd.android.package-archive"},
    {"appcache", "text/cache-manifest; charset=utf-8"},
    {"asc", "text/plain; charset=utf-8"},
    {"atom", "application/atom+xml"},
    {"avi", "video/x-msvideo"},
    {"avif", "image/avif"},
    {"bin", "application/octet-stream"},
    {"bmp", "image/bmp"},
    {"br", "application/x-brotli"},
    {"bz2", "application/x-bzip2"},
    {"c", "text/x-c; charset=utf-8"},
    {"cc", "text/x-c; charset=utf-8"},
    {"cer", "application/pkix-cert"},
    {"conf", "text/plain; charset=utf-8"},
    {"cpp", "text/x-c; charset=utf-8"},
    {"crt", "application/x-x509-ca-cert"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"deb", "application/vnd.debian.binary-package"},
    {"diff", "text/x-diff; charset=utf-8"},
    {"dmg", "application/x-apple-diskimage"},
    {"doc", "application/msword"},
    {"docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
    {"dtd", "application/xml-dtd"},
    {"ear", "application/java-archive"},
    {"eot", "application/vnd.ms-fontobject"},
    {"eps", "application/postscript"},
    {"epub", "application/epub+zip"},
    {"exe", "application/vnd.microsoft.portable-executable"},
    {"flac", "audio/flac"},
    {"flv", "video/x-flv"},
    {"geojson", "application/geo+json"},
    {"gif", "image/gif"},
    {"glb", "model/gltf-binary"},
    {"gltf", "model/gltf+json"},
    {"gz", "application/gzip"},
    {"h", "text/x-c; charset=utf-8"},
    {"heic", "image/heic"},
    {"heif", "image/heif"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/vnd.microsoft.icon"},
    {"ics", "text/calendar; charset=utf-8"},
    {"ini", "text/plain; charset=utf-8"},
    {"iso", "application/x-iso9660-image"},
    {"jar", "application/java-archive"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"json5", "application/json5"},
    {"jsonl", "application/jsonl"},
    {"jsonld", "application/ld+json"},
    {"jxl", "image/jxl"},
    {"key", "application/vnd.apple.keynote"},
    {"kml", "application/vnd.google-earth.kml+xml"},
    {"kmz", "application/vnd.google-earth.kmz"},
    {"log", "text/plain; charset=utf-8"},
    {"m3u8", "application/vnd.apple.mpegurl"},
    {"m4a", "audio/mp4"},
    {"m4v", "video/mp4"},
    {"map", "application/json"},
    {"markdown", "text/markdown; charset=utf-8"},
    {"md", "text/markdown; charset=utf-8"},
    {"mid", "audio/midi"},
    {"midi", "audio/midi"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"mkv", "video/matroska"},
    {"mov", "video/quicktime"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"mpeg", "video/mpeg"},
    {"mpg", "video/mpeg"},
    {"msi", "application/x-msi"},
    {"odp", "application/vnd.oasis.opendocument.presentation"},
    {"ods", "application/vnd.oasis.opendocument.spreadsheet"},
    {"odt", "application/vnd.oasis.opendocument.text"},
    {"oga", "audio/ogg"},
    {"ogg", "audio/ogg"},
    {"ogv", "video/ogg"},
    {"opus", "audio/ogg"},
    {"otf", "font/otf"},
    {"patch", "text/x-diff; charset=utf-8"},
    {"pdf", "application/pdf"},
    {"pem", "application/x-pem-file"},
    {"png", "image/png"},
    {"ppt", "application/vnd.ms-powerpoint"},
    {"pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
    {"ps", "application/postscript"},
    {"rar", "application/vnd.rar"},
    {"rdf", "application/rdf+xml"},
    {"rpm", "application/x-rpm"},
    {"rss", "application/rss+xml"},
    {"rst", "text/x-rst; charset=utf-8"},
    {"rtf", "application/rtf"},
    {"shtml", "text/html; charset=utf-8"},
    {"sqlite", "application/vnd.sqlite3"},
    {"svg", "image/svg+xml"},
    {"svgz", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"tgz", "application/gzip"},
    {"tif", "image/tiff"},
    {"tiff", "image/tiff"},
    {"toml", "application/toml"},
    {"torrent", "application/x-bittorrent"},
    {"ts", "video/mp2t"},
    {"tsv", "text/tab-separated-values; charset=utf-8"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain; charset=utf-8"},
    {"vcf", "text/vcard; charset=utf-8"},
    {"vtt", "text/vtt; charset=utf-8"},
    {"war", "application/java-archive"},
    {"wasm", "application/wasm"},
    {"wav", "audio/wav"},
    {"weba", "audio/webm"},
    {"webm", "video/webm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"wmv", "video/x-ms-wmv"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"xht", "application/xhtml+xml"},
    {"xhtml", "application/xhtml+xml"},
    {"xls", "application/vnd.ms-excel"},
    {"xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    {"xml", "application/xml"},
    {"xpi", "application/x-xpinstall"},
    {"xsl", "application/xslt+xml"},
    {"xslt", "application/xslt+xml"},
    {"xz", "application/x-xz"},
    {"yaml", "application/yaml"},
    {"yml", "application/yaml"},
    {"zip", "application/zip"},
    {"zst", "application/zstd"},
});

static_assert(std::ranges::adjacent_find(kTypes, std::ranges::greater_equal{}, &Entry::extension) ==
                  kTypes.end(),
              "sorted, and no extension twice");

constexpr std::size_t kLongestExtension = std::ranges::max(kTypes, {}, [](const Entry& entry) {
                                              return entry.extension.size();
                                          }).extension.size();

/// Types outside `text/` that are text in disguise, or raw tables.
constexpr auto kCompressible = std::to_array<std::string_view>({
    "application/javascript",
    "application/json",
    "application/json5",
    "application/jsonl",
    "application/postscript",
    "application/rtf",
    "application/toml",
    "application/vnd.apple.mpegurl",
    "application/vnd.ms-fontobject",
    "application/wasm",
    "application/x-javascript",
    "application/x-ndjson",
    "application/x-pem-file",
    "application/x-tar",
    "application/xml",
    "application/xml-dtd",
    "application/yaml",
    "font/otf",
    "font/ttf",
    "image/bmp",
    "image/vnd.microsoft.icon",
    "image/x-icon",
    "model/gltf-binary",
});

std::string_view essenceOf(std::string_view contentType) noexcept {
    return text::trim(contentType.substr(0, contentType.find(';')));
}

bool endsWithIgnoreCase(std::string_view text, std::string_view end) noexcept {
    return text.size() >= end.size() &&
           text::equalsIgnoreCase(text.substr(text.size() - end.size()), end);
}

} // namespace

std::string_view mediaTypeOf(std::string_view fileName) noexcept {
    const auto name = fileName.substr(fileName.find_last_of('/') + 1); // npos + 1 is 0
    const auto dot = name.find_last_of('.');
    if (dot == std::string_view::npos) return kUnknownMediaType;
    const auto extension = name.substr(dot + 1);
    if (extension.size() > kLongestExtension) return kUnknownMediaType;

    std::array<char, kLongestExtension> lowered{};
    std::ranges::transform(extension, lowered.begin(), text::lower);
    const std::string_view wanted(lowered.data(), extension.size());
    const auto found = std::ranges::lower_bound(kTypes, wanted, {}, &Entry::extension);
    return found != kTypes.end() && found->extension == wanted ? found->type : kUnknownMediaType;
}

bool isMediaType(std::string_view contentType, std::string_view essence) noexcept {
    return text::equalsIgnoreCase(essenceOf(contentType), essence);
}

bool isCompressible(std::string_view contentType) noexcept {
    const auto essence = essenceOf(contentType);
    if (text::startsWithIgnoreCase(essence, "text/") || endsWithIgnoreCase(essence, "+json") ||
        endsWithIgnoreCase(essence, "+xml")) {
        return true;
    }
    return std::ranges::any_of(kCompressible, [&](std::string_view type) {
        return text::equalsIgnoreCase(type, essence);
    });
}

} // namespace reef::http

#include "files/listing.h"

#include "base/text.h"
#include "files/file_response.h"
#include "files/listing_text.h"
#include "files/representation.h"
#include "http/accept.h"
#include "http/characters.h"
#include "http/other_methods.h"
#include "http/pages.h"
#include "io/sleep.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <dirent.h>
#include <memory>
#include <optional>
#include <tuple>

namespace reef::files {

namespace {

constexpr std::size_t kEntriesATurn = 256;

struct Close {
    void operator()(DIR* directory) const noexcept { ::closedir(directory); }
};
using OpenDirectory = std::unique_ptr<DIR, Close>;

bool isShown(std::string_view name) noexcept {
    const char* const end = name.data() + name.size();
    return !name.starts_with('.') && http::findControl(name.data(), end) == end;
}

/// What a name in the directory stands for; nothing: not to be shown.
std::optional<ListedEntry> entryOf(const DocumentRoot& root, std::string_view path, DIR* directory,
                                   const char* name) {
    if (!isShown(name)) return std::nullopt;
    struct stat status{};
    if (::fstatat(::dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    if (S_ISLNK(status.st_mode)) {
        const auto target = root.statusOf(text::concat(path.substr(1), name));
        if (!target) return std::nullopt;
        status = *target;
    }
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return std::nullopt;
    ListedEntry entry;
    entry.name = name;
    entry.directory = S_ISDIR(status.st_mode);
    if (!entry.directory) entry.size = static_cast<ByteCount>(status.st_size);
    entry.modified = status.st_mtim.tv_sec;
    return entry;
}

/// The value of the first parameter of this name.
std::string_view parameterOf(std::string_view query, std::string_view name) noexcept {
    while (!query.empty()) {
        auto value = text::takeUntil(query, '&');
        if (text::takeUntil(value, '=') == name) return value;
    }
    return {};
}

bool isNameBefore(const ListedEntry& a, const ListedEntry& b) noexcept {
    const auto before = [](char x, char y) {
        return static_cast<unsigned char>(text::lower(x)) <
               static_cast<unsigned char>(text::lower(y));
    };
    if (std::ranges::lexicographical_compare(a.name, b.name, before)) return true;
    if (std::ranges::lexicographical_compare(b.name, a.name, before)) return false;
    return a.name < b.name;
}

bool prefersJson(const http::Request& request) noexcept {
    const auto format = parameterOf(request.query, "format");
    if (!format.empty()) return format == "json";
    return http::acceptWeight(request.fields, "application/json") >
           http::acceptWeight(request.fields, "text/html");
}

} // namespace

ListingOrder ListingOrder::of(std::string_view query) noexcept {
    ListingOrder order;
    const auto key = parameterOf(query, "sort");
    if (key == "size") order.key = Key::size;
    if (key == "time") order.key = Key::time;
    order.descending = parameterOf(query, "order") == "desc";
    return order;
}

void ListingOrder::sort(Listing& listing) const {
    const auto before = [this](const ListedEntry& a, const ListedEntry& b) {
        switch (key) {
        case Key::size:
            if (a.size != b.size) return a.size < b.size;
            break;
        case Key::time:
            if (a.modified != b.modified) return a.modified < b.modified;
            break;
        case Key::name:
            break;
        }
        return isNameBefore(a, b);
    };
    std::ranges::sort(listing.entries, [&](const ListedEntry& a, const ListedEntry& b) {
        if (a.directory != b.directory) return a.directory;
        return descending ? before(b, a) : before(a, b);
    });
}

Task<std::expected<Listing, Absence>> readListing(const DocumentRoot& root, std::string_view path,
                                                  std::size_t most) {
    auto descriptor = root.openDirectory(path);
    if (!descriptor) co_return std::unexpected(descriptor.error());
    const OpenDirectory directory(::fdopendir(descriptor->get()));
    if (!directory) co_return std::unexpected(Absence::unavailable);
    (void)descriptor->release(); // the stream's now
    Listing listing;
    std::size_t seen = 0;
    while (const dirent* const next = ::readdir(directory.get())) {
        if (++seen % kEntriesATurn == 0) co_await io::Yield();
        auto entry = entryOf(root, path, directory.get(), next->d_name);
        if (!entry) continue;
        if (listing.entries.size() == most) {
            listing.cut = true;
            break;
        }
        listing.entries.push_back(std::move(*entry));
    }
    co_return listing;
}

Task<http::Handled> sendListing(http::Request& request, http::ResponseSink& sink,
                                const DocumentRoot& root, std::string_view path) {
    if (!http::isReading(request.method))
        co_return co_await http::answerOtherMethod(request, sink, http::kReadingMethods);
    auto listing = co_await readListing(root, path);
    if (!listing) co_return co_await answerAbsence(request, sink, listing.error());
    const auto order = ListingOrder::of(request.query);
    order.sort(*listing);
    const bool json = prefersJson(request);
    const std::string content =
        json ? listingJson(request.path, *listing) : listingPage(request.path, *listing, order);
    http::ResponseHead head(*request.arena);
    head.fields.add("Content-Type", json ? "application/json" : "text/html; charset=utf-8");
    head.fields.add("Vary", "Accept");
    head.fields.add("Content-Security-Policy", http::kPagePolicy);
    head.fields.add("X-Content-Type-Options", "nosniff");
    co_return co_await finished(http::sendPiece(sink, head, bytesOf(content)));
}

} // namespace reef::files

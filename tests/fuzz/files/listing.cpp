#include "base/text.h"
#include "files/listing_text.h"
#include "files/targets.h"
#include "fuzz.h"

#include <algorithm>

namespace reef::fuzz {

namespace {

using namespace files;

Listing read(std::string_view rest) {
    Listing listing;
    for (unsigned i = 0; !rest.empty() && i < 50; ++i) {
        const auto name = text::takeUntil(rest, '\n');
        const bool control = std::ranges::any_of(
            name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
        if (name.empty() || control) continue;
        listing.entries.push_back(
            {std::string(name), i % 5 == 0, i * 977U, static_cast<std::time_t>(i) * 1'000'003});
    }
    return listing;
}

std::ptrdiff_t tagsOf(const Listing& listing, ListingOrder order) {
    return std::ranges::count(listingPage("/a/", listing, order), '<');
}

void checkPage(const Listing& listing, ListingOrder order) {
    Listing harmless = listing;
    for (ListedEntry& entry : harmless.entries)
        entry.name = "name";
    require(tagsOf(listing, order) == tagsOf(harmless, order), "no tag comes from a name");
}

void checkJson(std::string_view json) {
    bool inside = false;
    for (std::size_t i = 0; i != json.size(); ++i) {
        if (json[i] == '"') inside = !inside;
        if (inside && json[i] == '\\') ++i;
        require(i < json.size() && (static_cast<unsigned char>(json[i]) >= 0x20 || !inside),
                "a string ends before the text does");
    }
    require(!inside && json.ends_with("]}\n"), "the text is complete");
}

} // namespace

void listing(std::string_view input) {
    const ExactCopy copy(input);
    std::string_view rest(copy.view().data(), copy.view().size());
    const auto order = ListingOrder::of(text::takeUntil(rest, '\n'));
    Listing listing = read(rest);
    const auto before = listing.entries.size();
    order.sort(listing);
    require(listing.entries.size() == before, "sorting loses nothing");
    require(std::ranges::is_partitioned(listing.entries,
                                        [](const ListedEntry& entry) { return entry.directory; }),
            "directories stand first");
    checkPage(listing, order);
    checkJson(listingJson("/a/", listing));
}

} // namespace reef::fuzz

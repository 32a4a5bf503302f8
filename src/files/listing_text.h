#pragma once

#include "files/listing.h"

#include <string>
#include <string_view>

namespace reef::files {

/// A sorted listing as a page for http::kPagePolicy: light and dark, no script; the heads of its
/// columns are links that sort. `path` is the directory's, decoded, as the client asked for it; all
/// links are relative. All texts are escaped here.
std::string listingPage(std::string_view path, const Listing& listing, ListingOrder order);

/// The same as JSON:
/// `{"path":"/docs/","truncated":false,"entries":[{"name":"a","type":"file","size":1,
/// "modified":"2026-11-30T21:15:09Z"},{"name":"b","type":"directory","modified":...}]}`.
/// Bytes that are no UTF-8 become U+FFFD.
std::string listingJson(std::string_view path, const Listing& listing);

} // namespace reef::files

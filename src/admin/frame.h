#pragma once

#include "admin/answer.h"
#include "admin/assets.h"
#include "admin/html.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace reef::admin {

/// The pages of the navigation.
enum class Place : std::uint8_t { none, logbook, islands };

/// What stands around every page's own content.
struct Frame {
    Frame(const Assets& files, std::string_view pageTitle) : assets(files), title(pageTitle) {}

    const Assets& assets;
    std::string_view title;
    std::string_view account; ///< "" leaves the navigation out
    std::string_view csrf;    ///< token of the sign-out form
    Place place = Place::none;
};

/// A page for somebody who is signed in: head, navigation, content.
std::string framedPage(const Frame& frame, const Html& main);

/// A single card on an empty page: sign in, set up, errors.
std::string cardPage(const Frame& frame, const Html& card);

/// A card that says what is wrong, with a link back to the start.
Answer errorAnswer(const Assets& assets, int status, std::string_view title,
                   std::string_view explanation);

/// The ring of islands.
Html logo();

} // namespace reef::admin

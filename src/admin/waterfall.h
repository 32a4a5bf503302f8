#pragma once

#include "admin/html.h"
#include "admin/island_facts.h"

namespace reef::admin {

/// Of a page with more parts these are drawn, and the others counted.
inline constexpr std::size_t kMostPartsDrawn = 60;

/// How long a part kept the page: until the page's end, if it has none of its own.
PageCourse::Time timeOf(const PageCourse::Part& part, const PageCourse& page) noexcept;

/// A line for each part of a page, with a bar from when its directive was read to its end, in three
/// colours: it waits for its turn, it works, its content comes. Below it what there is to say of
/// it. Pure.
Html waterfall(const PageCourse& page);

} // namespace reef::admin

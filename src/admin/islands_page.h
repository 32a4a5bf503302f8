#pragma once

#include "admin/html.h"
#include "admin/island_facts.h"

namespace reef::admin {

/// The content of the page about islands. Pure: what was read goes in, markup comes out.
Html islandsPage(IslandsFacts facts);

// Its parts, each a section of the page.
Html admissionTiles(const IslandsFacts& facts);

/// The slowest first, by the 95th percentile of their runs, then by name; under one that has failed
/// the last lines of its standard error.
Html islandsSection(std::vector<IslandFacts> islands);

/// Each opens into its waterfall (waterfall.h).
Html lastPagesSection(const std::vector<PageCourse>& pages);

} // namespace reef::admin

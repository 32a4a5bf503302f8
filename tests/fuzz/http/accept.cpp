#include "http/accept.h"

#include "base/arena.h"
#include "base/text.h"
#include "fuzz.h"
#include "http/targets.h"

namespace reef::fuzz {

void accept(std::string_view input) {
    const ExactCopy copy(input);
    std::string_view rest(copy.view().data(), copy.view().size());
    Arena arena;
    http::HeaderList fields(arena);
    require(http::acceptWeight(fields, "text/html") == 1000, "who says nothing takes anything");
    for (std::size_t i = 0; !rest.empty() && i < 20; ++i)
        fields.add("Accept", text::takeUntil(rest, '\n'));
    const int html = http::acceptWeight(fields, "text/html");
    require(html >= 0 && html <= 1000, "a weight is one");
    if (fields.empty()) return;
    fields.add("Accept", ",text/html;q=7, */;q=0.1,;");
    require(http::acceptWeight(fields, "text/html") == html, "what is malformed changes nothing");
    fields.add("Accept", "application/x-never-named;q=0.123");
    require(http::acceptWeight(fields, "text/html") == html, "other types change nothing");
}

} // namespace reef::fuzz

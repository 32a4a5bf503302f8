#include "gateway/announced_length.h"

#include "base/text.h"

namespace reef::gateway {

std::string AnnouncedLength::describe() const {
    return text::concat("announced ", announced_.value_or(0), " bytes of content and wrote ",
                        written_);
}

} // namespace reef::gateway

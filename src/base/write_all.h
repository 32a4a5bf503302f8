#pragma once

#include "base/bytes.h"
#include "base/result.h"

namespace reef {

/// Writes all of it to a blocking descriptor, however many calls that takes. After a failure
/// (system: a full disk, for example) a part may have been written.
Status writeAll(int file, ByteView bytes) noexcept;

} // namespace reef

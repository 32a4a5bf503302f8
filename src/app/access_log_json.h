#pragma once

#include "app/access_log_format.h"

namespace reef::app {

/// Appends the request as a JSON object, without a line feed. Times are UTC, durations seconds;
/// what is missing is left out.
void appendJsonLine(std::string& out, const serve::RequestRecord& record,
                    std::chrono::system_clock::time_point began, LogClock& clock);

} // namespace reef::app

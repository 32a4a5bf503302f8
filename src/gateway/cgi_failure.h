#pragma once

#include "gateway/island_directory.h"
#include "http/failure.h"
#include "process/exit.h"
#include "process/limits.h"
#include "process/start_failure.h"

#include <string>

namespace reef::gateway {

/// What goes wrong around a run, as the failure of its request. The words are for the log.

/// 503 when later may work, 431 when the kernel takes no environment so large, else 500; with the
/// fault of the #! line when that is the cause.
http::Handled failedStart(const process::StartFailure& failure, const Island& island);

/// The request's content could not be read: the client's fault, mostly.
http::Handled failedBody(Error error);

/// Done, or the client is gone; or 502: whoever takes the answer has found it malformed.
http::Handled handledAs(Status sent);

/// How a process ended that has failed, and which of its limits that may be due to.
std::string describeEnd(const process::Exit& exit, const process::Limits& limits);

/// Of an island that ended without having written anything. `died`: with a failure, as `env` does
/// that does not find the interpreter.
std::string describeSilence(const Island& island, bool died);

} // namespace reef::gateway

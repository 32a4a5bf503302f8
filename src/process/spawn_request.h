#pragma once

#include "base/fd.h"
#include "process/limits.h"
#include "process/protocol.h"
#include "process/string_list.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace reef::process {

/// A descriptor for a child: given, and closed on our side once it is on its way; or lent, and only
/// used during the call of `spawn`. An absent one is /dev/null in the child.
class ChildDescriptor {
public:
    ChildDescriptor() noexcept = default;
    ChildDescriptor(Fd given) noexcept // NOLINT: implicit by design
        : owned_(std::move(given)), number_(owned_.get()) {}

    static ChildDescriptor lend(int number) noexcept {
        ChildDescriptor descriptor;
        descriptor.number_ = number;
        return descriptor;
    }

    int number() const noexcept { return number_; }
    bool absent() const noexcept { return number_ < 0; }

    void close() noexcept {
        owned_.reset();
        number_ = -1;
    }

private:
    Fd owned_;
    int number_ = -1;
};

/// What to start. Strings with a NUL in them are a bug of the caller (StringList throws; a path or
/// directory with one is refused with EINVAL).
class SpawnRequest {
public:
    /// `path` names the program; no PATH is searched. argv starts empty: argv[0] is the caller's to
    /// add.
    explicit SpawnRequest(std::string path) : path(std::move(path)) {}

    std::string path;
    std::string directory; ///< its working directory; empty: the keeper's own
    StringList arguments;
    StringList environment; ///< all of it: nothing is inherited

    ChildDescriptor input;
    ChildDescriptor output;
    ChildDescriptor error;
    std::vector<ChildDescriptor>
        extra; ///< become 3, 4, …; at most kMaxExtraDescriptors, none absent

    Limits limits;
    std::uint16_t identity = 0; ///< index into KeeperSpec::identities
    Leftovers leftovers = Leftovers::end;

    /// Between TERM and KILL when the Child is dropped while the process runs.
    std::chrono::milliseconds grace = std::chrono::seconds(2);
};

} // namespace reef::process

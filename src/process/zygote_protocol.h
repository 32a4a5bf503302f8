#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "process/protocol.h"

#include <cstdint>
#include <string>
#include <variant>

/// What an event loop and its zygotes (process/zygote.h) say to each other, over a SOCK_SEQPACKET
/// socket. Pure: values to bytes and back. The other end is a program in Perl or Python that ends
/// with the server it was started by, so there is no version: numbers are the machine's own, one
/// behind the other without gaps, each message begins with a byte that says which it is.
///
/// A zygote runs the code of a site's author: nothing that it says is trusted.
namespace reef::process {

/// The largest packet to a zygote: what is larger is not for it.
inline constexpr std::size_t kMaxZygoteRequestBytes = 64_KiB;

/// The largest packet of a zygote: as many answers as children can have ended at a time.
inline constexpr std::size_t kMaxZygoteAnswerBytes = 32_KiB;

/// Forks a process. Attached is a descriptor for each bit that is set in `standard` (bit 0 input, 1
/// output, 2 error); one that is absent is /dev/null. A message alone in its packet.
struct ZygoteRun {
    std::uint32_t id = 0; ///< free again after ZygoteRefused or Exited
    std::uint8_t standard = 0;
    std::int64_t cpuSeconds = -1; ///< the limit of its CPU time; -1: none
    StringListView arguments;     ///< behind the script's name
    StringListView environment;
};

/// TERM to a child's process group, KILL when `graceMilliseconds` have passed (at once when 0). One
/// that names no child is ignored: it has crossed its Exited. Alone in its packet.
struct ZygoteEnd {
    std::uint32_t id = 0;
    std::uint32_t graceMilliseconds = 0;
};

using ZygoteRequest = std::variant<ZygoteRun, ZygoteEnd>;

/// Said once: from now on it takes requests.
struct ZygoteReady {};

/// Nothing was begun; `code` is an errno. ESTALE: what the zygote has loaded is not what the disk
/// holds any more, so that another one is to be started.
struct ZygoteRefused {
    std::uint32_t id = 0;
    std::int32_t code = 0;
};

/// The answers to a ZygoteRun are ZygoteRefused, or Started and one Exited.
using ZygoteAnswer = std::variant<ZygoteReady, Started, ZygoteRefused, Exited>;

/// A packet with one message.
std::string zygotePacket(const ZygoteRequest& request);

/// Takes the message off the front of what a zygote says. Error: malformed, for an unknown kind, a
/// field that is cut short or out of its range.
Result<ZygoteAnswer> takeZygoteAnswer(ByteView& rest);

} // namespace reef::process

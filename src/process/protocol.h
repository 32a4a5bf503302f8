#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "process/exit.h"
#include "process/limits.h"
#include "process/start_failure.h"
#include "process/string_list.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

/// What server and keeper say to each other, over SOCK_SEQPACKET sockets with descriptors attached.
/// Pure: bytes to values and back. A packet is one or more messages; every packet starts with the
/// version. Nothing in a packet is trusted: the server is the process that strangers talk to.
///
/// Each event loop of the server has its own *link*, for children. One more socket, the *control*,
/// carries the life of the server as a whole. Messages to the keeper on a link are `Spawn`,
/// `SpawnInFile`, `Terminate`, `Hunt`; what it answers is `Started` or `StartFailed`, and after
/// `Started` one `Exited`.
namespace reef::process {

inline constexpr std::uint8_t kProtocolVersion = 1;

/// The largest packet. A Spawn that is larger travels in a memfd (SpawnInFile): a unix socket's
/// buffer holds about 200 KB on an untuned machine, and one such packet would fill it.
inline constexpr std::size_t kMaxPacketBytes = 64_KiB;

/// The largest Spawn: the kernel gives arguments and environment a quarter of the stack, 2 MiB.
inline constexpr std::size_t kMaxSpawnBytes = 2_MiB + 64_KiB;

/// Descriptors behind standard input, output and error that a child may be given.
inline constexpr std::size_t kMaxExtraDescriptors = 8;

/// What becomes of other processes in a child's group when the child itself has ended.
enum class Leftovers : std::uint8_t {
    end,   ///< they are sent TERM, and KILL after the grace; a job that shall outlive uses setsid
    leave, ///< they go on until the keeper ends
};

/// Starts a process. Attached are, in this order: a descriptor for each bit that is set in
/// `standard` (bit 0 input, 1 output, 2 error; one that is absent is /dev/null), then
/// `extraDescriptors` more, which become 3, 4, … in the child.
struct Spawn {
    std::uint32_t id = 0; ///< chosen by the server; free again after StartFailed or Exited
    std::uint8_t standard = 0;
    std::uint8_t extraDescriptors = 0;
    std::uint16_t identity = 0; ///< index into the keeper's list: the server names no users
    Leftovers leftovers = Leftovers::end;
    Limits limits;
    std::string_view path;      ///< of the program; relative to `directory`
    std::string_view directory; ///< empty: the keeper's own
    StringListView arguments;   ///< at least argv[0]
    StringListView environment;
};

/// The last descriptor attached is a file that holds a `Spawn` packet of `bytes` bytes; the others
/// are the Spawn's own.
struct SpawnInFile {
    std::uint32_t id = 0;
    std::uint32_t bytes = 0;
};

/// TERM to the child's process group, KILL when `graceMilliseconds` have passed (at once when 0).
/// One that names no running child is ignored: it has crossed its Exited.
struct Terminate {
    std::uint32_t id = 0;
    std::uint32_t graceMilliseconds = 0;
    std::string_view mark; ///< "NAME=value": when the child has ended, all that have it in their
                           ///< environment are killed; empty: none
};

/// Kills every descendant of the keeper that has `mark`, a "NAME=value", in its environment: what a
/// process has left behind that is no child of the keeper's. Not answered.
struct Hunt {
    std::string_view mark;
};

struct Started {
    std::uint32_t id = 0;
    std::int32_t pid = 0;
};

struct StartFailed {
    std::uint32_t id = 0;
    StartFailure failure;
};

struct Exited {
    std::uint32_t id = 0;
    Exit exit;
};

using LinkRequest = std::variant<Spawn, SpawnInFile, Terminate, Hunt>;
using LinkReply = std::variant<Started, StartFailed, Exited>;

// On the control socket, to the keeper.

/// The server answers requests: it may be told to the user, and its start counts as good.
struct Ready {};

/// The last request has been answered, and the server is about to exit.
struct Drained {};

/// As SIGTERM to the keeper: `atoll stop`.
struct Quit {};

/// Asks for `copies` listening sockets at `address` (one for each loop, SO_REUSEPORT). The keeper
/// binds it, or hands over the ones it has. Answered by Listening.
struct Listen {
    std::uint32_t id = 0;
    std::uint16_t copies = 1;
    std::string_view address;
};

/// The keeper closes its sockets of this address.
struct Unlisten {
    std::string_view address;
};

/// Answered by KeeperStatus.
struct AskStatus {
    std::uint32_t id = 0;
};

using ControlRequest = std::variant<Ready, Drained, Quit, Listen, Unlisten, AskStatus>;

// On the control socket, to the server.

/// The first packet; the links are attached, in order. `listeners` Listener packets follow.
struct Welcome {
    std::uint32_t generation = 0; ///< 1 for the first server of this keeper, 2 for the next, …
    std::uint16_t links = 0;
    std::uint16_t listeners = 0;
};

/// An address with its listening sockets attached.
struct Listener {
    std::string_view address;
};

/// Read the configuration again.
struct Reload {};

/// Accept nothing more, answer what was begun, say Drained and exit. Killed after the grace.
struct Stop {
    std::uint32_t graceMilliseconds = 0;
};

/// The answer to Listen: the sockets are attached, or `code` is the errno of what failed.
struct Listening {
    std::uint32_t id = 0;
    std::int32_t code = 0;
};

struct KeeperStatus {
    std::uint32_t id = 0;
    std::int32_t pid = 0;
    std::uint32_t restarts = 0; ///< of the server, beyond its first start
    std::uint32_t running = 0;  ///< children now
    std::uint64_t started = 0;  ///< children since the keeper began
    std::uint64_t failed = 0;   ///< starts that failed
    std::uint64_t seconds = 0;  ///< the keeper's age
};

using ControlNotice = std::variant<Welcome, Listener, Reload, Stop, Listening, KeeperStatus>;

/// Appends a message to a packet, and the version first when the packet is empty.
void append(std::string& packet, const LinkRequest& message);
void append(std::string& packet, const LinkReply& message);
void append(std::string& packet, const ControlRequest& message);
void append(std::string& packet, const ControlNotice& message);

/// Walks through the messages of one packet. Strings in them are views into the packet, each with a
/// NUL behind it. `while (!reader.atEnd()) { auto message = reader.next<LinkReply>(); … }`
class PacketReader {
public:
    explicit PacketReader(ByteView packet) noexcept : rest_(packet) {}

    bool atEnd() const noexcept { return rest_.empty(); }

    /// Error: malformed, for another version, an unknown kind, a field that is cut short or out of
    /// its range. Then nothing more is to be read.
    template<class Message>
    Result<Message> next();

private:
    ByteView rest_;
    bool versionSeen_ = false;
};

} // namespace reef::process

#include "fuzz.h"
#include "process/protocol.h"
#include "process/targets.h"

#include <string>
#include <variant>
#include <vector>

namespace reef::fuzz {

namespace {

using namespace process;

/// What the receiver does with strings from the other side: each ends in NUL, within the packet.
void touch(const StringListView& list) {
    std::vector<const char*> pointers;
    list.pointers(pointers);
    require(pointers.size() == list.count + 1 && pointers.back() == nullptr, "a list for execve");
    std::size_t bytes = 0;
    for (std::size_t i = 0; i != list.count; ++i)
        bytes += std::string_view(pointers[i]).size() + 1;
    require(bytes == list.bytes.size(), "nothing between the strings");
}

template<class Message>
void check(const Message&) {}

void check(const Spawn& spawn) {
    require(spawn.path.data()[spawn.path.size()] == '\0', "a path for execve");
    require(spawn.extraDescriptors <= kMaxExtraDescriptors, "bounded descriptors");
    require(spawn.arguments.count != 0, "argv[0]");
    touch(spawn.arguments);
    touch(spawn.environment);
}

/// Reads a packet as messages of one kind; those that are understood can be said again.
template<class Messages>
void readAs(ByteView packet) {
    std::string again;
    std::size_t messages = 0;
    for (PacketReader reader(packet); !reader.atEnd(); ++messages) {
        const auto message = reader.next<Messages>();
        if (!message) {
            require(message.error() == Error::malformed, "the only fault");
            return;
        }
        std::visit([](const auto& each) { check(each); }, *message);
        append(again, *message);
    }
    if (messages != 0)
        require(again == std::string_view(packet.data(), packet.size()), "one way to say it");
}

} // namespace

void packet(std::string_view input) {
    const ExactCopy copy(input);
    readAs<LinkRequest>(copy.view());
    readAs<LinkReply>(copy.view());
    readAs<ControlRequest>(copy.view());
    readAs<ControlNotice>(copy.view());
}

} // namespace reef::fuzz

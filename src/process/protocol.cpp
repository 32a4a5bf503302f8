#include "process/protocol.h"

#include "process/wire.h"

#include <utility>

namespace reef::process {

namespace {

// A message's fields, once for both codecs. `Self` is const for the encoder.

template<class Codec, class Duration>
void asCount(Codec& codec, std::optional<Duration>& value) {
    std::optional<std::int64_t> count;
    if (value) count = value->count();
    codec(count);
    if (count)
        value = Duration(*count);
    else
        value.reset();
}

template<class Codec>
void fields(Limits& self, Codec& codec) {
    asCount(codec, self.cpuTime);
    codec.require(self.cpuTime.value_or(std::chrono::seconds(0)).count() >= 0);
    codec(self.addressSpace);
    codec(self.dataSize);
    codec(self.fileSize);
    codec(self.openFiles);
    codec(self.processes);
    codec(self.coreSize);
    codec(self.nice);
    codec.require(self.nice.value_or(0) >= -20 && self.nice.value_or(0) <= 19);
}

template<class Codec>
void fields(Spawn& self, Codec& codec) {
    codec(self.id);
    codec(self.standard);
    codec(self.extraDescriptors);
    codec(self.identity);
    codec.choice(self.leftovers, Leftovers::leave);
    fields(self.limits, codec);
    codec(self.path);
    codec(self.directory);
    codec(self.arguments);
    codec(self.environment);
    codec.require(self.standard < 8 && self.extraDescriptors <= kMaxExtraDescriptors);
    codec.require(!self.path.empty() && self.arguments.count > 0);
}

template<class Codec>
void fields(SpawnInFile& self, Codec& codec) {
    codec(self.id);
    codec(self.bytes);
}

template<class Codec>
void fields(Terminate& self, Codec& codec) {
    codec(self.id);
    codec(self.graceMilliseconds);
    codec(self.mark);
}

template<class Codec>
void fields(Hunt& self, Codec& codec) {
    codec(self.mark);
    codec.require(!self.mark.empty());
}

template<class Codec>
void fields(Started& self, Codec& codec) {
    codec(self.id);
    codec(self.pid);
}

template<class Codec>
void fields(StartFailed& self, Codec& codec) {
    codec(self.id);
    codec.choice(self.failure.step, StartStep::interpreter);
    codec(self.failure.code);
}

template<class Codec>
void microseconds(Codec& codec, std::chrono::microseconds& value) {
    auto count = static_cast<std::int64_t>(value.count());
    codec(count);
    value = std::chrono::microseconds(count);
}

template<class Codec>
void fields(Exited& self, Codec& codec) {
    codec(self.id);
    codec(self.exit.waitStatus);
    microseconds(codec, self.exit.userTime);
    microseconds(codec, self.exit.systemTime);
    codec(self.exit.peakMemory);
}

template<class Codec>
void fields(Listen& self, Codec& codec) {
    codec(self.id);
    codec(self.copies);
    codec(self.address);
}

template<class Codec>
void fields(Unlisten& self, Codec& codec) {
    codec(self.address);
}

template<class Codec>
void fields(AskStatus& self, Codec& codec) {
    codec(self.id);
}

template<class Codec>
void fields(Welcome& self, Codec& codec) {
    codec(self.generation);
    codec(self.links);
    codec(self.listeners);
}

template<class Codec>
void fields(Listener& self, Codec& codec) {
    codec(self.address);
}

template<class Codec>
void fields(Stop& self, Codec& codec) {
    codec(self.graceMilliseconds);
}

template<class Codec>
void fields(Listening& self, Codec& codec) {
    codec(self.id);
    codec(self.code);
}

template<class Codec>
void fields(KeeperStatus& self, Codec& codec) {
    codec(self.id);
    codec(self.pid);
    codec(self.restarts);
    codec(self.running);
    codec(self.started);
    codec(self.failed);
    codec(self.seconds);
}

template<class Message, class Codec>
    requires std::is_empty_v<Message>
void fields(Message&, Codec&) {}

template<class Variant>
void appendMessage(std::string& packet, const Variant& message) {
    wire::Encoder encoder(packet);
    if (packet.empty()) encoder(kProtocolVersion);
    encoder(static_cast<std::uint8_t>(message.index()));
    std::visit([&encoder](auto copy) { fields(copy, encoder); }, message);
}

template<class Variant, std::size_t index = 0>
bool decodeKind(std::size_t kind, wire::Decoder& decoder, Variant& message) {
    if constexpr (index == std::variant_size_v<Variant>) {
        return false;
    } else {
        if (kind != index) return decodeKind<Variant, index + 1>(kind, decoder, message);
        fields(message.template emplace<index>(), decoder);
        return decoder.sound();
    }
}

} // namespace

void append(std::string& packet, const LinkRequest& message) {
    appendMessage(packet, message);
}
void append(std::string& packet, const LinkReply& message) {
    appendMessage(packet, message);
}
void append(std::string& packet, const ControlRequest& message) {
    appendMessage(packet, message);
}
void append(std::string& packet, const ControlNotice& message) {
    appendMessage(packet, message);
}

template<class Message>
Result<Message> PacketReader::next() {
    wire::Decoder decoder(rest_);
    if (!versionSeen_) {
        std::uint8_t version = 0;
        decoder(version);
        if (version != kProtocolVersion) return fail(Error::malformed);
        versionSeen_ = true;
    }
    std::uint8_t kind = 0;
    decoder(kind);
    Message message;
    if (!decoder.sound() || !decodeKind(kind, decoder, message)) return fail(Error::malformed);
    rest_ = decoder.rest();
    return message;
}

template Result<LinkRequest> PacketReader::next<LinkRequest>();
template Result<LinkReply> PacketReader::next<LinkReply>();
template Result<ControlRequest> PacketReader::next<ControlRequest>();
template Result<ControlNotice> PacketReader::next<ControlNotice>();

} // namespace reef::process

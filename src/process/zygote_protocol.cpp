#include "process/zygote_protocol.h"

#include "process/wire.h"

#include <sys/wait.h>

namespace reef::process {

namespace {

template<class Codec>
void fields(ZygoteRun& self, Codec& codec) {
    codec(self.id);
    codec(self.standard);
    codec(self.cpuSeconds);
    codec(self.arguments);
    codec(self.environment);
}

template<class Codec>
void fields(ZygoteEnd& self, Codec& codec) {
    codec(self.id);
    codec(self.graceMilliseconds);
}

void fields(ZygoteReady&, wire::Decoder&) {}

void fields(Started& self, wire::Decoder& decoder) {
    decoder(self.id);
    decoder(self.pid);
    decoder.require(self.pid > 0);
}

void fields(ZygoteRefused& self, wire::Decoder& decoder) {
    decoder(self.id);
    decoder(self.code);
    decoder.require(self.code > 0);
}

void microseconds(wire::Decoder& decoder, std::chrono::microseconds& value) {
    std::int64_t count = 0;
    decoder(count);
    decoder.require(count >= 0);
    value = std::chrono::microseconds(count);
}

void fields(Exited& self, wire::Decoder& decoder) {
    decoder(self.id);
    decoder(self.exit.waitStatus);
    decoder.require(WIFEXITED(self.exit.waitStatus) || WIFSIGNALED(self.exit.waitStatus));
    microseconds(decoder, self.exit.userTime);
    microseconds(decoder, self.exit.systemTime);
    decoder(self.exit.peakMemory);
}

template<class Message>
Result<ZygoteAnswer> decode(ByteView& rest) {
    wire::Decoder decoder(rest.subspan(1));
    Message message;
    fields(message, decoder);
    if (!decoder.sound()) return fail(Error::malformed);
    rest = decoder.rest();
    return message;
}

} // namespace

std::string zygotePacket(const ZygoteRequest& request) {
    std::string packet;
    wire::Encoder encoder(packet);
    encoder(static_cast<std::uint8_t>(request.index()));
    std::visit([&encoder](auto copy) { fields(copy, encoder); }, request);
    return packet;
}

Result<ZygoteAnswer> takeZygoteAnswer(ByteView& rest) {
    if (rest.empty()) return fail(Error::malformed);
    switch (rest.front()) {
    case 0:
        return decode<ZygoteReady>(rest);
    case 1:
        return decode<Started>(rest);
    case 2:
        return decode<ZygoteRefused>(rest);
    case 3:
        return decode<Exited>(rest);
    default:
        return fail(Error::malformed);
    }
}

} // namespace reef::process

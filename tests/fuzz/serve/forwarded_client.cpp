#include "base/text.h"
#include "fuzz.h"
#include "serve/client_address.h"
#include "serve/targets.h"

#include <string>

namespace reef::fuzz {

namespace {

constexpr std::string_view kPeer = "192.0.2.99"; // what the proxy itself has seen

struct Fields {
    explicit Fields(std::string_view input) {
        while (!input.empty()) {
            const auto line = text::takeUntil(input, '\n');
            if (line.empty()) continue;
            std::string& value = line.front() == 'x'   ? nodes
                                 : line.front() == 'p' ? schemes
                                                       : forwarded;
            value = line.substr(1);
        }
    }

    serve::ForwardedClient client(Arena& memory) const {
        static const io::Networks trusted = {io::Network::parse("10.0.0.0/8").value()};
        http::HeaderList fields(memory);
        if (!nodes.empty()) fields.add("X-Forwarded-For", memory.copy(nodes));
        if (!schemes.empty()) fields.add("X-Forwarded-Proto", memory.copy(schemes));
        if (!forwarded.empty()) fields.add("Forwarded", memory.copy(forwarded));
        return serve::forwardedClient(fields, trusted, memory);
    }

    std::string nodes;
    std::string schemes;
    std::string forwarded;
};

} // namespace

void forwardedClient(std::string_view input) {
    const Fields asSent(input);
    Arena memory;
    const auto client = asSent.client(memory);
    require(client.address.empty() || io::parseHost(client.address).has_value(),
            "an address or nothing");

    Fields added = asSent;
    added.nodes += (added.nodes.empty() ? "" : ", ") + std::string(kPeer);
    const auto address = added.client(memory).address;
    require(address.empty() || address == kPeer, "only what the proxy has added is believed");
    require(!asSent.forwarded.empty() || address == kPeer, "and that always, where it is alone");

    for (const std::string entry : {"for=192.0.2.99", "for=\"[2001:db8::9]\";proto=http"}) {
        Fields other = asSent;
        other.nodes.clear();
        other.forwarded += (other.forwarded.empty() ? "" : ", ") + entry;
        const auto told = other.client(memory).address;
        require(told.empty() || entry.find(told) != std::string::npos,
                "only the proxy's own entry is believed");
    }
}

} // namespace reef::fuzz

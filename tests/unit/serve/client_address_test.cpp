#include "serve/client_address.h"

#include <catch2/catch.hpp>
#include <string>

using namespace reef;

namespace {

struct Told {
    std::string address;
    int port = 0;
    std::string scheme; ///< "https", "http" or ""
    std::string host;
    bool contradictory = false;
};

/// What is believed of these field lines, from a proxy that is trusted as 10/8 and 2001:db8:1::/48
/// are.
Told told(std::initializer_list<std::pair<const char*, const char*>> lines) {
    static const io::Networks trusted = {io::Network::parse("10.0.0.0/8").value(),
                                         io::Network::parse("2001:db8:1::/48").value()};
    Arena memory;
    http::HeaderList fields(memory);
    for (const auto& [name, value] : lines)
        fields.add(name, value);
    const auto client = serve::forwardedClient(fields, trusted, memory);
    Told result{std::string(client.address), client.port, {}, {}, client.contradictory};
    if (client.secure) result.scheme = *client.secure ? "https" : "http";
    result.host = client.host.value_or(std::string_view());
    return result;
}

std::string addressIn(const char* nodes) {
    return told({{"X-Forwarded-For", nodes}}).address;
}

std::string forwardedAddress(const char* value) {
    return told({{"Forwarded", value}}).address;
}

} // namespace

TEST_CASE("of X-Forwarded-For, the rightmost address that no trusted proxy has is the client") {
    struct {
        const char* nodes;
        const char* client;
    } const cases[] = {
        {"192.0.2.7", "192.0.2.7"},
        {"6.6.6.6, 192.0.2.7", "192.0.2.7"},
        {"6.6.6.6, 192.0.2.7, 10.1.2.3", "192.0.2.7"},
        {"6.6.6.6,192.0.2.7 , 10.1.2.3\t,10.9.9.9", "192.0.2.7"},
        {"10.1.2.3, 10.1.2.4", "10.1.2.3"}, // all are trusted: the first that spoke
        {"2001:db8::7, 2001:db8:1::1", "2001:db8::7"},
        {"2001:DB8:0:0::7", "2001:db8::7"},
        {"::ffff:192.0.2.7", "192.0.2.7"},
        {"192.0.2.7:4711", "192.0.2.7"},
        {"[2001:db8::7]", "2001:db8::7"},
        {"[2001:db8::7]:80", "2001:db8::7"},
    };
    for (const auto& c : cases) {
        INFO(c.nodes);
        CHECK(addressIn(c.nodes) == c.client);
    }
    CHECK(told({{"X-Forwarded-For", "192.0.2.7:4711"}}).port == 4711);
    CHECK(told({{"X-Forwarded-For", "192.0.2.7"}}).port == 0);
    CHECK(told({{"X-Forwarded-For", "6.6.6.6"}, {"x-forwarded-for", "192.0.2.7"}}).address ==
          "192.0.2.7");
}

TEST_CASE("an entry that is no address ends the search at the proxy that wrote it") {
    for (const char* nodes :
         {"192.0.2.7, unknown", "192.0.2.7, _hidden", "192.0.2.7, ", "192.0.2.7,,",
          "192.0.2.7, 1.2.3", "192.0.2.7, 1.2.3.4:x", "192.0.2.7, [1.2.3.4]", "192.0.2.7, [::1",
          "192.0.2.7, [::1]80", "192.0.2.7, 1.2.3.4:65536", "192.0.2.7, fe80::1%eth0", "x"}) {
        INFO(nodes);
        const auto address = addressIn(nodes);
        CHECK((address.empty() || address == "192.0.2.7"));
        CHECK((std::string_view(nodes).ends_with(',') || address.empty()));
    }
    CHECK(addressIn("192.0.2.7, unknown, 10.0.0.1") == "10.0.0.1");
}

TEST_CASE("the scheme is that of the client's own entry") {
    const auto scheme = [](const char* nodes, const char* schemes) {
        return told({{"X-Forwarded-For", nodes}, {"X-Forwarded-Proto", schemes}}).scheme;
    };
    CHECK(scheme("192.0.2.7", "https") == "https");
    CHECK(scheme("192.0.2.7", "HTTP") == "http");
    CHECK(scheme("192.0.2.7", "gopher").empty());
    CHECK(scheme("192.0.2.7, 10.0.0.1", "https") == "https"); // passed on by the second proxy
    CHECK(scheme("192.0.2.7, 10.0.0.1", "https, http") == "https");
    CHECK(scheme("6.6.6.6, 192.0.2.7", "https, http") == "http");
    CHECK(scheme("192.0.2.7", "https, http") == "http"); // the client's own word stands left
    CHECK(told({{"X-Forwarded-Proto", "https"}}).scheme == "https");
    CHECK(told({{"X-Forwarded-Proto", "https"}}).address.empty());
}

TEST_CASE("Forwarded is read alike, and tells the host as well") {
    CHECK(forwardedAddress("for=192.0.2.7") == "192.0.2.7");
    CHECK(forwardedAddress("For=\"192.0.2.7:80\";By=10.0.0.1") == "192.0.2.7");
    CHECK(forwardedAddress("for=\"[2001:db8::7]:4711\"") == "2001:db8::7");
    CHECK(forwardedAddress("for=6.6.6.6, for=192.0.2.7 ,for=10.0.0.1") == "192.0.2.7");
    CHECK(forwardedAddress("for=192.0.2.7, for=unknown").empty());
    CHECK(forwardedAddress("for=192.0.2.7, for=_x, for=10.0.0.1") == "10.0.0.1");
    CHECK(forwardedAddress("by=10.0.0.1").empty());
    CHECK(forwardedAddress("for=\"192.0.2.\\7\"") == "192.0.2.7");
    const auto all = told({{"Forwarded", "for=192.0.2.7;proto=https;host=\"example.org:8080\", "
                                         "for=10.0.0.1;proto=http;host=inner"}});
    CHECK(all.scheme == "https");
    CHECK(all.host == "example.org:8080");
}

TEST_CASE("a client cannot swallow in its quotes what the proxy has added") {
    for (const char* value :
         {"for=6.6.6.6;x=\", for=192.0.2.7", "for=6.6.6.6;x=\", for=\"[2001:db8::7]\"",
          "for=6.6.6.6;x=\"\\, for=192.0.2.7", "for=6.6.6.6;=, for=192.0.2.7",
          "for=6.6.6.6 x, for=192.0.2.7", "for=6.6.6.6;x, for=192.0.2.7",
          "for=\"6.6.6.6\"x, for=192.0.2.7"}) {
        INFO(value);
        const auto address = forwardedAddress(value);
        CHECK((address.empty() || address == "192.0.2.7"));
    }
}

TEST_CASE("two fields that name different clients are both not believed, and that is told") {
    CHECK(told({{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "for=6.6.6.6"}}).contradictory);
    CHECK(told({{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "x"}}).contradictory);
    CHECK_FALSE(
        told({{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "for=192.0.2.7"}}).contradictory);
    CHECK(told({{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "for=6.6.6.6"}}).address.empty());
    CHECK(told({{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "for=\""}}).address.empty());
    CHECK(told({{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "for=192.0.2.7"}}).address ==
          "192.0.2.7");
    CHECK(told({{"X-Forwarded-Host", "evil"}, {"X-Forwarded-For", "192.0.2.7"}}).host.empty());
    CHECK(told({}).address.empty());
}

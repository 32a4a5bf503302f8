#include "fuzz.h"
#include "http/proxy_protocol.h"
#include "http/targets.h"

#include <string>

namespace reef::fuzz {

namespace {

using namespace http;
using Family = ProxyHeader::Family;

/// The header again, as a line of version 1.
std::string lineOf(const ProxyHeader& header) {
    const bool four = header.sourceAddress.find(':') == std::string::npos;
    return std::string("PROXY ") + (four ? "TCP4 " : "TCP6 ") + header.sourceAddress + " " +
           header.destinationAddress + " " + std::to_string(header.sourcePort) + " " +
           std::to_string(header.destinationPort) + "\r\n";
}

} // namespace

void proxyHeader(std::string_view input) {
    ProxyHeaderParser whole;
    const ExactCopy copy(input);
    const Verdict verdict = whole.parse(copy.view());
    ProxyHeaderParser pieces;
    Verdict last = Verdict::incomplete;
    Cuts cuts(input);
    for (std::size_t size = 0; last == Verdict::incomplete && size < input.size();) {
        size = std::min(input.size(), size + cuts.next());
        const ExactCopy part(input.substr(0, size));
        last = pieces.parse(part.view());
    }
    require(verdict == last, "the verdict does not depend on the pieces");
    require(verdict != Verdict::incomplete || input.size() < ProxyHeaderParser::kMaxBytes,
            "never asks for more than the most");
    if (verdict != Verdict::complete) return;
    require(whole.length() <= input.size() && whole.length() == pieces.length(), "same end");
    const ProxyHeader& header = whole.header();
    const bool inet = header.family == Family::ipv4 || header.family == Family::ipv6;
    require(inet == !header.sourceAddress.empty(), "an address where there is one");
    const bool bothFour = header.sourceAddress.find(':') == std::string::npos &&
                          header.destinationAddress.find(':') == std::string::npos;
    const bool bothSix = header.sourceAddress.find(':') != std::string::npos &&
                         header.destinationAddress.find(':') != std::string::npos;
    if (!inet || (!bothFour && !bothSix)) return; // one of them was mapped
    ProxyHeaderParser again;
    const std::string line = lineOf(header);
    require(again.parse(bytesOf(line)) == Verdict::complete, "can be said again");
    require(again.header().sourceAddress == header.sourceAddress &&
                again.header().destinationPort == header.destinationPort,
            "comes back");
}

} // namespace reef::fuzz

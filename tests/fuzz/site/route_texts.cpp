#include "base/text.h"
#include "fuzz.h"
#include "io/network.h"
#include "site/access_rules.h"
#include "site/basic_auth.h"
#include "site/path_pattern.h"
#include "site/targets.h"
#include "site/text_template.h"

#include <algorithm>
#include <string>
#include <vector>

namespace reef::fuzz {

namespace {

struct Lines {
    explicit Lines(std::string_view input) {
        while (!input.empty()) {
            const auto line = text::takeUntil(input, '\n');
            if (line.empty()) continue;
            const auto rest = line.substr(1);
            switch (line.front()) {
            case 'p':
                pattern = rest;
                break;
            case 't':
                filled = rest;
                break;
            case 'u':
                path = rest;
                break;
            case 'n':
                network = rest;
                break;
            default:
                authorization = rest;
            }
        }
    }
    std::string_view pattern, filled, path, network, authorization;
};

/// Of what comes from a request, nothing may end a line or begin another field.
void checkTemplate(const Lines& lines, std::string_view capture) {
    const auto parsed = site::TextTemplate::parse(lines.filled);
    if (!parsed) return require(!parsed.error().empty(), "a sentence");
    require(parsed->source() == lines.filled, "as it was written");
    Arena arena;
    http::EmptyBody body;
    http::Endpoints ends;
    http::Request request(arena, body, ends);
    request.path = lines.path;
    request.host = "example.org"; // the parser of requests lets no other kind in
    request.authority = "example.org:8080";
    Captures captures;
    captures.set(1, capture);
    const bool clean = std::ranges::none_of(lines.filled, [](char c) { return c < ' '; });
    const std::string text = parsed->fill(request, captures);
    if (clean)
        require(std::ranges::none_of(text, [](char c) { return c >= 0 && c < ' '; }),
                "no controls out of a request");
}

} // namespace

void routeTexts(std::string_view input) {
    const Lines lines(input);
    std::string_view capture;
    if (const auto pattern = site::PathPattern::parse(lines.pattern)) {
        const auto found = pattern->match(lines.path);
        require(!found || lines.path.starts_with(pattern->prefix()), "begins as the pattern does");
        capture = found.value_or(std::string_view{});
        require(lines.path.find(capture) != std::string_view::npos, "a part of the path");
    }
    checkTemplate(lines, capture);
    if (const auto network = io::Network::parse(lines.network)) {
        const auto slash = lines.network.find('/');
        const auto first = io::parseHost(lines.network.substr(0, slash));
        require(first && network->contains(*first), "a network holds its own address");
        site::AccessRules rules;
        rules.deny = {*network};
        require(!rules.admit(lines.network.substr(0, slash)), "and keeps it out");
    }
    if (const auto credentials = site::readBasic(lines.authorization))
        require(credentials->user.find(':') == std::string::npos, "the first colon parts them");
}

} // namespace reef::fuzz

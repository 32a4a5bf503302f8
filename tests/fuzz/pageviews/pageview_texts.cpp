#include "base/json.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "pageviews/agent.h"
#include "pageviews/path_key.h"
#include "pageviews/targets.h"

#include <string>
#include <vector>

namespace reef::fuzz {

namespace {

using namespace pageviews;

void requireClean(std::string_view key) {
    require(key.size() <= kMaxKeyBytes, "a key is short");
    require(utf8::isValid(key), "a key is UTF-8");
    for (auto rest = key; !rest.empty(); rest.remove_prefix(utf8::first(rest).length)) {
        const char32_t point = utf8::first(rest).value;
        require(!utf8::isHidden(point), "all of a key shows");
        require(point != ' ' && point != '"' && point != '<' && point != '>' && point != '\\',
                "a key has no markup");
    }
}

void requirePathKey(std::string_view input) {
    const std::string key = pathKey(input);
    requireClean(key);
    require(key.starts_with('/'), "a path begins with a slash");
    require(key.find("//") == std::string::npos, "no segment is empty");
    require((key + '/').find("/../") == std::string::npos, "dots are resolved");
    require((key + '/').find("/./") == std::string::npos, "dots are resolved");
    require(pathKey(key) == key, "the key of a key is that key");
}

void requireTerminal(std::string_view input) {
    const std::string shown = utf8::escapeForTerminal(input);
    require(utf8::isValid(shown), "what a terminal gets is UTF-8");
    for (const char c : shown)
        require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f, "no control gets out");
    require(utf8::cut(input, 10).size() <= 10, "a cut is short");
}

void requireJson(std::string_view input) {
    std::string json;
    appendJsonString(json, input);
    require(json.size() >= 2 && json.front() == '"' && json.back() == '"', "a string is quoted");
    require(utf8::isValid(json) && json.find('<') == std::string::npos, "JSON may stand in a page");
    for (std::size_t i = 1; i + 1 < json.size(); ++i) {
        require(static_cast<unsigned char>(json[i]) >= 0x20, "no control gets out");
        require(json[i] != '"', "a quote is escaped");
        if (json[i] == '\\') ++i;
        require(i + 1 < json.size(), "an escape is whole");
    }
}

} // namespace

void pageviewTexts(std::string_view input) {
    const ExactCopy copy(input);
    const std::string_view text(copy.view().data(), copy.view().size());
    requirePathKey(text);
    static const std::vector<std::string> kept = {"id", "q"};
    const auto middle = text.substr(text.size() / 2);
    requireClean(pathKey("/", text, kept));
    requireClean(pathKey(middle, text, kept));
    requireClean(referrerKey(text, "example.org"));
    requireClean(referrerKey("http://" + std::string(text), middle));
    const auto agent = agentOf(text);
    require(agent.name.size() <= kMaxAgentName && !agent.name.empty(), "a name is short");
    for (const char c : agent.name)
        require(c >= ' ' && c <= '~' && c != '<', "a name is plain");
    requireTerminal(text);
    requireJson(text);
}

} // namespace reef::fuzz

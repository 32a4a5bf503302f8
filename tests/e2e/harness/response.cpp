#include "harness/response.h"

#include <stdexcept>
#include <strings.h>

namespace reef::e2e {

namespace {

[[noreturn]] void refuse(const char* what, std::string_view line) {
    throw std::runtime_error(std::string(what) + " in an answer: " + std::string(line));
}

bool sameName(std::string_view a, std::string_view b) {
    return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view takeLine(std::string_view& rest) {
    const auto end = rest.find("\r\n");
    const auto line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
    if (line.find_first_of("\r\n") != std::string_view::npos) refuse("bare CR or LF", line);
    return line;
}

} // namespace

std::string Response::field(std::string_view name) const {
    for (const auto& [key, value] : fields) {
        if (sameName(key, name)) return value;
    }
    return {};
}

std::vector<std::string> Response::all(std::string_view name) const {
    std::vector<std::string> values;
    for (const auto& [key, value] : fields) {
        if (sameName(key, name)) values.push_back(value);
    }
    return values;
}

std::string Response::describe() const {
    std::string text = version + " " + std::to_string(status) + " " + reason + "\n";
    for (const auto& [key, value] : fields)
        text += key + ": " + value + "\n";
    text += complete ? "\n" : "(cut)\n";
    return text + body.substr(0, 600);
}

Response parseHead(std::string_view head) {
    Response response;
    const auto line = takeLine(head);
    if (line.size() < 13 || line.substr(0, 7) != "HTTP/1." || line[8] != ' ' || line[12] != ' ')
        refuse("bad status line", line);
    response.version = line.substr(0, 8);
    response.status = std::stoi(std::string(line.substr(9, 3)));
    response.reason = line.substr(13);
    while (!head.empty()) {
        const auto field = takeLine(head);
        const auto colon = field.find(':');
        if (colon == std::string_view::npos || colon == 0 ||
            field.substr(0, colon).find_first_of(" \t") != std::string_view::npos)
            refuse("bad field line", field);
        auto value = field.substr(colon + 1);
        while (!value.empty() && value.front() == ' ')
            value.remove_prefix(1);
        response.fields.emplace_back(field.substr(0, colon), value);
    }
    return response;
}

} // namespace reef::e2e

#include "http/status.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace reef::http {

namespace {

struct Phrase {
    int status;
    std::string_view reason;
};

/// The registry of status codes, in order.
constexpr auto kPhrases = std::to_array<Phrase>({
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {510, "Not Extended"},
    {511, "Network Authentication Required"},
});

constexpr std::size_t kReasonAt = sizeof "HTTP/1.1 200 " - 1;

/// A status line as it is sent; text instead of views, so that the table needs no relocation.
struct StatusLine {
    std::array<char, 50> text{};
    std::uint8_t length = 0;
};

constexpr StatusLine makeLine(const Phrase& phrase) {
    StatusLine line;
    char* out = std::ranges::copy(std::string_view("HTTP/1.1 "), line.text.begin()).out;
    for (const int digit : {phrase.status / 100, phrase.status / 10 % 10, phrase.status % 10}) {
        *out++ = static_cast<char>('0' + digit);
    }
    *out++ = ' ';
    out = std::ranges::copy(phrase.reason, out).out;
    *out++ = '\r';
    *out++ = '\n';
    line.length = static_cast<std::uint8_t>(out - line.text.begin());
    return line;
}

constexpr auto kLines = [] {
    std::array<StatusLine, kPhrases.size()> lines;
    std::ranges::transform(kPhrases, lines.begin(), makeLine);
    return lines;
}();

/// Place in kLines plus one, by status; 0: not registered.
constexpr auto kPlaces = [] {
    std::array<std::uint8_t, 600> places{};
    for (std::size_t i = 0; i < kPhrases.size(); ++i) {
        places[static_cast<std::size_t>(kPhrases[i].status)] = static_cast<std::uint8_t>(i + 1);
    }
    return places;
}();

} // namespace

std::string_view statusLineOf(int status) noexcept {
    if (status < 0 || status >= static_cast<int>(kPlaces.size())) return {};
    const std::size_t place = kPlaces[static_cast<std::size_t>(status)];
    if (place == 0) return {};
    return {kLines[place - 1].text.data(), kLines[place - 1].length};
}

std::string_view reasonOf(int status) noexcept {
    const auto line = statusLineOf(status);
    return line.empty() ? line : line.substr(kReasonAt, line.size() - kReasonAt - 2);
}

} // namespace reef::http

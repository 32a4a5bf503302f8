#include "base/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <algorithm>
#include <cstdint>
#include <pcre2.h>

namespace reef {

namespace {

// A subject is a path or a variable of a page; an honest pattern needs a few hundred steps.
constexpr std::uint32_t kMaxSteps = 100'000;
constexpr std::uint32_t kMaxDepth = 1'000;
constexpr std::uint32_t kMaxHeapKib = 1024;

const pcre2_code* codeOf(const void* code) {
    return static_cast<const pcre2_code*>(code);
}

/// What matching needs beside the pattern: made once for each thread.
struct Workspace {
    Workspace()
        : context(pcre2_match_context_create(nullptr)),
          data(pcre2_match_data_create(Captures::kMax, nullptr)) {
        pcre2_set_match_limit(context, kMaxSteps);
        pcre2_set_depth_limit(context, kMaxDepth);
        pcre2_set_heap_limit(context, kMaxHeapKib);
    }
    ~Workspace() {
        pcre2_match_data_free(data);
        pcre2_match_context_free(context);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    pcre2_match_context* context;
    pcre2_match_data* data;
};

} // namespace

void Regex::Release::operator()(void* code) const noexcept {
    pcre2_code_free(static_cast<pcre2_code*>(code));
}

std::expected<Regex, Regex::Fault> Regex::compile(std::string_view pattern, Case letters) {
    const std::uint32_t options = letters == Case::ignored ? PCRE2_CASELESS : 0;
    int error = 0;
    PCRE2_SIZE offset = 0;
    auto* const code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                                     options, &error, &offset, nullptr);
    if (code != nullptr) return Regex(code);
    std::array<PCRE2_UCHAR, 256> message{};
    pcre2_get_error_message(error, message.data(), message.size());
    return std::unexpected(Fault{reinterpret_cast<const char*>(message.data()), offset});
}

Regex::Verdict Regex::search(std::string_view subject, Captures& captures) const {
    thread_local const Workspace workspace;
    const auto* const text = reinterpret_cast<PCRE2_SPTR>(subject.data());
    const int found = pcre2_match(codeOf(code_.get()), text, subject.size(), 0, 0, workspace.data,
                                  workspace.context);
    if (found == PCRE2_ERROR_NOMATCH) return Verdict::unmatched;
    if (found < 0) return Verdict::exhausted;
    // 0: there are more groups than places.
    const auto count = found == 0 ? Captures::kMax : static_cast<std::size_t>(found);
    const PCRE2_SIZE* const bounds = pcre2_get_ovector_pointer(workspace.data);
    captures = Captures();
    for (std::size_t i = 0; i != count; ++i) {
        const PCRE2_SIZE from = bounds[2 * i];
        const PCRE2_SIZE to = bounds[2 * i + 1];
        if (from != PCRE2_UNSET && from <= to) captures.set(i, subject.substr(from, to - from));
    }
    return Verdict::matched;
}

std::size_t Regex::groups() const noexcept {
    std::uint32_t count = 0;
    pcre2_pattern_info(codeOf(code_.get()), PCRE2_INFO_CAPTURECOUNT, &count);
    return count;
}

std::vector<std::pair<std::string, std::size_t>> Regex::names() const {
    std::uint32_t count = 0;
    std::uint32_t entryBytes = 0; // two bytes of number, the name, a NUL
    PCRE2_SPTR entry = nullptr;
    pcre2_pattern_info(codeOf(code_.get()), PCRE2_INFO_NAMECOUNT, &count);
    std::vector<std::pair<std::string, std::size_t>> out;
    if (count == 0) return out;
    pcre2_pattern_info(codeOf(code_.get()), PCRE2_INFO_NAMEENTRYSIZE, &entryBytes);
    pcre2_pattern_info(codeOf(code_.get()), PCRE2_INFO_NAMETABLE, &entry);
    for (std::uint32_t i = 0; i != count; ++i, entry += entryBytes)
        out.emplace_back(reinterpret_cast<const char*>(entry + 2),
                         static_cast<std::size_t>(entry[0]) * 256 + entry[1]);
    return out;
}

} // namespace reef

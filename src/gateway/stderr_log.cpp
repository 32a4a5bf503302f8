#include "gateway/stderr_log.h"

#include "base/log.h"
#include "base/text.h"

#include <algorithm>
#include <utility>

namespace reef::gateway {

void StderrLog::setProcess(int pid, std::string_view requestId) {
    prefix_ = text::concat("pid ", pid, " request ", requestId, ": ");
}

void StderrLog::take(ByteView bytes) {
    while (!bytes.empty()) {
        const auto end = std::ranges::find(bytes, '\n');
        const auto part = bytes.first(static_cast<std::size_t>(end - bytes.begin()));
        const auto kept =
            std::min(part.size(), kMaxLineBytes - std::min(kMaxLineBytes, line_.size()));
        line_.append(part.data(), kept);
        if (kept < part.size() && !std::exchange(cut_, true)) line_ += "...";
        if (end == bytes.end()) return;
        endLine();
        bytes = bytes.subspan(part.size() + 1);
    }
}

void StderrLog::finish() {
    if (!line_.empty()) endLine();
    if (lines_ > kMaxLines)
        log::warning(island_, text::concat(prefix_, lines_ - kMaxLines,
                                           " further lines on standard error were dropped"));
    lines_ = 0;
}

void StderrLog::note(std::string_view what) const {
    log::warning(island_, prefix_ + std::string(what));
}

void StderrLog::endLine() {
    if (line_.ends_with('\r')) line_.pop_back();
    if (last_.size() == kLastLines) last_.erase(last_.begin());
    last_.push_back(line_.substr(0, kLastLineBytes));
    if (++lines_ <= kMaxLines) log::warning(island_, text::concat(prefix_, line_));
    line_.clear();
    cut_ = false;
}

} // namespace reef::gateway

#include "http/field_lines.h"

#include "http/characters.h"

#include <algorithm>

namespace reef::http {

Verdict LineScan::find(ByteView received, std::size_t limit) noexcept {
    const std::size_t stop = std::min(received.size(), begin_ + limit + 1);
    const char* base = received.data();
    if (scanned_ < stop) {
        const auto control =
            static_cast<std::size_t>(findControl(base + scanned_, base + stop) - base);
        scanned_ = control;
        if (control < stop) return judge(received, control);
    }
    if (stop < begin_ + limit + 1) return Verdict::incomplete;
    tooLong_ = true;
    return reject("line too long");
}

Verdict LineScan::judge(ByteView received, std::size_t control) noexcept {
    switch (received[control]) {
    case '\r':
        if (control + 1 == received.size()) return Verdict::incomplete;
        if (received[control + 1] == '\n') return endAt(control, control + 2);
        return reject("bare CR");
    case '\n':
        if (ends_ == LineEnd::crlfOrLf) return endAt(control, control + 1);
        return reject("bare LF");
    default:
        return reject("control byte");
    }
}

Verdict LineScan::endAt(std::size_t end, std::size_t next) noexcept {
    end_ = end;
    next_ = next;
    return Verdict::complete;
}

Verdict LineScan::reject(std::string_view reason) noexcept {
    reason_ = reason;
    return Verdict::rejected;
}

void FieldLines::startAt(std::size_t begin) noexcept {
    scan_.startAt(begin);
    base_ = nullptr;
}

Verdict FieldLines::parse(ByteView received, HeaderList& fields) {
    if (base_ != nullptr && base_ != received.data()) fields.relocate(base_, received.data());
    base_ = received.data();
    for (;;) {
        if (scan_.begin() + 2 > limits_.bytes) return reject(431, "head too large");
        const Verdict line = scan_.find(received, limits_.bytes - 2 - scan_.begin());
        if (line == Verdict::incomplete) return line;
        if (line == Verdict::rejected) {
            return scan_.tooLong() ? reject(431, "head too large") : reject(400, scan_.reason());
        }
        if (scan_.end() == scan_.begin()) return Verdict::complete;
        const ByteView rest = received.subspan(scan_.begin());
        if (takeLine(rest, scan_.end() - scan_.begin(), fields) == Verdict::rejected) {
            return Verdict::rejected;
        }
        scan_.startAt(scan_.next());
    }
}

Verdict FieldLines::takeLine(ByteView rest, std::size_t length, HeaderList& fields) {
    const char* begin = rest.data();
    const char* end = begin + length;
    const char* colon =
        skipToken(begin, begin + rest.size()); // stops at the line's end at the latest
    if (colon == begin) {
        return reject(400, *begin == ' ' || *begin == '\t' ? "folded line" : "odd field name");
    }
    if (colon == end) return reject(400, "line without colon");
    if (*colon != ':') {
        return reject(400,
                      *colon == ' ' || *colon == '\t' ? "blank before colon" : "odd field name");
    }
    if (fields.size() == limits_.fields) return reject(431, "too many fields");
    const char* value = colon + 1;
    while (value != end && (*value == ' ' || *value == '\t'))
        ++value;
    while (value != end && (end[-1] == ' ' || end[-1] == '\t'))
        --end;
    fields.add({begin, colon}, {value, end});
    return Verdict::complete;
}

Verdict FieldLines::reject(int status, std::string_view reason) noexcept {
    rejection_ = {status, reason};
    return Verdict::rejected;
}

} // namespace reef::http

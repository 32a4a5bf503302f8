#include "gateway/answer_relay.h"

#include "base/text.h"
#include "gateway/cgi_failure.h"
#include "http/status.h"

namespace reef::gateway {

Task<IslandResult> AnswerRelay::relay() {
    if (auto read = co_await readHead(); !read) co_return std::unexpected(std::move(read.error()));
    if (!head_.handsOver()) {
        if (auto passed = co_await passOn(); !passed)
            co_return std::unexpected(std::move(passed.error()));
        co_return std::nullopt;
    }
    auto handed = handover(); // before the buffer is used again
    // The program may have work left behind its head, such as keeping a session.
    if (auto ended = co_await discardRest(); !ended)
        co_return std::unexpected(std::move(ended.error()));
    co_return std::move(handed);
}

Task<http::Handled> AnswerRelay::readHead() {
    for (;;) {
        const auto verdict = head_.parse({buffer_.room().data(), used_});
        if (verdict == http::Verdict::complete) co_return http::Handled{};
        if (verdict == http::Verdict::rejected)
            co_return http::failWith(
                502, text::concat("the answer of ", island_.name, ": ", head_.reason()));
        if (room().empty())
            co_return http::failWith(502, text::concat("the head of the answer of ", island_.name,
                                                       " is longer than ", io::BufferPool::kBytes,
                                                       " bytes"));
        const auto got = co_await program_.read(room());
        if (const auto error = program_.inputError()) co_return failedBody(*error);
        if (!got || *got == 0) break;
        used_ += *got;
    }
    const auto ended = co_await program_.outcome();
    if (!ended) co_return ended;
    co_return http::failWith(
        502, used_ == 0 ? describeSilence(island_, program_.hasDied())
                        : text::concat("the answer of ", island_.name,
                                       " ended within its head; expected an empty line after it"));
}

/// The content. A short answer that is there whole goes out at once and with its length. One whose
/// announced length fits the buffer is waited for, so that the length can be known to be right.
Task<http::Handled> AnswerRelay::passOn() {
    announced_ = AnnouncedLength(head_.head().length);
    const bool patient = fitsBuffer();
    while (!room().empty()) {
        const auto got = patient ? co_await program_.read(room()) : program_.readNow(room());
        if (const auto error = program_.inputError()) co_return failedBody(*error);
        if (!got && !patient) break;
        if (!got || *got == 0) {
            const ByteView all(buffer_.room().data(), used_);
            co_return co_await sendWhole(all.subspan(head_.length()));
        }
        used_ += *got;
    }
    if (patient && hasContent()) head_.forgetLength(); // there is more than was announced
    const ByteView all(buffer_.room().data(), used_);
    co_return co_await stream(all.subspan(head_.length()));
}

/// With room for one byte more, to see that more comes.
bool AnswerRelay::fitsBuffer() const noexcept {
    const auto announced = head_.head().length;
    return announced && *announced < io::BufferPool::kBytes - head_.length();
}

/// Whether content goes to the client, so that its length matters.
bool AnswerRelay::hasContent() const noexcept {
    const int status = head_.head().status;
    return request_.method != http::Method::head && status != 205 && !http::forbidsContent(status);
}

Task<http::Handled> AnswerRelay::sendWhole(ByteView content) {
    if (auto ended = co_await program_.outcome(); !ended) co_return ended;
    if (request_.method == http::Method::head && head_.head().length) {
        const auto begun = co_await sink_.begin(head_.head());
        co_return handledAs(begun ? co_await sink_.end() : begun);
    }
    announced_.take(content);
    if (hasContent() && announced_.isShort() && program_.hasDied())
        co_return http::failWith(
            502, text::concat("island ", island_.name, " ", announced_.describe(), ", and failed"));
    if (hasContent() && !announced_.isRight())
        program_.note(announced_.describe() + "; the client is given what it wrote");
    co_return handledAs(co_await http::sendPiece(sink_, head_.head(), content));
}

Task<http::Handled> AnswerRelay::stream(ByteView content) {
    auto sent = co_await sink_.begin(head_.head());
    if (sent) sent = content.empty() ? co_await sink_.flush() : co_await writeOn(content);
    // From here on the head's views are of no more use, and the whole buffer is free.
    used_ = 0;
    while (sent) {
        const auto got = co_await program_.read(room());
        if (const auto error = program_.inputError()) co_return failedBody(*error);
        if (!got || *got == 0) break;
        sent = co_await writeOn({buffer_.room().data(), *got});
    }
    if (!sent) co_return handledAs(sent);
    if (auto ended = co_await program_.outcome(); !ended) co_return ended;
    if (hasContent() && announced_.isShort())
        co_return http::failWith(502,
                                 text::concat("island ", island_.name, " ", announced_.describe()));
    if (hasContent() && announced_.isExceeded() && !head_.head().length)
        program_.note(announced_.describe() + "; the client is given what it wrote");
    co_return handledAs(co_await sink_.end());
}

/// A promised length is kept: what is more than it goes nowhere. That is said before the client has
/// its last byte, and may leave.
Task<Status> AnswerRelay::writeOn(ByteView content) {
    const bool knownBefore = announced_.isExceeded();
    const ByteView promised = announced_.take(content);
    if (head_.head().length && hasContent() && !knownBefore && announced_.isExceeded())
        program_.note(announced_.describe() + " and more; the client is given what it announced");
    co_return co_await http::writePiece(sink_, head_.head().length ? promised : content);
}

/// What stands behind the head of an answer that the site gives goes nowhere.
Task<http::Handled> AnswerRelay::discardRest() {
    used_ = 0;
    for (;;) {
        const auto got = co_await program_.read(room());
        if (const auto error = program_.inputError()) co_return failedBody(*error);
        if (!got || *got == 0) break;
    }
    co_return co_await program_.outcome();
}

Handover AnswerRelay::handover() const {
    using Kind = ScriptHead::Kind;
    Arena& memory = *request_.arena;
    const auto to = head_.kind() == Kind::localRedirect ? Handover::To::localPath
                    : head_.kind() == Kind::innerPath   ? Handover::To::innerPath
                                                        : Handover::To::file;
    http::ResponseHead head(memory, head_.head().status);
    for (const auto& [name, value] : head_.head().fields)
        head.fields.add(memory.copy(name), memory.copy(value));
    return {to, memory.copy(head_.target()), std::move(head)};
}

} // namespace reef::gateway

#include "compose/place.h"

#include "base/text.h"

#include <algorithm>

namespace reef::compose {

namespace {

std::string failureText(const http::Failure& failure) {
    return text::concat("failed with status ", failure.status, failure.detail.empty() ? "" : ": ",
                        failure.detail);
}

FragmentTrace* traceIn(const PageContext& page, const FragmentSpec& spec) {
    if (page.trace == nullptr) return nullptr;
    return page.trace->add(spec.target, spec.page->lineage.depth + 1, spec.line);
}

} // namespace

Place::Place(PlaceOwner& owner, const Inclusion& inclusion, std::size_t limit, std::size_t least,
             std::size_t& total)
    : owner_(owner), trace_(traceIn(owner.context(), inclusion.spec)), spec_(inclusion.spec),
      errorText_(inclusion.errorText), onError_(inclusion.onError), stub_(inclusion.stub),
      stubWhenEmpty_(inclusion.stubWhenEmpty), primary_(inclusion.primary),
      retries_(inclusion.retries), limit_(limit), least_(least), total_(total),
      captured_(!inclusion.variable.empty()) {}

namespace {

bool leadsElsewhere(const http::ResponseHead& head, const FragmentSpec& spec) {
    return spec.kind == FragmentKind::cgi && head.status >= 300 && head.status <= 399 &&
           head.fields.find("Location").has_value();
}

} // namespace

Status Place::accept(const http::ResponseHead& head) {
    begun_ = true;
    if (trace_ != nullptr) trace_->status = head.status;
    const auto reception = owner_.placeBegan(*this, head);
    if (reception == Reception::ends) {
        failed_ = true;
        settle();
        return fail(Error::peerClosed);
    }
    if (reception == Reception::taken || (head.status >= 200 && head.status <= 299)) return {};
    hopeless_ = head.status < 500;
    failure_ = head.status;
    failWith(text::concat("answered with status ", head.status));
    return fail(Error::peerClosed);
}

Status Place::complete() {
    if (isOver()) return fail(Error::peerClosed);
    if (announced_.value_or(received_) == received_) {
        if (received_ == 0 && stub_ != nullptr && stubWhenEmpty_) {
            onError_.reset();
            spoiled_ = true;
        } else {
            settle();
        }
        return {};
    }
    failWith(text::concat("announced ", *announced_, " bytes and sent ", received_));
    return fail(Error::malformed);
}

Task<Status> Place::begin(const http::ResponseHead& head) {
    announced_ = head.length;
    if (leadsElsewhere(head, spec_)) co_return co_await showRedirect(head);
    co_return accept(head);
}

Task<Status> Place::write(std::span<const ByteView> pieces) {
    if (link_) co_return Status();
    for (ByteView piece : pieces) {
        while (!piece.empty()) {
            if (overflows(piece.size())) co_return fail(Error::tooLarge);
            if (room() == 0) co_await roomMade();
            if (isOver()) co_return fail(Error::peerClosed);
            const auto part = piece.first(std::min(piece.size(), room()));
            waiting_.append(part);
            received(part.size());
            piece = piece.subspan(part.size());
        }
    }
    co_return Status();
}

Task<Status> Place::flush() {
    co_return Status();
}

Task<Status> Place::end() {
    co_return link_ ? Status() : complete();
}

Task<Status> Place::send(const http::ResponseHead& head, std::span<const ByteView> pieces) {
    if (leadsElsewhere(head, spec_)) co_return co_await showRedirect(head);
    if (const auto status = accept(head); !status) co_return status;
    if (const auto status = co_await write(pieces); !status) co_return status;
    co_return complete();
}

Task<Status> Place::sendFile(const http::ResponseHead& head, int file, ByteCount offset,
                             ByteCount count) {
    if (const auto status = accept(head); !status) co_return status;
    while (received_ != count) {
        if (overflows(count - received_)) co_return fail(Error::tooLarge);
        if (room() == 0) co_await roomMade();
        if (isOver()) co_return fail(Error::peerClosed);
        const auto part = std::min<ByteCount>(count - received_, room());
        const auto before = waiting_.size();
        const auto status = waiting_.readFile(file, offset + received_, part);
        received(waiting_.size() - before);
        if (!status) {
            failWith(text::concat("its file cannot be read: ", status.error().describe()));
            co_return status;
        }
    }
    co_return complete();
}

/// How many bytes it may take. What is for a variable stays here in any case.
std::size_t Place::room() const noexcept {
    const auto limit = owner_.isTight() && !captured_ ? std::min(least_, limit_) : limit_;
    return limit - std::min(limit, held_);
}

Task<void> Place::roomMade() {
    waitingSince_ = std::chrono::steady_clock::now();
    while (!isOver() && room() == 0) {
        stepAside();
        co_await room_.wait();
    }
    waited_ = waited();
    waitingSince_.reset();
}

std::chrono::nanoseconds Place::waited() const noexcept {
    if (!waitingSince_) return waited_;
    return waited_ + (std::chrono::steady_clock::now() - *waitingSince_);
}

void Place::received(std::size_t bytes) {
    if (trace_ != nullptr) {
        if (trace_->bytes == 0) trace_->firstByte = std::chrono::steady_clock::now();
        trace_->bytes += bytes;
    }
    received_ += bytes;
    hold(bytes);
    owner_.placeAdvanced(*this);
}

void Place::hold(std::size_t bytes) noexcept {
    held_ += bytes;
    total_ += bytes;
}

void Place::drop(std::size_t bytes) noexcept {
    held_ -= bytes;
    total_ -= bytes;
}

void Place::take(ByteQueue& out) {
    if (captured_) return;
    shown_ = shown_ || !waiting_.empty();
    out.take(waiting_);
}

void Place::released(std::size_t bytes) noexcept {
    drop(bytes);
    room_.pulse();
}

void Place::conclude(const http::Handled& outcome) {
    stepAside();
    waitingSince_.reset(); // of a task that was dropped
    if (outcome && isOver()) return;
    if (!isOver()) {
        failure_ = !outcome && outcome.error().status != 0 ? outcome.error().status : 502;
        hopeless_ = failure_ < 500;
    }
    const auto why = !outcome ? failureText(outcome.error())
                     : begun_ ? std::string("its answer broke off")
                              : std::string("gave no answer");
    if (!isOver()) {
        failWith(why);
    } else if (!failed_) {
        owner_.placeTroubled(*this, text::concat(why, " (after its whole answer)"));
    }
}

/// An attempt begins.
void Place::began() noexcept {
    if (trace_ == nullptr) return;
    if (trace_->attempts++ == 0) trace_->begun = std::chrono::steady_clock::now();
}

void Place::settle() {
    settled_ = true;
    if (trace_ != nullptr) trace_->ended = std::chrono::steady_clock::now();
    owner_.placeSettled(*this);
}

void Place::failWith(std::string_view why) {
    failed_ = true;
    discard();
    owner_.placeTroubled(*this, why);
    if (trace_ != nullptr) {
        trace_->failed = true;
        trace_->why = why;
        if (!begun_) trace_->status = failure_;
    }
    if (hasOtherWay()) {
        spoiled_ = true;
        return;
    }
    settleWithError();
}

void Place::settleFailed() {
    spoiled_ = false;
    settleWithError();
}

void Place::settleWithError() {
    if (!captured_) {
        waiting_.append(bytesOf(*errorText_));
        hold(waiting_.size());
    }
    settle();
}

void Place::discard() noexcept {
    drop(waiting_.size());
    waiting_.clear();
}

/// Fails the fragment when so much more would be too much for a variable.
bool Place::overflows(std::size_t more) {
    if (!captured_ || isOver() || held_ + more <= limit_) return false;
    failWith(text::concat("is longer than the ", limit_, " bytes that a variable may have"));
    return true;
}

bool Place::takeRetry() noexcept {
    if (!spoiled_ || !mayRetry()) return false;
    --retries_;
    restart();
    return true;
}

std::shared_ptr<const FragmentSpec> Place::takeOnError() noexcept {
    if (onError_ == nullptr) return nullptr;
    giveUp();
    standsIn();
    restart();
    return std::exchange(onError_, nullptr);
}

std::shared_ptr<const std::string> Place::takeStub() noexcept {
    if (stub_ == nullptr) return nullptr;
    standsIn();
    restart();
    return std::exchange(stub_, nullptr);
}

void Place::standsIn() noexcept {
    if (trace_ != nullptr) trace_->standsIn = true;
}

void Place::restart() noexcept {
    if (trace_ != nullptr) {
        trace_->bytes = 0;
        trace_->firstByte = {};
    }
    spoiled_ = failed_ = begun_ = hopeless_ = false;
    received_ = 0;
    announced_.reset();
}

std::string Place::text() const {
    ByteQueue::Views views;
    waiting_.view(views);
    std::string out;
    for (const ByteView view : views)
        out += textOf(view);
    return out;
}

/// `exec cgi`: a program that leads elsewhere is shown as a link, as Apache does.
Task<Status> Place::showRedirect(const http::ResponseHead& head) {
    begun_ = true;
    const auto where = text::escapeHtml(head.fields.find("Location").value_or(""));
    const auto link = text::concat("<a href=\"", where, "\">", where, "</a>");
    announced_.reset();
    const ByteView piece = bytesOf(link);
    if (const auto status = co_await write({&piece, 1}); !status) co_return status;
    link_ = true;
    co_return complete();
}

} // namespace reef::compose

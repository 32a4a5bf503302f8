#include "cache/flight.h"

#include <algorithm>

namespace reef::cache {

namespace {

constexpr ByteCount kChunkOverhead = 64;

ByteCount costOf(const Chunk& chunk) {
    return chunk->size() + kChunkOverhead;
}

} // namespace

void Flight::show(std::shared_ptr<const Head> shown, Verdict found) {
    head = std::move(shown);
    verdict = std::move(found);
    stage = Stage::flowing;
}

bool Flight::add(Chunk chunk, ByteCount limit) {
    written += chunk->size();
    held += costOf(chunk);
    chunks_.push_back(std::move(chunk));
    if (held > limit) outgrown = true;
    if (outgrown) trim();
    return !followers.empty() || (background && !outgrown);
}

void Flight::trim() {
    std::uint64_t least = first_ + chunks_.size();
    for (const Follower& follower : followers)
        least = std::min(least, follower.done);
    for (; first_ < least; ++first_) {
        held -= costOf(chunks_.front());
        chunks_.pop_front();
    }
}

Flight::Portion Flight::take(Follower& follower, ByteCount limit, const Executor& here) {
    follower.done = follower.next;
    if (outgrown) {
        trim();
        if (!isFull(limit) && !isOver(stage)) Bell::ring(run, here);
    }
    Portion portion;
    portion.stage = stage;
    portion.failure = failure;
    if (head != nullptr && !std::exchange(follower.sawHead, true)) {
        portion.head = head;
        portion.varies = verdict.varies;
        portion.kept = verdict.sharing == Sharing::kept;
    }
    const auto from = static_cast<std::ptrdiff_t>(follower.next - first_);
    portion.chunks.assign(chunks_.begin() + from, chunks_.end());
    follower.next = first_ + chunks_.size();
    if (portion.empty()) follower.bell->awaited = true;
    return portion;
}

void Flight::leave(Followers::iterator follower) {
    followers.erase(follower);
    if (outgrown) trim();
}

void Flight::end(Stage how, const Executor& here) {
    stage = how;
    ringAll(here);
}

void Flight::ringAll(const Executor& here) {
    for (const Follower& follower : followers)
        Bell::ring(follower.bell, here);
}

std::string Flight::content() const {
    std::string whole;
    whole.reserve(static_cast<std::size_t>(written));
    for (const Chunk& chunk : chunks_)
        whole += *chunk;
    return whole;
}

} // namespace reef::cache

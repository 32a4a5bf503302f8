#include "serve/request_slot.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

using namespace reef;
using serve::RequestSlot;
using serve::SlotPool;

namespace {

void fill(RequestSlot& slot, std::string_view bytes) {
    std::ranges::copy(bytes, slot.room().data());
    slot.used += bytes.size();
}

} // namespace

TEST_CASE("what was received stays when the buffer grows") {
    RequestSlot slot;
    fill(slot, std::string(RequestSlot::kBufferBytes, 'a'));
    CHECK(slot.room().empty());
    slot.grow();
    CHECK(slot.room().size() == RequestSlot::kBufferBytes);
    fill(slot, "b");
    CHECK(textOf(slot.received()) == std::string(RequestSlot::kBufferBytes, 'a') + "b");
}

TEST_CASE("a slot restarts with the bytes of the next request") {
    RequestSlot slot;
    fill(slot, "GET / HTTP/1.1\r\n\r\nGET /next");
    slot.restartWith(slot.received().subspan(18));
    CHECK(textOf(slot.received()) == "GET /next");
    slot.restartWith({});
    CHECK(slot.received().empty());
    const std::string foreign(3 * RequestSlot::kBufferBytes, 'x');
    slot.restartWith(bytesOf(foreign));
    CHECK((textOf(slot.received()) == foreign));
}

TEST_CASE("slots are used again, but not those that have grown") {
    SlotPool pool;
    const RequestSlot* first = nullptr;
    {
        auto lease = pool.take();
        first = lease.get();
        fill(*lease, "left over");
    }
    {
        auto lease = pool.take();
        CHECK(lease.get() == first);
        CHECK(lease->received().empty());
        lease->grow();
    }
    CHECK(pool.take()->capacity == RequestSlot::kBufferBytes);
}

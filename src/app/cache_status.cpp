#include "app/cache_status.h"

namespace reef::app {

void writeCache(JsonWriter& json, const cache::Counts& counts) {
    json.beginObject();
    json.key("answers").value(counts.answers).key("bytes").value(counts.bytes);
    json.key("hits").value(counts.hits).key("stale").value(counts.stale);
    json.key("misses").value(counts.misses).key("coalesced").value(counts.coalesced);
    json.key("bypassed").value(counts.own);
    json.key("stored").value(counts.stored).key("evicted").value(counts.evicted);
    json.endObject();
}

} // namespace reef::app

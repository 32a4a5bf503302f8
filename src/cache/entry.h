#pragma once

#include "cache/policy.h"
#include "http/response.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reef::cache {

/// The head of an answer, with memory of its own.
struct Head {
    explicit Head(const http::ResponseHead& head);

    /// As handlers give it to sinks; its views are of this head.
    http::ResponseHead view(std::pmr::memory_resource& memory) const;

    int status;
    std::string reason;
    Fields fields;
    std::optional<ByteCount> length; ///< as far as it was announced
};

/// The names by which people know what an answer answers.
struct Place {
    std::string host;  ///< lower case, without port
    std::string path;  ///< decoded, where routes have led the request
    std::string asked; ///< decoded, as it came
};

/// Something that the store knows under a key. Immutable, shared by all loops.
struct Entry {
    enum class Kind : std::uint8_t {
        answer,
        own,    ///< whoever asks is to get an answer of its own: the last one was for nobody else
        varies, ///< under the key without them: the fields that its answers depend on
    };

    std::string key;
    Place place;
    Kind kind = Kind::answer;

    std::shared_ptr<const Head> head; ///< of an answer
    std::string content;              ///< of an answer, whole
    Lifetime lifetime;                ///< of an answer; of the others `fresh` counts
    TimePoint made;
    std::vector<std::string> varies;

    /// Seconds and less since it was made, wherever that was.
    Milliseconds ageAt(TimePoint now) const;

    bool isFresh(TimePoint now) const { return ageAt(now) < lifetime.fresh; }
    bool mayStandIn(TimePoint now) const { return ageAt(now) < lifetime.fresh + lifetime.stale; }
    bool mayStandInForError(TimePoint now) const {
        return ageAt(now) < lifetime.fresh + std::max(lifetime.stale, lifetime.staleIfError);
    }

    /// Memory that it takes in a store, with what the store needs for it.
    ByteCount bytes() const;
};

} // namespace reef::cache

#pragma once

#include "cache/rules.h"
#include "http/header_list.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace reef::cache {

/// What of a request an answer may depend on, as one text. Two lists of parts give the same text
/// only when they are the same.
class Key {
public:
    Key& add(std::string_view part);
    Key& add(std::uint64_t number);
    Key& add(const Fields& fields);
    std::string take() { return std::move(text_); }

private:
    std::string text_;
};

/// The value of a field, all its lines joined by a comma; nothing: the request has none.
std::optional<std::string> valueOf(const http::HeaderList& fields, std::string_view name);

/// The fields of a request that the rules choose, in the rules' order, each as one line; of its
/// cookies the chosen ones alone, as one Cookie at the end. Names are in lower case.
Fields chosenFields(const http::HeaderList& fields, const Rules& rules);

/// Those of these names that the request has.
Fields namedFields(const http::HeaderList& fields, std::span<const std::string> names);

/// The key of one of the answers that a Vary tells apart. `carried`: the fields of the request that
/// it answers; which of `names` are absent counts as well.
std::string variant(std::string_view primary, std::span<const std::string> names,
                    const Fields& carried);

/// The decoded path of a request-target as people write it: without query; "" if it is none.
std::string pathOf(std::string_view target);

} // namespace reef::cache

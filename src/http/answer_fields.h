#pragma once

#include "base/text.h"
#include "http/response.h"

#include <algorithm>
#include <memory_resource>
#include <string_view>
#include <vector>

namespace reef::http {

/// Fields that the answer to a request carries whoever makes it (a file, an island, an error page),
/// because the site's configuration says so. Views live as long as the request. Usually empty.
class AnswerFields {
public:
    explicit AnswerFields(std::pmr::memory_resource& memory) : fields_(&memory) {}

    /// Stands in every answer: in place of others of that name, but beside them where a field is a
    /// list (Vary, Link, Set-Cookie). The server's own Cache-Control of a failure stays.
    void set(std::string_view name, std::string_view value) {
        fields_.push_back({name, value, Rule::always});
    }

    /// Stands in answers with a status below 400 that have no such field.
    void setDefault(std::string_view name, std::string_view value) {
        fields_.push_back({name, value, Rule::unlessPresent});
    }

    bool empty() const noexcept { return fields_.empty(); }
    void clear() noexcept { fields_.clear(); }

    void applyTo(ResponseHead& head) const {
        for (const Entry& entry : fields_) {
            if (entry.rule == Rule::always) apply(head, entry);
            if (entry.rule == Rule::unlessPresent && head.status < 400 &&
                !head.fields.contains(entry.name))
                head.fields.add(entry.name, entry.value);
        }
    }

private:
    enum class Rule : bool { always, unlessPresent };
    struct Entry {
        std::string_view name;
        std::string_view value;
        Rule rule;
    };
    static void apply(ResponseHead& head, const Entry& entry) {
        if (isList(entry.name)) {
            head.fields.add(entry.name, entry.value);
        } else if (head.status < 400 || !head.fields.contains(entry.name) ||
                   !text::equalsIgnoreCase(entry.name, "Cache-Control")) {
            head.fields.set(entry.name, entry.value);
        }
    }
    static bool isList(std::string_view name) noexcept {
        constexpr std::string_view kLists[] = {"Vary", "Link", "Set-Cookie"};
        return std::ranges::any_of(
            kLists, [name](std::string_view list) { return text::equalsIgnoreCase(name, list); });
    }

    std::pmr::vector<Entry> fields_;
};

} // namespace reef::http

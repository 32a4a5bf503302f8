#pragma once

#include "http/response.h"

#include <memory_resource>
#include <string_view>
#include <vector>

namespace reef::http {

/// Fields that the answer to a request carries whoever makes it (a file, an island, an error page),
/// because the site's configuration says so. Views live as long as the request. Usually empty.
class AnswerFields {
public:
    explicit AnswerFields(std::pmr::memory_resource& memory) : fields_(&memory) {}

    /// Stands in every answer, in place of others of that name.
    void set(std::string_view name, std::string_view value) {
        fields_.push_back({name, value, Rule::always});
    }

    /// Stands in answers with a status below 400 that have no such field.
    void setDefault(std::string_view name, std::string_view value) {
        fields_.push_back({name, value, Rule::unlessPresent});
    }

    bool empty() const noexcept { return fields_.empty(); }

    void applyTo(ResponseHead& head) const {
        for (const Entry& entry : fields_) {
            if (entry.rule == Rule::always) head.fields.set(entry.name, entry.value);
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
    std::pmr::vector<Entry> fields_;
};

} // namespace reef::http

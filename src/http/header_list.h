#pragma once

#include <cstddef>
#include <memory_resource>
#include <optional>
#include <string_view>
#include <vector>

namespace reef::http {

/// One field line (RFC 9110 5). Both are views into the connection's buffer or the request's arena.
struct HeaderField {
    std::string_view name;
    std::string_view value; ///< without the blanks around it
};

/// Whether a comma-separated list holds this token, without case.
bool listHasToken(std::string_view list, std::string_view token) noexcept;

/// Field lines in the order in which they came. Names compare without case. A list stores views:
/// whoever adds a field sees to it that the text lives as long as the list (a literal, the arena,
/// the connection's buffer). The vector's memory is the arena's.
class HeaderList {
public:
    explicit HeaderList(std::pmr::memory_resource& memory) : fields_(&memory) {}

    /// A copy takes the same memory (a pmr vector left to itself would go to the heap).
    HeaderList(const HeaderList& other) : fields_(other.fields_, other.fields_.get_allocator()) {}
    HeaderList(HeaderList&&) noexcept = default;
    HeaderList& operator=(const HeaderList&) = default;
    HeaderList& operator=(HeaderList&&) = default;
    ~HeaderList() = default;

    /// Adds a line after the others; lines of the same name stay apart (`Set-Cookie`).
    void add(std::string_view name, std::string_view value) {
        HeaderField& field =
            fields_.emplace_back(); // empty first: passed through memory, they cost a stall
        field.name = name;
        field.value = value;
    }

    /// Replaces the lines of this name by one, or adds it.
    void set(std::string_view name, std::string_view value);

    /// Removes all lines of this name. Returns how many there were.
    std::size_t remove(std::string_view name);

    /// The value of the first line of this name.
    std::optional<std::string_view> find(std::string_view name) const noexcept;

    bool contains(std::string_view name) const noexcept { return find(name).has_value(); }
    std::size_t count(std::string_view name) const noexcept;

    /// Whether a comma-separated list field (all its lines) holds this token, without case:
    /// `hasToken("Connection", "close")`.
    bool hasToken(std::string_view name, std::string_view token) const noexcept;

    auto begin() const noexcept { return fields_.begin(); }
    auto end() const noexcept { return fields_.end(); }
    std::size_t size() const noexcept { return fields_.size(); }
    bool empty() const noexcept { return fields_.empty(); }

    /// Room for so many lines at once, so that a growing list does not leave its old places in the
    /// arena.
    void reserve(std::size_t lines) { fields_.reserve(lines); }

    /// The buffer that all names and values point into was at `from` and is now at `to`.
    void relocate(const char* from, const char* to) noexcept;

private:
    std::pmr::vector<HeaderField> fields_;
};

} // namespace reef::http

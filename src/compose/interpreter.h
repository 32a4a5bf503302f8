#pragma once

#include "compose/host.h"
#include "compose/parser.h"

#include <memory>
#include <optional>
#include <string>

namespace reef::compose {

/// Where the interpreter's results go, in document order.
class Output {
public:
    /// Text of the page. A view of the fed piece (or static): needed no longer than the caller
    /// says.
    virtual void text(ByteView bytes) = 0;

    /// Text made by a directive: to be copied.
    virtual void print(std::string_view made) = 0;

    /// A fragment belongs here; `errorText` if it fails. The views of `spec` are the page's
    /// arena's.
    virtual void include(const FragmentSpec& spec,
                         const std::shared_ptr<const std::string>& errorText) = 0;

protected:
    ~Output() = default;
};

/// What the directives of one page do, one after the other, and the state they share (the error
/// text; later formats, variables, conditions). Knows nothing of streams and tasks.
///
/// An error in a directive prints the error text, tells Host::problem why, and ends the directive:
/// its attributes before that one have had their effect.
class Interpreter {
public:
    static constexpr std::string_view kErrorText =
        "[an error occurred while processing this directive]";
    static constexpr std::string_view kUndefined = "(none)";

    /// All outlive it. `budget` is how many fragments the page may still have, shared with the
    /// pages around it.
    Interpreter(Host& host, const http::Request& page, std::size_t& budget, Output& output);

    /// For LAST_MODIFIED; as the page's head says it.
    void setLastModified(std::optional<std::time_t> time) noexcept { lastModified_ = time; }

    void perform(const Item& item);

private:
    friend struct Actions;
    bool apply(const Directive& directive, const Attribute& attribute);
    bool include(FragmentKind kind, std::string_view target, std::size_t line);
    bool echo(std::string_view name);
    bool setErrorText(std::string_view value);
    bool problem(std::size_t line, std::string_view what);

    Host& host_;
    const http::Request& page_;
    std::size_t& budget_;
    Output& output_;
    std::shared_ptr<const std::string> errorText_; // never null
    std::optional<std::time_t> lastModified_;
    std::string decoded_; // of the attribute at work
};

} // namespace reef::compose

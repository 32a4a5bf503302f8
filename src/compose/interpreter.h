#pragma once

#include "compose/directive.h"
#include "compose/host.h"
#include "compose/page_context.h"
#include "compose/parser.h"

#include <memory>
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

    /// All outlive it.
    Interpreter(Host& host, const http::Request& page, PageContext& context, Output& output);

    void perform(const Item& item);

private:
    void run(const Directive& directive);
    std::string_view apply(const Step& step, std::size_t line);
    std::string_view include(FragmentKind kind, std::string_view target, std::size_t line);
    void echo(std::string_view name);
    void fault(std::size_t line, std::string_view what);

    Host& host_;
    const http::Request& page_;
    PageContext& context_;
    Output& output_;
    std::shared_ptr<const std::string> errorText_; // never null
    std::string decoded_;                          // of the attribute at work
};

} // namespace reef::compose

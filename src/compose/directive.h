#pragma once

#include "compose/parser.h"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace reef::compose {

/// What a directive is for.
enum class Verb : std::uint8_t {
    include,
    echo,
    set,
    condition,   ///< if
    alternative, ///< elif
    otherwise,   ///< else
    endCondition,
    config,
    fileSize,
    fileModified,
    exec,
    printEnvironment,
    comment,
    block,
    endBlock,
};

/// What one attribute of a directive asks for.
enum class Action : std::uint8_t {
    includeVirtual, ///< the value names a URL path
    includeFile,    ///< the value names a file
    onError,        ///< a URL path, for when the include fails
    stub,           ///< the name of a block, for when the include fails or is empty
    wait,           ///< "yes": nothing behind the include is looked at before it has ended
    capture,        ///< a variable that gets what is included
    fallback,       ///< a block or a URL path, for when the include fails
    timeout,        ///< how long it may take
    timeToLive,     ///< how long its answer may be used again
    stale,          ///< how long it stands in for a newer one after that
    retry,          ///< how often it is tried again
    primary,        ///< "yes": its status, redirect and cookies are the page's
    parameters,     ///< names of variables, for its query
    headers,        ///< names of variables, for the fields of its request
    execCommand,
    execCgi,
    echo,         ///< the value names a variable
    echoEncoding, ///< a list of encodings
    echoDecoding,
    echoDefault, ///< what stands for a variable that is not there
    setName,
    setValue,
    setEncoding,
    setDecoding,
    errorText, ///< the value replaces the error text from here on
    undefinedText,
    timeFormat,
    sizeFormat,
    factsOfFile,
    factsOfVirtual,
    expression,
    blockName,
    nothing,
};

/// One attribute, understood.
struct Step {
    Action action;
    std::string_view value; ///< entities decoded where the directive's attribute wants it
    bool expands;           ///< `$NAME` in it is to be replaced
};

/// How attributes are read: Apache decodes entities in some, nginx in none.
enum class Entities : bool { decoded, kept };

/// The verb. The error is a literal, for the log: there is no such directive.
std::expected<Verb, std::string_view> verbOf(const Directive& directive) noexcept;

/// Why a directive as a whole cannot be run: there is none of this name, it has no attribute and
/// needs one, or has one and may not. Empty: it can.
std::string_view faultOf(const Directive& directive) noexcept;

/// The meaning of an attribute, by the table of directives and attributes. Names compare without
/// case. The value is a view of the directive or of `scratch`. The error is a literal, for the log:
/// the directive has no such attribute, or the attribute has no value.
std::expected<Step, std::string_view> stepFor(const Directive& directive,
                                              const Attribute& attribute, std::string& scratch,
                                              Entities entities = Entities::decoded);

} // namespace reef::compose

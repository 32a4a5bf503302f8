#pragma once

#include <string_view>

/// The fuzz targets of the compose room.
namespace reef::fuzz {

/// Parser: items do not depend on the pieces; directives, entities and targets keep their promises.
/// A byte 0x01 stands for a thousand `x`, so that short inputs reach the limits.
void ssiParser(std::string_view input);

/// Composer: the input is a page, and what its includes do, and when, follows from their names.
/// The page comes to its end with a single permit and little room, and is the same however it was
/// written and in whichever order fragments were ready.
void ssiPage(std::string_view input);

/// Expressions of `if`: the first byte chooses the dialect. What is understood can be evaluated,
/// twice with the same outcome; what is not says why.
void ssiExpression(std::string_view input);

} // namespace reef::fuzz

#pragma once

#include <string_view>

/// Fuzz targets of the room of gateways.
namespace reef::fuzz {

/// What a CGI program writes, in both forms, whole and in pieces; and the beginning of a program.
void scriptHead(std::string_view input);

/// A query: its words are arguments, or there are none.
void queryArguments(std::string_view input);

} // namespace reef::fuzz

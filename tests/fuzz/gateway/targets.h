#pragma once

#include <string_view>

/// Fuzz targets of the room of gateways.
namespace reef::fuzz {

/// What a CGI program writes, whole and in pieces; and the beginning of a program.
void scriptHead(std::string_view input);

} // namespace reef::fuzz

#pragma once

#include "files/document_root.h"

#include <string>

namespace reef::files {

/// The strong entity tag of a file's state, with its quotes: changes with size, time and identity.
std::string entityTagOf(const OpenFile& file);

} // namespace reef::files

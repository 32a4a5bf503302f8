#pragma once

#include <string_view>

/// The fuzz targets of the admin room; see ../fuzz.h.
namespace reef::fuzz {

/// The bytes are a form, a Cookie field, a text that the dashboard shows, and a file of accounts.
/// Whatever they are: what a form gives is clean, what a page shows is text, and a file that is not
/// ours admits nobody.
void panelTexts(std::string_view input);

} // namespace reef::fuzz

#include "admin/html.h"

#include "admin/visible.h"
#include "base/text.h"

namespace reef::admin {

void Html::copyMarkup(std::string_view& rest) {
    const auto place = rest.find('{');
    text_ += rest.substr(0, place);
    rest.remove_prefix(place == std::string_view::npos ? rest.size() : place + 2);
}

void Html::append(std::string_view text) {
    text_ += text::escapeHtml(visible(text));
}

} // namespace reef::admin

#include "admin/account_form.h"
#include "admin/frame.h"
#include "admin/islands_page.h"
#include "admin/routes.h"

#include <utility>

namespace reef::admin {

Task<Answer> showIslands(PanelParts& parts, Visit& visit) {
    auto pass = parts.reports.enter();
    if (!pass) co_return busyAnswer(parts);
    auto read = [&data = parts.data, pass = std::move(*pass)] {
        return islandsPage(data.islands());
    };
    const Html page = co_await parts.workers.run(parts.loop, std::move(read));

    Answer answer;
    const std::string csrf = formToken(parts, visit, answer);
    Frame frame(parts.assets, "Islands");
    frame.account = visit.account;
    frame.csrf = csrf;
    frame.place = Place::islands;
    answer.body = framedPage(frame, page);
    co_return answer;
}

} // namespace reef::admin

#include "admin/account_form.h"
#include "admin/dashboard_page.h"
#include "admin/frame.h"
#include "admin/routes.h"

#include <chrono>
#include <utility>

namespace reef::admin {
namespace {

pageviews::Time clockNow() {
    using std::chrono::milliseconds;
    return std::chrono::floor<milliseconds>(std::chrono::system_clock::now());
}

} // namespace

Task<Answer> showDashboard(PanelParts& parts, Visit& visit) {
    const TimeRange& range = timeRangeNamed(visit.form["range"]);
    auto pass = parts.reports.enter();
    if (!pass) co_return busyAnswer(parts);
    auto read = [&data = parts.data, query = range.query(clockNow()), pass = std::move(*pass)] {
        return std::pair(data.report(query), data.facts());
    };
    const auto [report, facts] = co_await parts.workers.run(parts.loop, std::move(read));

    Answer answer;
    const std::string csrf = formToken(parts, visit, answer);
    Frame frame(parts.assets, "Logbook");
    frame.account = visit.account;
    frame.csrf = csrf;
    frame.place = Place::logbook;
    answer.body = framedPage(frame, dashboardPage(report, facts, range));
    co_return answer;
}

} // namespace reef::admin

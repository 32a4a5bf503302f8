#pragma once

#include "admin/panel.h"
#include "base/arena.h"
#include "coro/scope.h"
#include "http/response.h"
#include "scratch.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reef::test {

/// A response as it arrived.
struct Reply {
    int status = 0; ///< 0: the handler failed
    std::vector<std::pair<std::string, std::string>> fields;
    std::string body;
    int failure = 0; ///< status of the handler's failure

    /// The first field of this name, "" when there is none.
    std::string field(std::string_view name) const;
    bool contains(std::string_view text) const { return body.find(text) != std::string::npos; }

    /// The value of a hidden field of a form, "" when there is none.
    std::string hidden(std::string_view name) const;

    /// The value of a cookie that is set, "" when it is not.
    std::string cookie(std::string_view name) const;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A request in plain words.
struct Asked {
    explicit Asked(std::string methodName, std::string where)
        : method(std::move(methodName)), target(std::move(where)) {}
    std::string method;
    std::string target;
    std::string authority = "127.0.0.1:8081";
    Headers headers;
    std::string body;
    std::string client = "127.0.0.1";
    bool secure = false;
};

/// What the application would tell: set what is needed.
class FakeData final : public admin::PanelData {
public:
    Result<pageviews::Report> report(const pageviews::ReportQuery&) override { return answer; }
    admin::ServerFacts facts() override { return server; }
    admin::IslandsFacts islands() override { return ashore; }

    Result<pageviews::Report> answer = fail(Error::notFound);
    admin::ServerFacts server;
    admin::IslandsFacts ashore;
};

/// A panel on a loop of its own, with cheap passwords.
class TestPanel {
public:
    static constexpr std::string_view kPassword = "four random words here";

    explicit TestPanel(admin::PanelSettings settings = {});

    /// Sends one request and waits for its answer.
    Reply ask(const Asked& asked);

    /// Starts several requests before any has been answered.
    std::vector<Reply> askAtOnce(const std::vector<Asked>& all);

    /// Starts a request and drops it as soon as it waits for something.
    void startAndLeave(const Asked& asked);

    Scratch directory;
    io::Loop loop;
    FakeData data;
    admin::Accounts accounts;
    io::Workers workers{2};
    admin::Panel panel;
    coro::Scope scope;

private:
    struct Exchange;
    Task<void> serve(Exchange& exchange);
};

/// Somebody with a browser: keeps cookies, sends Origin, fills in forms.
class Browser {
public:
    explicit Browser(TestPanel& panel, std::string authority = "127.0.0.1:8081")
        : panel_(panel), authority_(std::move(authority)) {}

    Reply get(const std::string& target);

    /// Posts the fields with the csrf token of the page loaded last.
    Reply post(const std::string& target, const Headers& fields);

    /// The same request, not sent yet.
    Asked posting(const std::string& target, const Headers& fields) const;

    /// Loads the page and signs in.
    Reply signIn(std::string_view name, std::string_view password = TestPanel::kPassword);

    std::map<std::string, std::string> cookies;
    std::string client = "127.0.0.1";

private:
    Reply keep(Reply reply);
    Asked prepared(Asked asked) const;

    TestPanel& panel_;
    std::string authority_;
    std::string csrf_;
};

/// Encodes the fields of a form.
std::string formOf(const Headers& fields);

} // namespace reef::test

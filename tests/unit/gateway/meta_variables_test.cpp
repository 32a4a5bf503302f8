#include "gateway/meta_variables.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

using namespace reef;

namespace {

struct Fixture {
    Fixture() {
        ends.remoteAddress = "192.0.2.7";
        ends.remotePort = 4711;
        ends.localAddress = "192.0.2.1";
        ends.localPort = 8080;
        request.target = "/cgi-bin/x/a%20b?q=%31";
        request.query = "q=%31";
        request.hasQuery = true;
        request.host = "site.example";
        request.id = "id-1";
        target.scriptName = "/cgi-bin/x";
        target.pathInfo = "/a b";
        target.scriptFile = "/srv/cgi-bin/x";
        target.documentRoot = "/srv/www";
        target.pathTranslated = "/srv/www/a b";
        target.serverName = "192.0.2.1";
    }

    std::map<std::string, std::string> variables(std::optional<ByteCount> length = {}) {
        const auto list = gateway::metaVariables(request, target, length);
        std::map<std::string, std::string> found;
        std::string_view rest = list.view().bytes;
        while (!rest.empty()) {
            const std::string entry(rest.substr(0, rest.find('\0')));
            rest.remove_prefix(entry.size() + 1);
            const auto mark = entry.find('=');
            CHECK_FALSE(found.contains(entry.substr(0, mark))); // each once
            found[entry.substr(0, mark)] = entry.substr(mark + 1);
        }
        return found;
    }

    std::string cookie(std::initializer_list<const char*> lines) {
        request.fields.remove("Cookie");
        for (const char* line : lines)
            request.fields.add("Cookie", line);
        const auto found = variables();
        return found.contains("HTTP_COOKIE") ? found.at("HTTP_COOKIE") : "(unset)";
    }

    Arena arena;
    http::EmptyBody body;
    http::Endpoints ends;
    http::Request request{arena, body, ends};
    gateway::ScriptTarget target;
};

} // namespace

TEST_CASE_METHOD(Fixture, "the request is told by the variables of RFC 3875") {
    const auto seen = variables();
    CHECK(seen.at("GATEWAY_INTERFACE") == "CGI/1.1");
    CHECK(seen.at("SERVER_NAME") == "site.example");
    CHECK(seen.at("SERVER_PORT") == "8080");
    CHECK(seen.at("REMOTE_ADDR") == "192.0.2.7");
    CHECK(seen.at("REMOTE_HOST") == "192.0.2.7");
    CHECK(seen.at("REMOTE_PORT") == "4711");
    CHECK(seen.at("REQUEST_URI") == "/cgi-bin/x/a%20b?q=%31");
    CHECK(seen.at("QUERY_STRING") == "q=%31");
    CHECK(seen.at("SCRIPT_NAME") == "/cgi-bin/x");
    CHECK(seen.at("PATH_INFO") == "/a b");
    CHECK(seen.at("PATH_TRANSLATED") == "/srv/www/a b");
    CHECK(seen.at("REQUEST_ID") == "id-1");
    CHECK_FALSE(seen.contains("CONTENT_LENGTH"));
    CHECK_FALSE(seen.contains("HTTPS"));
    CHECK(variables(7).at("CONTENT_LENGTH") == "7");
}

TEST_CASE_METHOD(Fixture, "without path info the variable is there and empty, its file is not") {
    target.pathInfo = {};
    target.pathTranslated = {};
    request.query = {};
    const auto seen = variables();
    CHECK(seen.at("PATH_INFO").empty());
    CHECK(seen.at("QUERY_STRING").empty());
    CHECK_FALSE(seen.contains("PATH_TRANSLATED"));
}

TEST_CASE_METHOD(Fixture, "a request without a host gets the server's name, a secure one says so") {
    request.host = {};
    ends.secure = true;
    const auto seen = variables();
    CHECK(seen.at("SERVER_NAME") == "192.0.2.1");
    CHECK(seen.at("HTTPS") == "on");
    CHECK(seen.at("REQUEST_SCHEME") == "https");
}

TEST_CASE_METHOD(Fixture, "fields of one name are one variable") {
    request.fields.add("X-Two", "1");
    request.fields.add("Accept", "a/b");
    request.fields.add("x-two", "2");
    const auto seen = variables();
    CHECK(seen.at("HTTP_X_TWO") == "1, 2");
    CHECK(seen.at("HTTP_ACCEPT") == "a/b");
}

TEST_CASE_METHOD(Fixture, "fields that could harm do not pass") {
    for (const char* name : {"Proxy", "proxy", "X_Y", "Authorization", "Proxy-Authorization",
                             "Connection", "Transfer-Encoding", "Upgrade", "TE", "Trailer",
                             "Keep-Alive", "Content-Length", "Content-Type", "Expect"})
        request.fields.add(name, "SECRET");
    std::string passed;
    for (const auto& [name, value] : variables()) {
        if (name.starts_with("HTTP_")) passed += name + " ";
    }
    CHECK(passed == "HTTP_X_REQUEST_ID "); // which is ours
    CHECK(variables().at("CONTENT_TYPE") == "SECRET");
    target.passAuthorization = true;
    CHECK(variables().at("HTTP_AUTHORIZATION") == "SECRET");
}

TEST_CASE_METHOD(Fixture, "the panel's cookies are taken out of all lines and spellings") {
    CHECK(cookie({"a=1; b=2"}) == "a=1; b=2");
    CHECK(cookie({"a=1", "b=2"}) == "a=1; b=2");
    CHECK(cookie({"atoll_session=S"}) == "(unset)");
    CHECK(cookie({"atoll_form=S; atoll_session=S"}) == "(unset)");
    CHECK(cookie({"a=1;atoll_session=S;b=2"}) == "a=1; b=2");
    CHECK(cookie({"a=1", " atoll_session = S ", "b=2"}) == "a=1; b=2");
    CHECK(cookie({"atoll_session"}) == "(unset)");
    CHECK(cookie({"xatoll_session=1; atoll_sessions=2"}) == "xatoll_session=1; atoll_sessions=2");
    CHECK(cookie({";;  ; a=1;"}) == "a=1");
}

TEST_CASE_METHOD(Fixture, "the request's id is ours under each of its names") {
    request.fields.add("X-Request-Id", "forged");
    request.fields.add("x-request-id", "forged too");
    request.fields.add("Unique-Id", "sent");
    const auto found = variables();
    CHECK(found.at("REQUEST_ID") == "id-1");
    CHECK(found.at("UNIQUE_ID") == "id-1");
    CHECK(found.at("HTTP_X_REQUEST_ID") == "id-1");
    CHECK(found.at("HTTP_UNIQUE_ID") == "sent");
}

TEST_CASE_METHOD(Fixture, "an address of version 6 stands in brackets as the server's name") {
    target.serverName = "2001:db8::1";
    request.host = "";
    CHECK(variables().at("SERVER_NAME") == "[2001:db8::1]");
    request.host = "[2001:db8::2]";
    CHECK(variables().at("SERVER_NAME") == "[2001:db8::2]");
}

TEST_CASE_METHOD(Fixture, "over a unix socket the port is the scheme's") {
    ends.localPort = 0;
    CHECK(variables().at("SERVER_PORT") == "80");
    ends.secure = true;
    CHECK(variables().at("SERVER_PORT") == "443");
}

#include "harness/raw_client.h"
#include "harness/server.h"

#include <catch2/catch.hpp>

using namespace reef::e2e;

TEST_CASE("when the keeper is killed, everything ends with it") {
    Site site;
    Mailbox pids(site.beside("pids"));
    site.document("index.html", "x");
    site.island("hangs.sh", "#!/bin/sh\nsleep 100 &\necho $$ > " + pids.path() + "\nwait\n");
    site.island("stubborn.sh", "#!/bin/sh\ntrap '' TERM HUP INT\necho $$ > " + pids.path() +
                                   "\nwhile :; do sleep 1; done\n");
    Server server(site, Panel::on);
    const auto serverPid = server.serverPid();
    RawClient first(server.port());
    first.get("/cgi-bin/hangs.sh");
    RawClient second(server.port());
    second.get("/cgi-bin/stubborn.sh");
    RawClient idle(server.port());
    idle.get("/");
    idle.response();
    pids.line();
    pids.line();

    server.killKeeper();
    CHECK(server.leftovers().empty());
    CHECK_FALSE(exists(serverPid));
    CHECK(idle.closedByPeer());
    CHECK_THROWS(RawClient(server.port())); // nobody listens any more
}

TEST_CASE("a site can be served again at once after its keeper was killed") {
    Site site;
    site.document("index.html", "x");
    {
        Server server(site);
        server.killKeeper();
        CHECK(server.leftovers().empty());
    }
    Server server(site); // the control socket that was left behind is no obstacle
    CHECK(fetch(server.port(), "/").status == 200);
    CHECK(runAtoll({"status", site.directory()}).clean());
}

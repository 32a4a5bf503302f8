#include "harness/raw_client.h"
#include "harness/server.h"

#include <unistd.h>

#include <catch2/catch.hpp>

using namespace reef::e2e;

namespace {

/// An island and what it has started, which all ignore TERM; one is in a session of its own, and as
/// root they are another user than the server.
void stubbornFamily(Site& site, const Mailbox& pids) {
    if (::geteuid() == 0) site.config("user = \"61984\"\n");
    site.island("family.sh",
                "#!/bin/sh\ntrap '' TERM HUP INT\nsleep 100 &\nsetsid sh -c 'sleep 100 & "
                "wait' &\nsleep 0.1\necho up > " +
                    pids.path() + "\nwhile :; do sleep 1; done\n");
}

} // namespace

TEST_CASE(
    "when the keeper is killed, everything ends with it, also what ignores TERM and has left its "
    "group") {
    Site site;
    Mailbox pids(site.beside("pids"));
    stubbornFamily(site, pids);
    site.document("index.html", "x");
    Server server(site, Panel::on);
    const auto serverPid = server.serverPid();
    RawClient client(server.port());
    client.get("/cgi-bin/family.sh");
    RawClient idle(server.port());
    idle.get("/");
    idle.response();
    pids.line();

    server.killKeeper();
    CHECK(server.leftovers(Duration::zero()).empty()); // the guardian has waited for them
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

TEST_CASE("when the guardian is killed, the keeper ends everything") {
    Site site;
    Mailbox pids(site.beside("pids"));
    stubbornFamily(site, pids);
    Server server(site);
    RawClient client(server.port());
    client.get("/cgi-bin/family.sh");
    pids.line();
    server.killGuardian();
    CHECK(server.leftovers().empty());
    CHECK_THROWS(RawClient(server.port()));
}

#include "process/targets.h"
#include "process/zygote_protocol.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace reef;
using namespace reef::process;
using namespace std::chrono_literals;
using namespace std::string_view_literals;

namespace {

template<class Number>
void put(std::string& bytes, Number number) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string exited(std::uint32_t id, std::int32_t status, std::int64_t user = 0) {
    std::string bytes(1, '\3');
    put(bytes, id);
    put(bytes, status);
    put(bytes, user);
    put(bytes, std::int64_t{20});
    put(bytes, std::uint64_t{4096});
    return bytes;
}

std::string pair(char kind, std::uint32_t id, std::int32_t value) {
    std::string bytes(1, kind);
    put(bytes, id);
    put(bytes, value);
    return bytes;
}

} // namespace

TEST_CASE("a run is written as its fields, one behind the other") {
    const StringList arguments{"a"};
    const StringList environment{"A=1", "B="};
    ZygoteRun run;
    run.id = 7;
    run.standard = 6;
    run.cpuSeconds = 3;
    run.arguments = arguments.view();
    run.environment = environment.view();
    CHECK(zygotePacket(run) == "\0\7\0\0\0\6\3\0\0\0\0\0\0\0\1\0\0\0\2\0\0\0a\0"
                               "\2\0\0\0\7\0\0\0A=1\0B=\0"sv);
    CHECK(zygotePacket(ZygoteEnd{7, 2000}) == "\1\7\0\0\0\xd0\7\0\0"sv);
}

TEST_CASE("what a zygote says is read message by message") {
    const std::string packet =
        std::string(1, '\0') + pair(1, 5, 4711) + pair(2, 6, ESTALE) + exited(5, 0x300, 10);
    ByteView rest = bytesOf(packet);
    CHECK(std::holds_alternative<ZygoteReady>(takeZygoteAnswer(rest).value()));
    const auto started = std::get<Started>(takeZygoteAnswer(rest).value());
    CHECK(started.id == 5);
    CHECK(started.pid == 4711);
    const auto refused = std::get<ZygoteRefused>(takeZygoteAnswer(rest).value());
    CHECK(refused.id == 6);
    CHECK(refused.code == ESTALE);
    const auto end = std::get<Exited>(takeZygoteAnswer(rest).value());
    CHECK(end.exit == Exit{0x300, 10us, 20us, 4096});
    CHECK(rest.empty());
}

TEST_CASE("what a zygote may not say is malformed") {
    const std::string cases[] = {
        {},
        "\4",
        pair(1, 1, 0),     // no process
        pair(1, 1, -1),    // all processes, for kill(2)
        pair(2, 1, 0),     // refused without a reason
        exited(1, 0x137f), // stopped is no end
        exited(1, 0, -1),  // time that runs backwards
        pair(1, 1, 5).substr(0, 8),
        exited(1, 0).substr(0, 32),
    };
    for (const std::string& packet : cases) {
        ByteView rest = bytesOf(packet);
        const auto answer = takeZygoteAnswer(rest);
        CHECK_FALSE(answer);
        CHECK(rest.size() == packet.size());
    }
}

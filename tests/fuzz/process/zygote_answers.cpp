#include "fuzz.h"
#include "process/targets.h"
#include "process/zygote_protocol.h"

namespace reef::fuzz {

namespace {

void check(const process::ZygoteAnswer& answer) {
    if (const auto* started = std::get_if<process::Started>(&answer)) {
        require(started->pid > 0, "a process has a number");
    } else if (const auto* refused = std::get_if<process::ZygoteRefused>(&answer)) {
        require(refused->code > 0, "a refusal has a reason");
    } else if (const auto* exited = std::get_if<process::Exited>(&answer)) {
        const process::Exit& exit = exited->exit;
        require(exit.userTime.count() >= 0 && exit.systemTime.count() >= 0, "time passes");
        require((exit.code() >= 0) != (exit.signal() != 0), "an end is by exit or by signal");
    }
}

} // namespace

void zygoteAnswers(std::string_view input) {
    const ExactCopy copy(input);
    for (ByteView rest = copy.view(); !rest.empty();) {
        const std::size_t before = rest.size();
        const auto answer = process::takeZygoteAnswer(rest);
        if (!answer) {
            require(rest.size() == before, "what is malformed is left alone");
            return;
        }
        require(rest.size() < before, "a message has bytes");
        check(*answer);
    }
}

} // namespace reef::fuzz

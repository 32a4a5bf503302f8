#include "app/application.h"
#include "app/server_main.h"
#include "base/log.h"
#include "base/text.h"

#include <stdexcept>
#include <string_view>

namespace {

/// The keeper starts the server as `atoll-server DIRECTORY SITE-LISTENERS --keeper-fd 3`.
int runAsServer(int argc, char** argv) {
    using namespace reef;
    if (argc < 3) return 2;
    auto config = app::readConfig(argv[1]);
    if (!config) {
        for (const auto& error : config.error())
            log::error("config", error.describe());
        return 2;
    }
    app::ServerStart start{std::move(*config),
                           static_cast<std::size_t>(text::parseDecimal(argv[2]).value_or(0))};
    return app::runServer(start);
}

/// libgcc sets itself up at the first throw, and not safely in two threads at once (static
/// binaries).
void throwOnce() {
    try {
        throw std::runtime_error("warm-up");
    } catch (const std::runtime_error&) {
        return;
    }
}

} // namespace

int main(int argc, char** argv) {
    throwOnce();
    if (argc > 0 && std::string_view(argv[0]) == "atoll-server") return runAsServer(argc, argv);
    return reef::app::runCommandLine(argc, argv);
}

#include "app/application.h"
#include "app/effective_config.h"
#include "app/server_main.h"

#include <stdexcept>
#include <string_view>

namespace {

/// The keeper starts the server as app::serverArguments says.
int runAsServer(int argc, char** argv) {
    using namespace reef;
    return app::runServer(app::serveOptionsOf({argv, argv + argc}));
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

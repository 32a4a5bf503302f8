#include "app/reload_command.h"

#include "app/config.h"
#include "app/control_client.h"

#include <Poco/Exception.h>
#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <cstdio>
#include <filesystem>

namespace reef::app {

namespace {

/// The sentences in {"errors": [...]}.
std::vector<std::string> errorsIn(const std::string& answer) {
    std::vector<std::string> errors;
    try {
        Poco::JSON::Parser parser;
        const auto root = parser.parse(answer).extract<Poco::JSON::Object::Ptr>();
        const auto list = root->getArray("errors");
        for (std::size_t i = 0; !list.isNull() && i != list->size(); ++i)
            errors.push_back(list->getElement<std::string>(static_cast<unsigned>(i)));
    } catch (const Poco::Exception& error) {
        errors.push_back("the server's answer cannot be read: " + error.displayText());
    }
    return errors;
}

} // namespace

int reloadSite(const std::string& directory) {
    std::error_code failed;
    Config place; // where the socket is; the file itself is for the server to read
    place.directory = std::filesystem::canonical(directory, failed).string();
    const auto answer = askServer(place.controlSocket(), "POST", "/reload");
    if (!answer) {
        const bool nobody = answer.error() == Error::notFound;
        std::fprintf(stderr, "atoll: %s: %s\n", directory.c_str(),
                     nobody ? "no server runs there" : answer.error().describe().c_str());
        return 1;
    }
    const auto errors = errorsIn(*answer);
    for (const std::string& error : errors)
        std::fprintf(stderr, "atoll: %s\n", error.c_str());
    if (!errors.empty()) {
        std::fputs("atoll: nothing has changed; the server goes on as before\n", stderr);
        return 1;
    }
    std::puts("reloaded: atoll.toml is in force");
    return 0;
}

} // namespace reef::app

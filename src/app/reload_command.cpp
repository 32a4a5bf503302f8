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

struct Answer {
    std::vector<std::string> errors;
    std::vector<std::string> notes;
};

std::vector<std::string> sentencesIn(const Poco::JSON::Object& object, const char* key) {
    std::vector<std::string> sentences;
    const auto list = object.getArray(key);
    for (std::size_t i = 0; !list.isNull() && i != list->size(); ++i)
        sentences.push_back(list->getElement<std::string>(static_cast<unsigned>(i)));
    return sentences;
}

/// {"errors": [...], "notes": [...]}
Answer parsed(const std::string& text) {
    Answer answer;
    try {
        Poco::JSON::Parser parser;
        const auto root = parser.parse(text).extract<Poco::JSON::Object::Ptr>();
        answer.errors = sentencesIn(*root, "errors");
        answer.notes = sentencesIn(*root, "notes");
    } catch (const Poco::Exception& error) {
        answer.errors.push_back("the server's answer cannot be read: " + error.displayText());
    }
    return answer;
}

} // namespace

int reloadSite(const std::string& directory) {
    std::error_code failed;
    Config place; // where the socket is; the file itself is for the server to read
    place.directory = std::filesystem::canonical(directory, failed).string();
    if (failed) {
        std::fprintf(stderr, "atoll: cannot use the directory %s: %s\n", directory.c_str(),
                     failed.message().c_str());
        return 1;
    }
    const auto answer = askServer(place.controlSocket(), "POST", "/reload");
    if (!answer) {
        const bool nobody = answer.error() == Error::notFound;
        std::fprintf(stderr, "atoll: %s: %s\n", place.directory.c_str(),
                     nobody ? "no server runs there"
                            : ("its server did not answer: " + answer.error().describe()).c_str());
        return 1;
    }
    const auto [errors, notes] = parsed(*answer);
    for (const std::string& error : errors)
        std::fprintf(stderr, "atoll: %s\n", error.c_str());
    if (!errors.empty()) {
        std::fputs("atoll: nothing has changed; the server goes on as before\n", stderr);
        return 1;
    }
    std::puts("reloaded: atoll.toml is in force");
    for (const std::string& note : notes)
        std::printf("but %s\n", note.c_str());
    return 0;
}

} // namespace reef::app

#include "app/reload_command.h"

#include "app/control_client.h"
#include "app/site_place.h"

#include <Poco/Exception.h>
#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>

#include <cstdio>

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
    const auto place = placeOf(directory);
    if (!place) return 1;
    const auto answer = askServer(place->controlSocket(), "POST", "/reload");
    if (!answer) return noServer(*place, answer.error());
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

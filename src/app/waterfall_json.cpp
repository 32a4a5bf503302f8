// Reads what the server tells of pages.
// clang-format off: the header that this is a part of comes first
#include "app/waterfall.h"
// clang-format on

#include <Poco/DateTimeFormatter.h>
#include <Poco/Exception.h>
#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>
#include <Poco/JSON/Parser.h>
#include <Poco/Timestamp.h>

namespace reef::app {

namespace {

using Poco::JSON::Object;
using Time = PageCourse::Time;

template<class Number>
Number numberIn(const Object& object, const char* key) {
    return static_cast<Number>(object.getValue<Poco::UInt64>(key));
}

std::optional<Time> timeIn(const Object& object, const char* key) {
    if (object.isNull(key)) return std::nullopt;
    return Time(numberIn<Time::rep>(object, key));
}

PageCourse::Part partIn(const Object& object) {
    PageCourse::Part part;
    part.target = object.getValue<std::string>("target");
    part.depth = numberIn<std::size_t>(object, "depth");
    part.status = numberIn<int>(object, "status");
    part.source = object.getValue<std::string>("source");
    part.attempts = numberIn<unsigned>(object, "attempts");
    part.failed = numberIn<unsigned>(object, "failed") != 0;
    part.standsIn = numberIn<unsigned>(object, "standsIn") != 0;
    part.bytes = numberIn<std::uint64_t>(object, "bytes");
    part.read = timeIn(object, "read").value_or(Time(0));
    part.admitted = timeIn(object, "admitted");
    if (!part.admitted) part.admitted = timeIn(object, "begun");
    part.firstByte = timeIn(object, "firstByte");
    part.ended = timeIn(object, "ended");
    part.why = object.getValue<std::string>("why");
    part.lastError = object.getValue<std::string>("lastError");
    return part;
}

PageCourse pageIn(const Object& object) {
    PageCourse page;
    page.target = object.getValue<std::string>("target");
    const Poco::Timestamp when(numberIn<Poco::Timestamp::TimeVal>(object, "when") * 1000);
    page.when = Poco::DateTimeFormatter::format(when, "%Y-%m-%d %H:%M:%S");
    page.status = numberIn<int>(object, "status");
    page.bytes = numberIn<std::uint64_t>(object, "bytes");
    page.complete = numberIn<unsigned>(object, "complete") != 0;
    page.head = timeIn(object, "head");
    page.ended = timeIn(object, "ended").value_or(Time(0));
    page.untraced = numberIn<std::size_t>(object, "untraced");
    const auto parts = object.getArray("fragments");
    for (std::size_t i = 0; i != parts->size(); ++i)
        page.parts.push_back(partIn(*parts->getObject(static_cast<unsigned>(i))));
    return page;
}

Object::Ptr parsed(const std::string& json) {
    Poco::JSON::Parser parser;
    return parser.parse(json).extract<Object::Ptr>();
}

} // namespace

std::optional<Explanation> readExplanation(const std::string& json) {
    try {
        const auto root = parsed(json);
        Explanation explanation;
        explanation.status = numberIn<int>(*root, "status");
        explanation.bytes = numberIn<std::uint64_t>(*root, "bytes");
        explanation.took = Time(numberIn<Time::rep>(*root, "took"));
        explanation.why = root->getValue<std::string>("why");
        if (!root->isNull("page")) explanation.page = pageIn(*root->getObject("page"));
        return explanation;
    } catch (const Poco::Exception&) {
        return std::nullopt; // the caller says that it cannot be read
    }
}

std::optional<std::vector<PageCourse>> readPages(const std::string& json) {
    try {
        std::vector<PageCourse> pages;
        const auto list = parsed(json)->getArray("pages");
        for (std::size_t i = 0; i != list->size(); ++i)
            pages.push_back(pageIn(*list->getObject(static_cast<unsigned>(i))));
        return pages;
    } catch (const Poco::Exception&) {
        return std::nullopt;
    }
}

} // namespace reef::app

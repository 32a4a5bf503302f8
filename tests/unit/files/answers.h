#pragma once

#include "compose/fakes.h"
#include "files/file_response.h"
#include "io/loop.h"
#include "scratch.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

namespace reef::test {

/// What a client got.
struct Answer {
    http::Handled handled;
    int status = 0;
    std::string content;
    std::vector<std::string> fields;
    std::vector<std::string> calls;

    std::string field(const std::string& name) const {
        for (const std::string& line : fields) {
            if (line.starts_with(name + ": ")) return line.substr(name.size() + 2);
        }
        return {};
    }
};

using Fields = std::vector<std::pair<std::string, std::string>>;

/// A document root with a cache on a loop that is turned by hand, asked by one client at a time.
struct FileSite {
    FileSite() {
        root.emplace(files::DocumentRoot::open(scratch.path().string(), {"index.html"}).value());
        cache.emplace(loop, *root, &pool);
    }

    void put(const std::string& name, const std::string& content) const {
        writeContent(scratch.path() / name, content);
    }

    /// Sets the time of a file's last change, in seconds since 1970.
    void setTime(const std::string& name, std::time_t time) const {
        const timespec times[] = {{time, 0}, {time, 0}};
        REQUIRE(::utimensat(AT_FDCWD, (scratch.path() / name).c_str(), times, 0) == 0);
    }

    /// The next turn of the loop, after the pause that follows a change.
    void rest() {
        ::usleep(25'000);
        turn();
    }
    void turn() {
        loop.post([] {});
        loop.turn();
    }

    Answer ask(const std::string& path, const Fields& fields = {},
               http::Method method = http::Method::get) {
        PageRequest page(path);
        page.request.method = method;
        for (const auto& [name, value] : fields)
            page.request.fields.add(name, value);
        turn();
        auto document = cache->find(page.request.path);
        REQUIRE(document);
        return outcomeOf([&](http::ResponseSink& sink) {
            return files::sendDocument(page.request, sink, std::move(*document), options);
        });
    }

    template<class Call>
    Answer outcomeOf(Call call) {
        RecordingSink sink;
        std::optional<http::Handled> handled;
        coro::Scope scope;
        scope.start(run(call(sink), handled));
        while (!handled)
            turn();
        return {*handled, sink.status, sink.content, sink.fields, sink.calls};
    }

    static Task<void> run(Task<http::Handled> call, std::optional<http::Handled>& handled) {
        handled = co_await std::move(call);
    }

    Scratch scratch;
    io::Loop loop;
    http::CompressorPool pool;
    std::optional<files::DocumentRoot> root;
    std::optional<files::FileCache> cache;
    files::FileOptions options;
};

} // namespace reef::test

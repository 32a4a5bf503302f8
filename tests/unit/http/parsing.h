#pragma once

#include "http/request_parser.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace reef::http {

/// A request with everything it refers to, and the parser that fills it.
class ParsedHead {
public:
    explicit ParsedHead(HeadLimits limits = {}) : parser(limits) {}

    /// Gives the parser everything at once.
    Verdict whole(std::string_view bytes) {
        receive(bytes);
        return verdict = parser.parse({received_.get(), bytes.size()}, request);
    }

    /// Gives it in pieces that end at these offsets (and at the end), until the verdict is final.
    /// Each time the bytes lie elsewhere, in memory of exactly their size, and the former place is
    /// freed: so that the sanitizer sees a view that stayed behind and a look behind the end.
    Verdict pieces(std::string_view bytes, std::vector<std::size_t> ends) {
        ends.push_back(bytes.size());
        for (const std::size_t end : ends) {
            receive(bytes.substr(0, end));
            verdict = parser.parse({received_.get(), end}, request);
            if (verdict != Verdict::incomplete) break;
        }
        return verdict;
    }

    Verdict byteByByte(std::string_view bytes) {
        std::vector<std::size_t> ends;
        for (std::size_t end = 0; end < bytes.size(); ++end)
            ends.push_back(end);
        return pieces(bytes, ends);
    }

    /// 0 for complete, 1 for incomplete, else the status of the rejection.
    int status() const {
        if (verdict == Verdict::complete) return 0;
        return verdict == Verdict::incomplete ? 1 : parser.rejection().status;
    }

    Arena arena;
    EmptyBody body;
    Endpoints endpoints;
    Request request{arena, body, endpoints};
    RequestParser parser;
    Verdict verdict = Verdict::incomplete;

private:
    void receive(std::string_view bytes) {
        auto place = std::make_unique<char[]>(bytes.size());
        std::ranges::copy(bytes, place.get());
        received_ = std::move(place);
    }

    std::unique_ptr<char[]> received_;
};

} // namespace reef::http

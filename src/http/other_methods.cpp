#include "http/other_methods.h"

#include "base/text.h"

namespace reef::http {

Task<Handled> answerOtherMethod(Request& request, ResponseSink& sink, std::string_view allowed) {
    if (request.method == Method::other) co_return failWith(501, "a method that is unknown here");
    if (request.method != Method::options)
        co_return std::unexpected(Failure(405, text::concat("only ", allowed, " are answered here"))
                                      .with("Allow", std::string(allowed)));
    ResponseHead head(*request.arena, 204);
    head.fields.add("Allow", allowed);
    const auto sent = co_await sink.send(head, {});
    if (!sent) co_return failClient(sent.error());
    co_return Handled{};
}

} // namespace reef::http

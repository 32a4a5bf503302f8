#include "admin/answer.h"

#include <string>

namespace reef::admin {
namespace {

// No script-src: the panel has no script. What form-action and frame-ancestors forbid is not
// covered by default-src.
constexpr std::string_view kPolicy =
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'";

void addSecurity(http::HeaderList& fields) {
    fields.add("Content-Security-Policy", kPolicy);
    fields.add("X-Content-Type-Options", "nosniff");
    fields.add("X-Frame-Options", "DENY");
    // With no-referrer a browser sends `Origin: null` with our own forms (Fetch, 3.2), which no
    // check could tell from a stranger's. To other origins nothing is sent either way.
    fields.add("Referrer-Policy", "same-origin");
    fields.add("Cross-Origin-Opener-Policy", "same-origin");
    fields.add("Cross-Origin-Resource-Policy", "same-origin");
    fields.add("X-Robots-Tag", "noindex");
}

} // namespace

Answer answerWith(std::string body, int status) {
    Answer answer;
    answer.status = status;
    answer.body = std::move(body);
    return answer;
}

Answer redirectTo(Url place) {
    Answer answer;
    answer.status = 303;
    answer.location = place.text();
    return answer;
}

Task<http::Handled> sendAnswer(const Answer& answer, http::Request& request,
                               http::ResponseSink& sink) {
    const bool isAsset = !answer.asset.empty();
    const std::string retryAfter = std::to_string(answer.retryAfter.count());
    http::ResponseHead head(*request.arena, answer.status);
    head.fields.add("Content-Type", isAsset ? answer.assetType : "text/html; charset=utf-8");
    head.fields.add("Cache-Control", isAsset ? "public, max-age=31536000, immutable" : "no-store");
    addSecurity(head.fields);
    for (const std::string& cookie : answer.cookies)
        head.fields.add("Set-Cookie", cookie);
    if (!answer.location.empty()) head.fields.add("Location", answer.location);
    if (!answer.allow.empty()) head.fields.add("Allow", answer.allow);
    if (answer.retryAfter.count() > 0) head.fields.add("Retry-After", retryAfter);

    const ByteView content = bytesOf(isAsset ? answer.asset : std::string_view(answer.body));
    const auto sent = co_await http::sendPiece(sink, head, content);
    if (!sent) co_return http::failClient(sent.error());
    co_return http::Handled();
}

} // namespace reef::admin

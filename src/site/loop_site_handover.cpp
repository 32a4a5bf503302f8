// What an island leaves to its site to answer with.
// clang-format off: the header that this is a part of comes first
#include "site/loop_site.h"
// clang-format on

#include "base/text.h"
#include "compose/place.h"
#include "files/file_response.h"
#include "http/media_type.h"
#include "site/derived_request.h"
#include "site/fields_sink.h"
#include "site/maybe_compressed.h"

namespace reef::site {

namespace {

constexpr int kMaxRedirects = 10;

/// Of an island that sends the client on within the site, its cookies alone go with the answer.
http::HeaderList cookiesOf(const http::ResponseHead& head, Arena& memory) {
    http::HeaderList cookies(memory);
    for (const auto& [name, value] : head.fields)
        if (text::equalsIgnoreCase(name, "Set-Cookie")) cookies.add(name, value);
    return cookies;
}

} // namespace

Task<http::Handled> LoopSite::handOver(Errand errand, const gateway::Handover& handover) {
    if (errand.place != nullptr) errand.place->stepAside(); // what answers may need the permit
    switch (handover.to) {
    case gateway::Handover::To::localPath: {
        const auto cookies = cookiesOf(handover.head, *errand.request.arena);
        co_return co_await redirected(errand, handover.target, cookies, Asker::redirect);
    }
    case gateway::Handover::To::innerPath:
        co_return co_await redirected(errand, handover.target, handover.head.fields, Asker::inner);
    case gateway::Handover::To::file:
        break;
    }
    co_return co_await sendFile(errand, handover);
}

/// A file that an island has named goes out as documents do: with conditions, ranges, compressed.
Task<http::Handled> LoopSite::sendFile(Errand errand, const gateway::Handover& handover) {
    if (site_.isSource(handover.target))
        co_return http::failWith(502, "an island sends the source of a script");
    auto file = site_.sendable().open(handover.target);
    if (!file) co_return http::failWith(file.error().status, std::move(file.error().detail));
    DerivedRequest asked(errand.request, errand.place == nullptr
                                             ? DerivedRequest::Purpose::answer
                                             : DerivedRequest::Purpose::fragment);
    const auto& fields = handover.head.fields;
    if (fields.contains("Content-Encoding")) asked.request().fields.remove("Accept-Encoding");
    FieldsSink sink(asked.request(), errand.sink, fields);
    MaybeCompressed out(asked.request(), sink, errand.mayCompress(), services_);
    files::Document document;
    document.file = std::move(*file);
    files::FileOptions options;
    options.mediaTypes = site_.settings().mediaTypes;
    if (handover.head.status == 200)
        co_return co_await files::sendDocument(asked.request(), out.sink(), std::move(document),
                                               options);
    http::ResponseHead head(*asked.request().arena, handover.head.status);
    head.fields.add("Content-Type", http::mediaTypeOf(document.name()));
    co_return co_await files::sendContent(asked.request(), out.sink(), head, document);
}

Task<http::Handled> LoopSite::redirected(Errand errand, std::string_view location,
                                         const http::HeaderList& fields, Asker asker) {
    const http::Request& request = errand.request;
    if (request.lineage.redirects >= kMaxRedirects)
        co_return http::failWith(
            500, text::concat("more than ", kMaxRedirects, " local redirects in a row"));
    DerivedRequest next(request, errand.place == nullptr ? DerivedRequest::Purpose::answer
                                                         : DerivedRequest::Purpose::fragment);
    if (const auto fault = next.aimAt(location)) co_return http::failWith(502, *fault);
    next.request().lineage = request.lineage;
    ++next.request().lineage.redirects;
    if (errand.place != nullptr) co_return co_await answerWithin(next.request(), errand);
    if (fields.contains("Content-Encoding")) next.request().fields.remove("Accept-Encoding");
    FieldsSink sink(next.request(), errand.sink, fields);
    co_return co_await answer(next.request(), sink, asker);
}

/// A redirect within a page is followed by the rules for what a page includes.
Task<http::Handled> LoopSite::answerWithin(http::Request& request, Errand errand) {
    const auto policy = policyWithin(request);
    if (!policy) co_return std::unexpected(policy.error());
    if (errand.place->spec().page->byIsland) {
        auto refused = co_await refusalOfPart(*policy, request);
        if (refused) co_return std::unexpected(std::move(*refused));
    }
    co_return co_await dispatch(Errand(request, errand.sink, *policy, errand.place));
}

} // namespace reef::site

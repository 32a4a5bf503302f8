#include "files/file_response.h"

#include "base/text.h"
#include "files/selection.h"
#include "http/compressing_sink.h"
#include "http/path.h"

namespace reef::files {

Task<http::Handled> sendDocument(http::Request& request, http::ResponseSink& sink,
                                 Document document, const FileOptions& options) {
    const Selection selected(request, document, options);
    const Representation& what = selected.representation();
    if (!selected.compressedOnItsWay())
        co_return co_await sendRepresentation(request, sink, what, options.cacheControl);
    http::CompressingSink compressing(request, sink, *document.source->compressors());
    co_return co_await sendRepresentation(request, compressing, what, options.cacheControl);
}

Task<http::Handled> sendContent(http::Request& request, http::ResponseSink& sink,
                                const http::ResponseHead& head, const Document& document) {
    Representation what;
    what.name = document.name();
    what.size = document.size();
    if (document.cached) {
        what.content = document.cached->content.data();
    } else {
        what.file = document.file.descriptor.get();
    }
    co_return co_await sendPart(request, sink, head, what, {0, what.size});
}

Task<http::Handled> answerAbsence(http::Request& request, http::ResponseSink& sink,
                                  Absence absence) {
    switch (absence) {
    case Absence::notFound:
        co_return http::failWith(404);
    case Absence::noIndex:
        co_return http::failWith(404, "a directory without an index file");
    case Absence::forbidden:
        co_return http::failWith(403, "the server may not read the file");
    case Absence::unavailable:
        co_return http::failWith(503, "out of descriptors or memory");
    case Absence::addSlash:
        break;
    }
    Arena& memory = *request.arena;
    http::ResponseHead head(memory, 301);
    const std::string location = text::concat(http::encodePath(request.path), "/",
                                              request.hasQuery ? "?" : "", request.query);
    head.fields.add("Location", memory.copy(location));
    co_return co_await finished(sink.send(head, {}));
}

} // namespace reef::files

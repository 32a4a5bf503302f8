#pragma once

#include "files/document_root.h"
#include "files/entity_tag.h"
#include "files/file_cache.h"
#include "files/file_options.h"
#include "http/handler.h"

namespace reef::files {

/// Answers GET and HEAD with a file: type, length, validators, conditions (RFC 9110 13.2.2) and
/// ranges. Small files go out in one write with their head, large ones by sendfile.
///
/// A file whose type compresses goes out in a coding the client takes, and says `Vary:
/// Accept-Encoding` in any case. Best first:
/// - a sibling (page.html.br, .zst, .gz) that is not older than the file: a representation with its
///   own strong tag, ranges and all;
/// - a small file in memory, compressed once (zstd, gzip), just so;
/// - a larger one up to 8 MiB, compressed on its way: a weak tag, no length, no ranges. A request
///   for a range of such a file is answered out of the file as it is.
///
/// `options` outlives the task.
Task<http::Handled> sendDocument(http::Request& request, http::ResponseSink& sink,
                                 Document document, const FileOptions& options = kUsualFiles);

/// Sends the whole file behind a head that the caller made, without validators, conditions and
/// ranges.
Task<http::Handled> sendContent(http::Request& request, http::ResponseSink& sink,
                                const http::ResponseHead& head, const Document& document);

/// What the absence of a file means to the client: a redirect that adds the slash, or a failure.
Task<http::Handled> answerAbsence(http::Request& request, http::ResponseSink& sink,
                                  Absence absence);

} // namespace reef::files

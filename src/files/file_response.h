#pragma once

#include "files/document_root.h"
#include "files/file_cache.h"
#include "http/handler.h"

namespace reef::files {

/// Answers GET and HEAD with a file: type, length, validators, conditions (RFC 9110 13.2.2) and
/// ranges. Small files go out in one write with their head, large ones by sendfile.
Task<http::Handled> sendDocument(http::Request& request, http::ResponseSink& sink,
                                 Document document);

/// Sends the whole file behind a head that the caller made, without validators, conditions and
/// ranges.
Task<http::Handled> sendContent(http::Request& request, http::ResponseSink& sink,
                                const http::ResponseHead& head, const Document& document);

/// The strong entity tag of a file's state, with its quotes: changes with size, time and identity.
std::string entityTagOf(const OpenFile& file);

/// What the absence of a file means to the client: a redirect that adds the slash, or a failure.
Task<http::Handled> answerAbsence(http::Request& request, http::ResponseSink& sink,
                                  Absence absence);

} // namespace reef::files

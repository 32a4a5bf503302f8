#pragma once

#include "http/method.h"
#include "http/response.h"

#include <cstdint>

namespace reef::compose {

/// Which answers of a page's handler are composed. Never: 204, 206, 304 and encoded content.
enum class Compose : std::uint8_t {
    html, ///< those that say `text/html`; others pass through as they are
    all,  ///< all: it is a page by its name (`*.shtml`)
};

/// What is done with an answer.
enum class Treatment : std::uint8_t {
    compose,
    headOnly, ///< the head of a composed page, for HEAD: no directive is performed
    pass,     ///< not touched
};

Treatment treatmentOf(const http::ResponseHead& head, http::Method method, Compose which) noexcept;

/// The head of a page after composition: without length and without the fields that describe the
/// page's text before it (Content-Length, ETag, Last-Modified, Accept-Ranges, digests). Its fields
/// are views of `head`'s. Last-Modified stays if `keepsLastModified`.
http::ResponseHead pageHead(const http::ResponseHead& head, std::pmr::memory_resource& memory,
                            bool keepsLastModified = false);

} // namespace reef::compose

#pragma once

#include "http/compressing_sink.h"
#include "site/loop_services.h"

#include <optional>

namespace reef::site {

/// A sink, behind a compressor when the answer may be compressed and the client has said a word
/// about it. All that it is given outlives it.
class MaybeCompressed {
public:
    MaybeCompressed(const http::Request& request, http::ResponseSink& sink, bool allowed,
                    LoopServices& services)
        : plain_(sink) {
        // Without that field the answer is as it is, and costs no filter. A shared cache that keeps
        // it gives it to others uncompressed, which is right for all.
        if (allowed && request.fields.contains("Accept-Encoding"))
            smaller_.emplace(request, sink, services.compressors);
    }

    http::ResponseSink& sink() noexcept {
        return smaller_ ? static_cast<http::ResponseSink&>(*smaller_) : plain_;
    }

private:
    http::ResponseSink& plain_;
    std::optional<http::CompressingSink> smaller_;
};

} // namespace reef::site

#pragma once

#include "files/file_cache.h"
#include "files/file_options.h"
#include "files/representation.h"
#include "http/date.h"

#include <optional>

namespace reef::files {

/// Chooses what of a file a client is sent: the file as it is, or in one of its codings (RFC 9110
/// 12.1), and holds that as long as the answer needs it. `document` and `options` outlive it.
class Selection {
public:
    Selection(const http::Request& request, const Document& document, const FileOptions& options);
    Selection(const Selection&) = delete;
    Selection& operator=(const Selection&) = delete;

    const Representation& representation() const noexcept { return what_; }

    /// The representation is still to be compressed, and its tag is weak.
    bool compressedOnItsWay() const noexcept { return onItsWay_; }

private:
    void useFile(const OpenFile& file);
    void useStored(const StoredContent& stored);
    bool useSibling(const http::Request& request);
    void compress(const http::Request& request);

    const Document& document_;
    Representation what_;
    bool onItsWay_ = false;

    std::string entityTag_;
    std::optional<http::DateText> lastModified_;
    std::shared_ptr<const StoredContent> coded_;
    OpenFile codedFile_;
};

} // namespace reef::files

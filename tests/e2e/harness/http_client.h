#pragma once

#include "harness/response.h"

#include <Poco/Net/HTTPClientSession.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace reef::e2e {

/// A client that is not ours: POCO's HTTPClientSession, with one connection that is kept open.
/// Throws POCO's exceptions when an answer is cut or late.
class HttpClient {
public:
    using Fields = std::vector<std::pair<std::string, std::string>>;

    explicit HttpClient(std::uint16_t port, const std::string& host = "127.0.0.1");

    Response get(const std::string& target, const Fields& fields = {});
    Response head(const std::string& target, const Fields& fields = {});
    Response post(const std::string& target, const std::string& content,
                  const std::string& type = "application/x-www-form-urlencoded",
                  const Fields& fields = {});

    /// Any method. `chunked`: the content is sent in chunks, without a length.
    Response send(const std::string& method, const std::string& target, const Fields& fields,
                  const std::string& content, bool chunked = false);

private:
    Poco::Net::HTTPClientSession session_;
};

} // namespace reef::e2e

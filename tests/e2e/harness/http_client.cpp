#include "harness/http_client.h"

#include "harness/deadline.h"

#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/StreamCopier.h>
#include <Poco/Timespan.h>

namespace reef::e2e {

HttpClient::HttpClient(std::uint16_t port, const std::string& host) : session_(host, port) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(kPatience).count();
    session_.setTimeout(Poco::Timespan(static_cast<long>(seconds), 0));
    session_.setKeepAlive(true);
}

Response HttpClient::get(const std::string& target, const Fields& fields) {
    return send("GET", target, fields, {});
}

Response HttpClient::head(const std::string& target, const Fields& fields) {
    return send("HEAD", target, fields, {});
}

Response HttpClient::post(const std::string& target, const std::string& content,
                          const std::string& type, const Fields& fields) {
    Fields all = fields;
    all.emplace_back("Content-Type", type);
    return send("POST", target, all, content);
}

Response HttpClient::send(const std::string& method, const std::string& target,
                          const Fields& fields, const std::string& content, bool chunked) {
    Poco::Net::HTTPRequest request(method, target, Poco::Net::HTTPMessage::HTTP_1_1);
    for (const auto& [name, value] : fields)
        request.add(name, value);
    request.setChunkedTransferEncoding(chunked);
    if (!chunked && (!content.empty() || method == "POST" || method == "PUT"))
        request.setContentLength(static_cast<std::streamsize>(content.size()));
    session_.sendRequest(request) << content;

    Poco::Net::HTTPResponse answer;
    std::istream& body = session_.receiveResponse(answer);
    Response response;
    response.version = answer.getVersion();
    response.status = answer.getStatus();
    response.reason = answer.getReason();
    for (const auto& [name, value] : answer)
        response.fields.emplace_back(name, value);
    response.chunked = answer.getChunkedTransferEncoding();
    Poco::StreamCopier::copyToString(body, response.body);
    return response;
}

} // namespace reef::e2e

#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/units.hpp"
#include "wire/http_response.hpp"
#include "wire/target.hpp"

namespace scoville::wire {

struct Header {
  std::string name, value;
};

/// The bytes of a request: head with Host, Content-Length (where there is a body) and `headers`, then the body.
/// Accept-Encoding is never sent: a coded body cannot be timed.
std::string format_request(const std::string& method, const Url& url, const std::vector<Header>& headers,
                           const std::string& body);

struct FetchRequest {
  std::string method = "GET";
  std::string path;
  std::vector<Header> headers;
  std::string body;
  Nanos timeout = std::chrono::seconds(10);
};

struct Response {
  ResponseHead head;
  std::string body;
};

/// One request over a connection of its own, for everything that is not measured. Blocks. Follows no redirect.
/// Any status is a Response; an Error means that no whole response came.
Result<Response> fetch(const Target& target, const FetchRequest& request);

}  // namespace scoville::wire

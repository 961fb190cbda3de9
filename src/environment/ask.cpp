#include "environment/ask.hpp"

#include <algorithm>

namespace scoville::environment {
namespace {

Result<wire::Response> ask(wire::Target target, const std::vector<wire::Header>& headers, Nanos timeout,
                           std::string method, std::string_view api_path, std::string body) {
  wire::FetchRequest request;
  request.method = std::move(method);
  request.path = wire::join_api_path(target.url, api_path).path;
  request.headers = headers;
  request.headers.push_back({"Connection", "close"});
  if (!body.empty()) request.headers.push_back({"Content-Type", "application/json"});
  request.body = std::move(body);
  request.timeout = timeout;
  target.connect_timeout = std::min(target.connect_timeout, timeout);
  return wire::fetch(target, request);
}

}  // namespace

Get make_get(const wire::Target& target, std::vector<wire::Header> headers, Nanos timeout) {
  return [&target, headers = std::move(headers), timeout](std::string_view api_path) {
    return ask(target, headers, timeout, "GET", api_path, "");
  };
}

Post make_post(const wire::Target& target, std::vector<wire::Header> headers, Nanos timeout) {
  return [&target, headers = std::move(headers), timeout](std::string_view api_path, const std::string& body) {
    return ask(target, headers, timeout, "POST", api_path, body);
  };
}

}  // namespace scoville::environment

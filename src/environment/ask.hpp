#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "wire/fetch.hpp"

namespace scoville::environment {

/// One GET of an API path ("/v1/models") at the server. Any status is a Response; an Error means that none came.
using Get = std::function<Result<wire::Response>(std::string_view api_path)>;
/// One POST of JSON.
using Post = std::function<Result<wire::Response>(std::string_view api_path, const std::string& body)>;

/// The real ones: below the base URL of `target`, with these headers, no answer awaited longer than `timeout`.
/// `target` must outlive them.
Get make_get(const wire::Target& target, std::vector<wire::Header> headers, Nanos timeout);
Post make_post(const wire::Target& target, std::vector<wire::Header> headers, Nanos timeout);

}  // namespace scoville::environment

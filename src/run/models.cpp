#include "run/models.hpp"

#include <strings.h>

#include <algorithm>

#include "base/json.hpp"
#include "text/catalogue.hpp"

namespace scoville::run {
namespace {

using text::Msg;
using text::say;

std::string_view list_path(plan::Dialect dialect) {
  switch (dialect) {
    case plan::Dialect::ollama_chat:
    case plan::Dialect::ollama_generate:
      return "/api/tags";
    case plan::Dialect::tgi:
      return "/info";
    default:
      return "/v1/models";
  }
}

const json::value* member(const json::value* value, std::string_view key) {
  return value && value->is_object() ? value->get_object().if_contains(key) : nullptr;
}

const json::value* first_of(const json::value* list) {
  return list && list->is_array() && !list->get_array().empty() ? &list->get_array().front() : nullptr;
}

}  // namespace

std::vector<wire::Header> common_headers(const plan::RequestShape& shape) {
  std::vector<wire::Header> headers;
  const bool has_own = std::any_of(shape.headers.begin(), shape.headers.end(), [](const auto& each) {
    return strcasecmp(each.first.c_str(), "Authorization") == 0;
  });
  if (!shape.api_key.empty() && !has_own) headers.push_back({"Authorization", "Bearer " + shape.api_key});
  for (const auto& [name, value] : shape.headers) headers.push_back({name, value});
  return headers;
}

Result<wire::Response> get(const wire::Target& target, const plan::RequestShape& shape, std::string_view api_path) {
  wire::FetchRequest request;
  request.path = wire::join_api_path(target.url, api_path).path;
  request.headers = common_headers(shape);
  request.headers.push_back({"Connection", "close"});
  return wire::fetch(target, request);
}

Result<std::string> first_model(const wire::Target& target, const plan::RequestShape& shape) {
  const std::string_view path = list_path(shape.dialect);
  Result<wire::Response> answer = get(target, shape, path);
  if (!answer) return std::move(answer.error()).within(say(Msg::asking_for_models));
  if (answer->head.status != 200) {
    return Error{ErrorCode::not_found, say(Msg::models_refused, path, answer->head.status)};
  }
  json::error_code fault;
  const json::value body = json::parse(answer->body, fault);
  const json::value* root = fault ? nullptr : &body;
  const json::value* first = first_of(member(root, "data"));
  if (!first) first = first_of(member(root, "models"));
  const json::value* id = first ? member(first, "id") : member(root, "model_id");
  if (!id) id = member(first, "name");
  if (!id || !id->is_string()) return Error{ErrorCode::not_found, say(Msg::models_none, path)};
  return std::string(id->get_string());
}

}  // namespace scoville::run

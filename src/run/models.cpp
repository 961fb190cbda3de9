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

/// The JSON of an answer of 200; null for any other.
json::value answer_of(const wire::Target& target, const plan::RequestShape& shape, std::string_view path) {
  const Result<wire::Response> answer = get(target, shape, path);
  if (!answer || answer->head.status != 200) return nullptr;
  json::error_code fault;
  json::value body = json::parse(answer->body, fault);
  return fault ? json::value(nullptr) : body;
}

std::optional<std::uint32_t> tokens_at(const json::value* value) {
  if (!value || !value->is_int64()) return std::nullopt;
  const std::int64_t tokens = value->get_int64();
  if (tokens < 1 || tokens > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint32_t>(tokens);
}

}  // namespace

std::optional<std::uint32_t> context_of(const wire::Target& target, const plan::RequestShape& shape) {
  if (list_path(shape.dialect) != "/v1/models") return std::nullopt;
  const json::value models = answer_of(target, shape, "/v1/models");
  const json::value* list = member(&models, "data");
  for (const json::value& each : list && list->is_array() ? list->get_array() : json::array()) {
    const json::value* id = member(&each, "id");
    if (!id || !id->is_string() || id->get_string() != std::string_view(shape.model)) continue;
    if (const auto tokens = tokens_at(member(&each, "max_model_len"))) return tokens;
  }
  const json::value props = answer_of(target, shape, "/props");
  if (const auto tokens = tokens_at(member(member(&props, "default_generation_settings"), "n_ctx"))) return tokens;
  return tokens_at(member(&props, "n_ctx"));
}

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

Result<std::vector<std::string>> list_models(const wire::Target& target, const plan::RequestShape& shape) {
  const std::string_view path = list_path(shape.dialect);
  Result<wire::Response> answer = get(target, shape, path);
  if (!answer) return std::move(answer.error()).within(say(Msg::asking_for_models));
  const std::string where = wire::join_api_path(target.url, path).to_string();
  if (answer->head.status != 200) {
    return Error{ErrorCode::not_found, say(Msg::models_refused, where, answer->head.status)};
  }
  json::error_code fault;
  const json::value body = json::parse(answer->body, fault);
  const json::value* root = fault ? nullptr : &body;
  std::vector<std::string> ids;
  const auto add = [&](const json::value* id) {
    if (id && id->is_string()) ids.emplace_back(id->get_string());
  };
  const json::value* list = member(root, "data");
  if (!list) list = member(root, "models");
  if (list && list->is_array()) {
    for (const json::value& each : list->get_array())
      add(member(&each, "id") ? member(&each, "id") : member(&each, "name"));
  }
  add(member(root, "model_id"));
  if (ids.empty()) return Error{ErrorCode::not_found, say(Msg::models_none, where)};
  return ids;
}

Result<std::string> first_model(const wire::Target& target, const plan::RequestShape& shape) {
  Result<std::vector<std::string>> models = list_models(target, shape);
  if (!models) return models.error();
  return std::move(models->front());
}

}  // namespace scoville::run

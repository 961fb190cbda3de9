#include "dataset/tokenize_call.hpp"

#include "text/catalogue.hpp"

namespace scoville::dataset {

using text::Msg;
using text::say;

Result<json::value> post_json(const Post& post, const std::string& path, const json::value& body) {
  auto response = post(path, compact(body));
  if (!response) return std::move(response.error()).within(path);
  const int status = response->head.status;
  if (status < 200 || status > 299) return Error{ErrorCode::unsupported, say(Msg::tokenize_status, path, status)};
  boost::system::error_code broken;
  json::value answer = json::parse(response->body, broken);
  if (broken) return unexpected_answer(path);
  return answer;
}

json::array user_message(const std::string& prompt) { return {{{"role", "user"}, {"content", prompt}}}; }

Error unexpected_answer(const std::string& path) { return {ErrorCode::protocol, say(Msg::tokenize_unexpected, path)}; }

Result<std::int64_t> count_field(const json::value& answer, const std::string& path) {
  const json::object* fields = answer.if_object();
  const json::value* count = fields ? fields->if_contains("count") : nullptr;
  if (!count || !count->is_int64() || count->get_int64() <= 0) return unexpected_answer(path);
  return count->get_int64();
}

Result<std::int64_t> length_of(const json::value* tokens, const std::string& path) {
  if (!tokens || !tokens->is_array() || tokens->get_array().empty()) return unexpected_answer(path);
  return static_cast<std::int64_t>(tokens->get_array().size());
}

}  // namespace scoville::dataset

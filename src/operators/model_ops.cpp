#include "operators/model_ops.hpp"

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "base/json.hpp"
#include "text/catalogue/operators.hpp"

namespace scoville::operators {
namespace {

using text::OperatorsMsg;
using text::say;

ModelUse use_of(const Table& table, std::string model_type) {
  const auto family = std::find_if(table.families.begin(), table.families.end(),
                                   [&](const Family& each) { return each.name == model_type; });
  if (family == table.families.end()) return {std::move(model_type), false, table.decoder};
  return {std::move(model_type), true, family->parts};
}

Result<std::string> type_in(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  boost::system::error_code failed;
  const json::value parsed = json::parse(*text, failed);
  const json::value* type = !failed && parsed.is_object() ? parsed.as_object().if_contains("model_type") : nullptr;
  if (!type || !type->is_string()) {
    return Error{ErrorCode::invalid_argument, path + ": " + say(OperatorsMsg::no_model_type)};
  }
  return std::string(type->as_string());
}

}  // namespace

bool ModelUse::needs(const Operator& op) const {
  return std::any_of(op.uses.begin(), op.uses.end(),
                     [&](const std::string& use) { return std::find(parts.begin(), parts.end(), use) != parts.end(); });
}

Result<ModelUse> model_use(const Table& table, const std::string& what) {
  std::error_code failed;
  std::filesystem::path path(what);
  if (std::filesystem::is_directory(path, failed)) path /= "config.json";
  if (std::filesystem::exists(path, failed)) {
    Result<std::string> type = type_in(path.string());
    if (!type) return type.error();
    return use_of(table, std::move(*type));
  }
  ModelUse use = use_of(table, what);
  if (use.is_known) return use;
  std::string names;
  for (const Family& each : table.families) names += (names.empty() ? "" : ", ") + each.name;
  return Error{ErrorCode::invalid_argument, "--model " + what + ": " + say(OperatorsMsg::unknown_model, names)};
}

}  // namespace scoville::operators

#include "plan/dialect.hpp"

#include <algorithm>

namespace scoville::plan {

const std::vector<std::string_view>& dialect_names() {
  static const std::vector<std::string_view> names{
      "openai", "openai-completions", "ollama-chat",       "ollama-generate", "tgi",
      "triton", "openai-responses",   "openai-embeddings", "mindie",          "lmdeploy"};
  return names;
}

std::string_view name_of(Dialect dialect) { return dialect_names()[static_cast<std::size_t>(dialect)]; }

std::optional<Dialect> dialect_from(std::string_view name) {
  const auto& names = dialect_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Dialect>(found - names.begin());
}

bool takes_messages(Dialect dialect) { return takes_images(dialect) || dialect == Dialect::ollama_chat; }

bool takes_images(Dialect dialect) { return dialect == Dialect::openai || dialect == Dialect::openai_responses; }

bool names_model(Dialect dialect) {
  return dialect != Dialect::triton && dialect != Dialect::mindie && dialect != Dialect::lmdeploy;
}

bool makes_tokens(Dialect dialect) { return dialect != Dialect::openai_embeddings; }

}  // namespace scoville::plan

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::plan {

/// The API that a server speaks. The names are those of --dialect.
enum class Dialect {
  openai,
  openai_completions,
  ollama_chat,
  ollama_generate,
  tgi,
  triton,
  openai_responses,
  openai_embeddings,
  mindie,
  lmdeploy
};
std::string_view name_of(Dialect dialect);
std::optional<Dialect> dialect_from(std::string_view name);
/// By place in the enumeration.
const std::vector<std::string_view>& dialect_names();

/// A request holds messages, which the server's chat template makes a prompt of.
bool takes_messages(Dialect dialect);
/// Its messages may hold images.
bool takes_images(Dialect dialect);
/// Each request says which model, or which LoRA adapter, is to answer.
bool names_model(Dialect dialect);
/// An answer is text, made token by token. Embeddings are not.
bool makes_tokens(Dialect dialect);

}  // namespace scoville::plan

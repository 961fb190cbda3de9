#include "correctness/prompt_set.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dataset/jsonl.hpp"

namespace scoville::correctness {

const char* embedded_prompts();

namespace {
constexpr const char* kBuiltIn = "built-in 1";  // raised when data/correctness_prompts.jsonl changes
}

Result<PromptSet> read_prompts(const std::string& path, std::size_t most, bool takes_messages) {
  Result<dataset::JsonlPrompts> read =
      path.empty() ? dataset::JsonlPrompts::parse(kBuiltIn, embedded_prompts()) : dataset::JsonlPrompts::open(path);
  if (!read) return Error{ErrorCode::invalid_argument, read.error().message};
  PromptSet set;
  set.name = path.empty() ? kBuiltIn : path;
  set.hash = fmt::format("{:016x}", read->dataset_hash());
  set.warnings = read->warnings();
  for (std::size_t i = 0; i < std::min<std::size_t>(most, *read->size()); ++i) {
    set.prompts.push_back(read->make(i));
    if (!takes_messages && !set.prompts.back().messages_json.empty())
      return Error{ErrorCode::invalid_argument, text::say(text::Msg::prompts_need_chat, path)};
  }
  return set;
}

}  // namespace scoville::correctness

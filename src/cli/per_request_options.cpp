#include "cli/per_request_options.hpp"

#include <algorithm>

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kMostInputs = 4096;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

bool has_turns(const dataset::Workload* lengths) {
  const auto is_long = [](const dataset::WorkloadChain& chain) { return chain.turns.size() > 1; };
  return lengths && std::any_of(lengths->chains.begin(), lengths->chains.end(), is_long);
}

bool has_turns(const run::PromptPlan& plan) {
  if (has_turns(plan.generated.get())) return true;
  if (!plan.file) return false;
  const auto* dialogues = std::get_if<dataset::Dialogues>(&plan.file->content);
  const auto is_long = [](const dataset::Dialogue& row) { return row.turns.size() > 1; };
  return has_turns(plan.file->workload()) ||
         (dialogues && std::any_of(dialogues->rows.begin(), dialogues->rows.end(), is_long));
}

}  // namespace

void PerRequestOptions::declare(Parameters& parameters) {
  Parameter names{"--lora-modules", "NAMES", Msg::flag_lora_modules, "",
                  [this](std::string_view given) { return take_names(given); }};
  names.is_repeatable = names.takes_many = true;
  parameters.add(std::move(names));
  parameters.choice("--lora-assignment", Msg::flag_lora_assignment, {"random", "round-robin"}, "random",
                    [this](std::size_t place) {
                      adapters_.is_random = place == 0;
                      has_assignment_ = true;
                    });
  parameters.count("--random-batch-size", Msg::flag_batch_size, inputs_, 1, kMostInputs);
}

Status PerRequestOptions::take_names(std::string_view given) {
  const auto names = split(given, " ,");
  if (names.empty()) return usage(say(Msg::expected_adapters));
  adapters_.names.insert(adapters_.names.end(), names.begin(), names.end());
  return Done{};
}

Status PerRequestOptions::settle(run::PromptPlan& plan) const {
  if (has_assignment_ && adapters_.names.empty()) return usage(say(Msg::adapters_missing));
  if (!adapters_.names.empty() && plan.file && plan.file->batch())
    return usage(say(Msg::adapters_and_bodies, plan.file->name));
  if (inputs_ > 1 && (plan.file || plan.generated || plan.images.per_request > 0))
    return usage(say(Msg::batch_needs_random));
  plan.adapters = adapters_;
  plan.inputs_per_request = static_cast<std::uint32_t>(std::max<std::size_t>(1, inputs_));
  return Done{};
}

Status fits_dialect(const run::PromptPlan& prompts, plan::Dialect dialect) {
  const std::string_view name = plan::name_of(dialect);
  if (prompts.images.per_request > 0 && !plan::takes_images(dialect)) return usage(say(Msg::images_need_openai, name));
  if (!prompts.adapters.names.empty() && !plan::names_model(dialect)) return usage(say(Msg::adapters_need_model, name));
  if (prompts.inputs_per_request > 1 && plan::makes_tokens(dialect))
    return usage(say(Msg::batch_needs_embeddings, name));
  if (has_turns(prompts) && !plan::makes_tokens(dialect)) return usage(say(Msg::turns_need_text, name));
  return Done{};
}

}  // namespace scoville::cli

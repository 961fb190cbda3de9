#pragma once

#include <cstddef>

#include "cli/parameter.hpp"
#include "plan/dialect.hpp"
#include "run/prompt_making.hpp"

namespace scoville::cli {

/// The flags that say what each request carries beside its prompt: the name of a LoRA adapter, further texts.
class PerRequestOptions {
 public:
  void declare(Parameters& parameters);
  /// Fills adapters and inputs of `plan`, whose file has been read.
  Status settle(run::PromptPlan& plan) const;

 private:
  Status take_names(std::string_view given);

  dataset::Adapters adapters_;
  std::size_t inputs_ = 0;
  bool has_assignment_ = false;
};

/// What the prompts need and not every API has: images, adapters, several texts in a request, turns.
Status fits_dialect(const run::PromptPlan& prompts, plan::Dialect dialect);

}  // namespace scoville::cli

#pragma once

#include <atomic>
#include <string>

#include "dataset/prompt_source.hpp"
#include "run/runner.hpp"

namespace scoville::run {

/// One prompt again and again.
class FixedPrompt final : public dataset::PromptSource {
 public:
  explicit FixedPrompt(dataset::Prompt prompt) : prompt_(std::move(prompt)) {}
  dataset::Prompt make(std::uint64_t) const override { return prompt_; }
  text::Phrase describe() const override { return {"one prompt", "一条提示"}; }
  std::uint64_t dataset_hash() const override { return prompt_.hash; }

 private:
  dataset::Prompt prompt_;
};

/// Sends `requests` requests one after the other, over the same path as a bench run. A redirect (301, 302, 303, 307,
/// 308; five at most) is resolved first and changes `target`: the request that is measured goes to its end, body and
/// method kept. A redirect to another server takes the key out of `shape`: it was given for this one. Records in order.
Result<std::vector<event::RequestRecord>> run_single(wire::Target& target, const wire::TargetOptions& options,
                                                     const load::Dialect& dialect, plan::RequestShape& shape,
                                                     const plan::Timeouts& timeouts, const dataset::Prompt& prompt,
                                                     std::size_t requests, const std::atomic<bool>& stop);

}  // namespace scoville::run

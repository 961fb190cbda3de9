#pragma once

#include <cstdint>

#include "dataset/prompt_source.hpp"
#include "load/dialect.hpp"
#include "load/exchange.hpp"
#include "plan/bench_plan.hpp"
#include "wire/url.hpp"

namespace scoville::load {

/// Makes the bytes of a request: prompt, body, head. Pure, so that each thread makes its own as they are
/// needed and the first one leaves whatever the number of prompts. A header that the user gave takes the place of ours.
class RequestFactory {
 public:
  /// `url` is the generation URL itself, redirects resolved.
  RequestFactory(const Dialect& dialect, const plan::RequestShape& shape, const dataset::PromptSource& prompts,
                 wire::Url url);

  /// The first request of a chain.
  Prepared make(std::uint64_t index) const;
  /// The turn of `conversation` that is next.
  Prepared follow_up(const Conversation& conversation) const;
  const dataset::PromptSource& prompts() const { return prompts_; }

 private:
  Prepared prepared(const dataset::Prompt& prompt, std::uint64_t index) const;

  const Dialect& dialect_;
  const plan::RequestShape& shape_;
  const dataset::PromptSource& prompts_;
  wire::Url url_;
  std::string head_;  // all of it but Content-Length
};

}  // namespace scoville::load

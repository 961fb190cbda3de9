#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "event/request_record.hpp"
#include "load/dialect.hpp"
#include "wire/fetch.hpp"

namespace scoville::run {

/// One token that the server might have chosen, and ln of its probability.
struct TokenChance {
  std::string text;  ///< its bytes, which need not be whole characters
  double logprob = 0;
};

/// One token of an answer.
struct AnswerToken {
  std::string text;
  std::optional<double> logprob;  ///< empty: not told, or no number
  std::vector<TokenChance> top;   ///< the likeliest ones, as many as were told
};

/// All that one request brought.
struct Answer {
  event::Failure failure = event::Failure::none;
  int http_status = 0;       ///< 0: no head came
  std::string error, param;  ///< of a failed one: the server's words, and the member that it does not take
  std::string text, reasoning, finish_reason;
  std::vector<AnswerToken> tokens;  ///< empty where the server does not list them

  bool succeeded() const { return failure == event::Failure::none; }
};

/// Reads an answer of an OpenAI dialect: one JSON body, or an event stream where a server streams unasked. The text is
/// read as for a load; the lists of tokens are read here, away from the path that must be fast: chat's
/// {"content": [{token, bytes, logprob, top_logprobs}]}, completions' {"tokens", "token_logprobs", "top_logprobs"}.
///
/// A token is its `bytes` where they are told. Empty ones at the end (an end-of-text token that only some servers list)
/// are left out. Only choice 0 is looked at.
Answer read_answer(const load::Dialect& dialect, wire::Response response);

/// The answer of a request that got none.
Answer failed_answer(const Error& error);

}  // namespace scoville::run

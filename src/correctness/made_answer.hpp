#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "run/answer.hpp"

namespace scoville::correctness {

/// For tests: an answer of these tokens.
inline run::Answer answer_of(const std::vector<std::string>& tokens) {
  run::Answer answer;
  answer.http_status = 200;
  answer.finish_reason = "stop";
  for (const std::string& each : tokens) {
    answer.text += each;
    answer.tokens.push_back({each, std::nullopt, {}});
  }
  return answer;
}

/// A text whose tokens were not listed.
inline run::Answer text_answer(std::string text) {
  run::Answer answer;
  answer.http_status = 200;
  answer.finish_reason = "stop";
  answer.text = std::move(text);
  return answer;
}

inline run::Answer no_answer() {
  run::Answer answer;
  answer.http_status = 500;
  answer.failure = event::Failure::http_status;
  return answer;
}

}  // namespace scoville::correctness

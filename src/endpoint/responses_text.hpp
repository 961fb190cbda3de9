#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "endpoint/event_text.hpp"

namespace scoville::endpoint {

/// The text of one response in OpenAI's Responses API: events named by their type, or one JSON body. There is one
/// answer. Functions append to `out`, events as one chunk of the chunked coding.
class ResponsesText {
 public:
  ResponsesText(std::uint64_t number, std::int64_t created, std::string_view model);

  /// response.created, before everything.
  void created(std::string& out) const;
  /// response.output_text.delta, or response.reasoning_text.delta.
  void token(EventBuffer& out, const TokenEvent& event) const;
  /// response.completed; response.incomplete where the reason is "length". `usage` null: not told.
  void end(std::string& out, std::uint64_t tokens, std::string_view reason, const UsageCounts* usage,
           const std::optional<Truth>& truth) const;
  /// A whole body.
  void body(EventBuffer& out, std::string_view content, std::string_view reasoning, std::string_view reason,
            const UsageCounts* usage, const std::optional<Truth>& truth, std::optional<Instant> emit) const;

 private:
  /// The response object without its closing brace.
  std::string response(std::string_view status, std::string_view reason, std::string_view output,
                       const UsageCounts* usage) const;
  std::string ended(std::string_view reason, std::string_view output, const UsageCounts* usage) const;

  std::uint64_t number_;
  std::int64_t created_;
  std::string model_;  ///< as JSON
};

/// The body of an embeddings answer: so many vectors, made up by `seed`.
void embeddings_body(EventBuffer& out, std::string_view model, std::uint64_t vectors, std::uint64_t seed,
                     const UsageCounts* usage, const std::optional<Truth>& truth, std::optional<Instant> emit);

}  // namespace scoville::endpoint

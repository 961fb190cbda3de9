#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dataset/dataset.hpp"
#include "dataset/image_prompts.hpp"
#include "dataset/length_distribution.hpp"
#include "dataset/length_pairs.hpp"
#include "dataset/length_solver.hpp"
#include "dataset/lora_spread.hpp"
#include "dataset/prompt_source.hpp"
#include "dataset/token_counter.hpp"
#include "dataset/warning.hpp"

namespace scoville::run {

/// Where the prompts of a run come from: a file, lengths that were generated, or neither, for synthetic prompts.
struct PromptPlan {
  std::optional<dataset::LengthDistribution> input, output;  ///< of synthetic prompts
  std::optional<dataset::LengthPairs> pairs;                 ///< both together, instead
  dataset::ImageOptions images;                              ///< in each of those
  std::uint32_t inputs_per_request = 1;                      ///< so many of those in one request
  dataset::Adapters adapters;                                ///< spread over the requests, whatever their prompts

  std::shared_ptr<const dataset::Dataset> file;        ///< read before anybody was contacted
  std::shared_ptr<const dataset::Workload> generated;  ///< shared prefixes, conversations of synthetic text
  text::Phrase generated_description;
  std::optional<std::uint32_t> output_tokens;  ///< of every request of a file, instead of its own
  std::optional<std::uint32_t> context_limit;  ///< empty: what the server tells, if it does
  bool prunes_like_vllm = false;
  std::size_t rows = 0;         ///< that will be used: as many answers need a length
  Nanos think = Nanos::zero();  ///< between the turns of recorded conversations
  std::uint64_t seed = 0, salt = 0;
};

/// What making prompts needs of the server.
struct ServerAccess {
  std::string model;
  dataset::Api api = dataset::Api::chat;
  bool takes_images = true;
  dataset::Post post;                                                       ///< for its way to count tokens
  std::function<Result<std::int64_t>(const std::string& prompt)> usage_of;  ///< by one real generation
  std::function<std::optional<std::uint32_t>()> context;                    ///< what it tells
};

struct MadePrompts {
  std::unique_ptr<dataset::PromptSource> source;
  std::string token_method;  ///< how prompt lengths were made sure of; empty where they are as a file has them
  bool length_is_exact = false;
  std::int64_t fixed_tokens = 0;  ///< template, BOS and first word
  std::vector<dataset::Warning> warnings;
};

/// Makes the source. Asks the server for what it needs: lengths of words for text that is made here, lengths of answers
/// for conversations, its context for a file.
Result<MadePrompts> make_prompts(const PromptPlan& plan, const ServerAccess& server);

}  // namespace scoville::run

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/parameter.hpp"
#include "cli/per_request_options.hpp"
#include "dataset/dataset.hpp"
#include "run/prompt_making.hpp"

namespace scoville::cli {

/// A number that no run before had.
std::uint64_t fresh_salt();

/// The flags that say what is sent: synthetic prompts, or those of a file. vLLM's names where it has one.
class PromptOptions {
 public:
  void declare(Parameters& parameters);

  /// A file given by another flag than --dataset-path. Before settle().
  void set_file(std::string path) { path_ = std::move(path); }
  bool has_file() const { return !path_.empty(); }

  /// Reads the file and fills plan(). `requests`: how many were asked for, 0: nobody said.
  Status settle(std::uint64_t seed, std::size_t requests);

  /// Prompts of these lengths in place of those that the flags say. After settle().
  void send_lengths(std::shared_ptr<const dataset::Workload> lengths, text::Phrase description);

  const run::PromptPlan& plan() const { return plan_; }
  /// The limit of prompts that bring none; 0: all of them bring one, or none is wanted.
  std::uint32_t default_max_tokens() const;

  /// Lengths with recorded times, which can be replayed; null: there are none.
  const dataset::Workload* trace() const;
  bool is_shuffled() const { return is_shuffled_; }
  /// How many requests --gsp-prompts-per-group asks for; 0: it was not given.
  std::size_t default_requests() const { return default_requests_; }

 private:
  void declare_lengths(Parameters& parameters);
  void declare_file(Parameters& parameters);
  void declare_shapes(Parameters& parameters);
  void declare_prefixes(Parameters& parameters);

  Status check_synthetic() const;
  Status check_file() const;
  Status read_file();
  Status settle_lengths();
  void settle_prefixes(std::size_t requests);
  void settle_turns(std::size_t requests);
  bool makes_prefixes() const;
  bool has_prefix_flags() const;

  run::PromptPlan plan_;
  PerRequestOptions per_request_;
  std::string name_, path_;
  std::optional<dataset::LengthDistribution> turn_input_;
  std::optional<double> spread_;
  std::optional<Nanos> think_;
  std::size_t turns_ = 0, max_turns_ = 0, output_tokens_ = 0, context_limit_ = 0, images_ = 0;
  std::size_t prefix_tokens_ = 0, suffix_tokens_ = 0, prefixes_ = 0, prefix_output_ = 0, per_group_ = 0;
  std::size_t default_requests_ = 0;
  bool is_multi_turn_ = false, is_shuffled_ = false;
};

}  // namespace scoville::cli

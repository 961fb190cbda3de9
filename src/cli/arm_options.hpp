#pragma once

#include <array>
#include <string>
#include <vector>

#include "cli/system_options.hpp"
#include "cli/target_options.hpp"
#include "run/greedy.hpp"

namespace scoville::cli {

/// A server that has answered, and what is known of it.
struct ReadyArm {
  run::GreedyServer server;
  event::Fingerprint system;
};

/// The flags of a command that asks one or two servers the same: --base-url, --model, --api-key-file, --system and
/// --model-path for each, in order; --engine-arg and --b-engine-arg; the rest is the same for both.
class ArmOptions {
 public:
  /// `model_help`: what --model is for, where a command takes it for more than these servers.
  void declare(Parameters& parameters, text::Msg model_help = text::Msg::flag_arm_model);
  bool has_urls() const { return !urls_.empty(); }
  /// The first --model; empty: none.
  std::string only_model() const { return models_.empty() ? "" : models_.front(); }

  /// Whether they fit each other; reads the keys. Call once, before the rest.
  Status settle();
  std::size_t count() const { return urls_.size(); }
  plan::Dialect dialect() const { return targets_.front().shape.dialect; }

  /// Connects, finds the models, has each server complete a short generation, and learns what it is.
  /// ErrorCode::invalid_argument: a flag was at fault.
  Result<std::vector<ReadyArm>> open(const run::GreedyOptions& asking, std::uint32_t max_tokens) const;

 private:
  Status settle_counts() const;
  Result<ReadyArm> open_one(std::size_t place, const run::GreedyOptions& asking, std::uint32_t max_tokens) const;

  TargetOptions shared_;
  std::vector<std::string> urls_, models_, key_files_, system_files_, model_paths_;
  std::vector<TargetOptions> targets_;
  std::array<SystemOptions, 2> systems_;
};

}  // namespace scoville::cli

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/probe_options.hpp"
#include "numerics/judge.hpp"

namespace scoville::cli {

/// The side of `probe correctness` that asks a device, not servers: --save, --against, --evidence. It shares --model,
/// --seed and --json with the other side, which hands them in.
class DeviceCorrectness {
 public:
  void declare(Parameters& parameters);

  /// Whether any of its own flags that begin something was given.
  bool is_asked() const { return !save_.empty() || !against_.empty() || !evidence_.empty(); }

  struct Shared {
    std::string model;  ///< empty: the default
    std::uint64_t seed = 0;
    bool as_json = false;
  };
  Exit run(Shared shared);

 private:
  Status settle(const Shared& shared) const;
  Status take_baseline(Shared& shared);
  json::object params(const Shared& shared, const std::string& folder) const;
  Result<probe::Outcome> ask(const Shared& shared, const std::string& folder) const;
  Exit show_saved(const Shared& shared) const;
  Exit show_judgement(const Shared& shared, const std::string& folder) const;
  Exit show_evidence(const Shared& shared) const;

  ProbeOptions probe_;
  std::string save_, against_, dtype_ = "fp32", torchscript_, inputs_;
  std::vector<std::string> variants_, evidence_;
  std::size_t greedy_tokens_ = 16;
  bool one_layer_at_a_time_ = false;
  numerics::Rules rules_;
};

}  // namespace scoville::cli

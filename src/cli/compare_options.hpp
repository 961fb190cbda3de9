#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/command.hpp"
#include "cli/parameter.hpp"
#include "decide/comparison.hpp"
#include "decide/gate.hpp"
#include "report/comparison.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// The flags that say what a comparison is about, and when it fails: shared by `compare` and `duel`.
class CompareOptions {
 public:
  void declare(Parameters& parameters);
  /// --primary, --allow and --margin alone.
  void declare_shared(Parameters& parameters);

  const std::vector<std::string>& primary() const { return primary_; }
  const std::vector<std::string>& allowed() const { return gate_.allow; }
  std::optional<double> margin() const { return margin_; }

  /// Several candidates share one family. An error, in a sentence, where so many runs cannot serve it.
  Status check_family(decide::Design design, std::size_t candidates, std::size_t runs) const;

  /// Gates and compares each arm after the first with the first; looks up noise floors and the harness's health in
  /// `store` (null: nothing is known). The arms are taken over.
  Result<report::CompareView> compare(std::vector<decide::Arm> arms, decide::Design design,
                                      const store::RunStore* store) const;

  /// Refused, or slower where that fails: gate; no verdict on any declared metric: cannot_tell.
  Exit exit_of(const report::CompareView& view) const;

 private:
  Result<decide::Gate> check(const decide::Arm& base, const decide::Arm& candidate, const store::RunStore* store,
                             std::vector<dataset::Warning>& warnings) const;
  Status take_primary(std::string_view given);
  static Status take_keys(std::string_view given, const std::vector<std::string>& known,
                          std::vector<std::string>& keys);

  std::vector<std::string> primary_{std::string(decide::kDefaultPrimary)};
  decide::GateOptions gate_;
  std::string accuracy_;  ///< of --accuracy; empty: the newest stored check is looked up
  std::optional<double> margin_;
  bool has_primary_ = false, fails_on_slower_ = false;
};

}  // namespace scoville::cli

#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "cli/parameter.hpp"
#include "cli/store_options.hpp"
#include "cli/target_options.hpp"
#include "launch/preset.hpp"

namespace scoville::cli {

/// The flags that say which engine is started for a measurement, and how: shared by every command that can start one.
class LaunchOptions {
 public:
  void declare(Parameters& parameters);

  /// Puts the command together, and checks what one flag alone cannot. Call before target.settle(): where the command
  /// takes a port and no flag says which, `target` is given one.
  Status settle(TargetOptions& target, std::size_t repeats);

  /// Settings of a sweep: with a preset as --launch-set says them, else in place of {NAME} in --launch. Before
  /// settle().
  Status vary(const std::vector<std::pair<std::string, std::string>>& settings);

  bool is_wanted() const { return !given_.empty() || preset_; }
  /// --launch-preset list: show them, and do nothing else.
  bool lists_presets() const { return lists_; }
  bool is_per_run() const { return is_per_run_; }
  bool chooses_port() const { return chooses_port_; }

  const std::string& given() const { return given_; }  ///< of --launch; empty: a preset's
  const std::optional<launch::Preset>& preset() const { return preset_; }
  /// The whole command, its places ({port}, {host}, {model}) not filled.
  const std::vector<std::string>& words() const { return words_; }
  /// What is added to our environment: the preset's, then the user's.
  const std::vector<std::pair<std::string, std::string>>& environment() const { return environment_; }
  const std::string& ready_path() const { return ready_; }
  Nanos ready_timeout() const { return ready_timeout_; }
  Nanos stop_timeout() const { return stop_timeout_; }
  /// --launch-log, else a file of this name in logs/ beside the store, or in the folder for temporary files where
  /// nothing is stored. Makes the folder.
  Result<std::string> log_path(const StoreOptions& store, const std::string& name) const;

 private:
  void declare_words(Parameters& parameters);
  Status take_preset(std::string_view given);
  Status take_file(std::string_view given);
  Status check_company() const;
  Status make_words(const TargetOptions& target);

  std::string given_, ready_, log_;
  std::optional<launch::Preset> preset_;
  std::vector<std::string> words_, arguments_;
  std::vector<std::string> misplaced_;  ///< flags given that mean nothing without an engine to start
  std::vector<std::pair<std::string, std::string>> sets_, variables_, environment_;
  int ways_ = 0;  ///< of saying what to start: one is enough
  Nanos ready_timeout_ = std::chrono::minutes(10), stop_timeout_ = std::chrono::seconds(15);
  bool lists_ = false, is_per_run_ = false, chooses_port_ = false;
};

/// The built-in presets as a table.
std::string preset_table();
/// The same as one object: {"presets": [{name, title, version, command, ready, environment, settings, confirmed,
/// sources}]}.
json::object preset_json();

}  // namespace scoville::cli

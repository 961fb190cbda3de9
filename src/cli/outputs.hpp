#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/load_options.hpp"
#include "cli/measured.hpp"
#include "cli/parameter.hpp"
#include "cli/target_options.hpp"
#include "report/vllm_json.hpp"

namespace scoville::cli {

/// The flags that say which files a run leaves, in which format. vLLM's names where it has one.
class OutputOptions {
 public:
  void declare(Parameters& parameters);

  /// An error for what one flag alone cannot tell.
  Status settle();

  /// Makes --result-dir, and looks whether every file will find its place: known before the run, not after it.
  Status prepare() const;

  /// Whether the answers are to be kept: a detailed result file holds them.
  bool keeps_text() const { return keeps_answers() || (is_detailed_ && has_vllm_file()); }
  /// Whether --offline-output was given.
  bool keeps_answers() const { return !answers_.empty(); }
  bool shows_progress() const { return !is_quiet_; }

  /// Writes all files. `own_json` is our object.
  Status write(const Measured& measured, const LoadOptions& load, const TargetOptions& target,
               const std::string& own_json) const;

  /// An error where a file was asked for that holds one run: then there can be no set.
  Status fits_repeats() const;
  /// Of a set: what each run adds to files in vLLM's format, and in the end our object.
  Status write_vllm(const Measured& measured, const LoadOptions& load, const TargetOptions& target) const;
  Status write_set(const std::string& own_json) const;

 private:
  enum class Format { json, vllm, csv };

  bool has_vllm_file() const;
  bool saves_result() const;
  Status take_metrics(std::string_view given);
  Status take_metadata(std::string_view given);
  Status write_answers(const Measured& measured, const LoadOptions& load) const;
  report::VllmExport about(const Measured& measured, const LoadOptions& load, const TargetOptions& target) const;
  Status put_vllm(const std::string& path, const std::string& object) const;

  std::string answers_, output_, output_json_, result_dir_, result_filename_, label_, tokenizer_;
  std::optional<Format> format_;
  bool saves_ = false, appends_ = false, is_detailed_ = false, is_quiet_ = false;
  std::vector<std::pair<std::string, std::string>> metadata_;
  std::vector<std::string> metrics_ = report::default_vllm_metrics();
};

}  // namespace scoville::cli

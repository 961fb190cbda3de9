#include "cli/outputs.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>

#include "base/file.hpp"
#include "report/batch_output.hpp"
#include "report/bench_csv.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

Status can_write(const char* flag, const std::string& path) {
  if (path.empty()) return Done{};
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    errno = EISDIR;
  else if (access(folder.c_str(), W_OK) == 0)
    return Done{};
  return Error{ErrorCode::io, say(Msg::cannot_write, flag, path, std::strerror(errno))};
}

/// Behind what the file holds already, on a line of its own.
Status append_line(const std::string& path, const std::string& line) {
  std::FILE* file = std::fopen(path.c_str(), "ab");
  if (!file) return Error{ErrorCode::io, path + ": " + std::strerror(errno)};
  const bool is_new = std::fseek(file, 0, SEEK_END) == 0 && std::ftell(file) == 0;
  const std::string text = (is_new ? "" : "\n") + line;
  const bool wrote = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (std::fclose(file) == 0 && wrote) return Done{};
  return Error{ErrorCode::io, path + ": " + std::strerror(errno)};
}

Nanos utc_offset(Nanos wall) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(wall).count();
  std::tm local{};
  return localtime_r(&seconds, &local) ? std::chrono::seconds(local.tm_gmtoff) : Nanos::zero();
}

}  // namespace

void OutputOptions::declare(Parameters& parameters) {
  parameters.under(Group::output);
  parameters.text("-o,--output", "FILE", Msg::flag_output, output_);
  parameters.choice("--format", Msg::flag_format, {"json", "vllm", "csv"}, "json",
                    [this](std::size_t place) { format_ = static_cast<Format>(place); });
  parameters.text("--output-json", "FILE", Msg::flag_output_json, output_json_);
  parameters.text("--offline-output", "FILE", Msg::flag_offline_output, answers_);
  parameters.toggle("--save-result", Msg::flag_save_result, saves_);
  parameters.text("--result-dir", "DIR", Msg::flag_result_dir, result_dir_);
  parameters.text("--result-filename", "FILE", Msg::flag_result_filename, result_filename_);
  parameters.toggle("--append-result", Msg::flag_append_result, appends_);
  parameters.toggle("--save-detailed", Msg::flag_save_detailed, is_detailed_);
  parameters.text("--label", "TEXT", Msg::flag_label, label_);
  Parameter metadata{"--metadata", "K=V", Msg::flag_metadata, "",
                     [this](std::string_view given) { return take_metadata(given); }};
  metadata.is_repeatable = metadata.takes_many = true;
  parameters.add(std::move(metadata));
  parameters.add({"--percentile-metrics", "LIST", Msg::flag_percentile_metrics, "ttft,tpot,itl",
                  [this](std::string_view given) { return take_metrics(given); }});
  parameters.toggle("--disable-tqdm", Msg::flag_disable_tqdm, is_quiet_);
  Parameter tokenizer{"--tokenizer", "NAME", Msg::word_tokenizer, "", [this](std::string_view given) -> Status {
                        tokenizer_ = given;
                        return Done{};
                      }};
  tokenizer.group = Group::others;
  tokenizer.note = Msg::word_tokenizer;
  parameters.add(std::move(tokenizer));
}

Status OutputOptions::take_metadata(std::string_view given) {
  const std::size_t mark = given.find('=');
  if (mark == 0 || mark == std::string_view::npos) return usage(say(Msg::expected_metadata));
  metadata_.emplace_back(given.substr(0, mark), given.substr(mark + 1));
  return Done{};
}

Status OutputOptions::take_metrics(std::string_view given) {
  const std::vector<std::string>& known = report::vllm_metrics();
  const auto refuse = [&] { return usage(say(Msg::expected_choice, fmt::format("{}", fmt::join(known, ", ")))); };
  metrics_.clear();
  while (!given.empty()) {
    const std::size_t comma = given.find(',');
    const std::string name(given.substr(0, comma));
    if (std::find(known.begin(), known.end(), name) == known.end()) return refuse();
    metrics_.push_back(name);
    given.remove_prefix(comma == std::string_view::npos ? given.size() : comma + 1);
  }
  return metrics_.empty() ? Status(refuse()) : Status(Done{});
}

Status OutputOptions::settle() {
  if (format_ && output_.empty()) return usage(say(Msg::format_without_output));
  return Done{};
}

bool OutputOptions::saves_result() const {
  const bool has_other = !output_json_.empty() || (!output_.empty() && format_ == Format::vllm);
  return saves_ || (appends_ && !has_other);
}

bool OutputOptions::has_vllm_file() const {
  return saves_result() || !output_json_.empty() || (!output_.empty() && format_ == Format::vllm);
}

Status OutputOptions::prepare() const {
  std::error_code fault;
  if (saves_result() && !result_dir_.empty()) std::filesystem::create_directories(result_dir_, fault);
  if (fault) return Error{ErrorCode::io, say(Msg::cannot_write, "--result-dir", result_dir_, fault.message())};
  if (const Status fits = can_write("--output", output_); !fits) return fits;
  if (const Status fits = can_write("--output-json", output_json_); !fits) return fits;
  if (const Status fits = can_write("--offline-output", answers_); !fits) return fits;
  if (!saves_result()) return Done{};
  const std::filesystem::path dir(result_dir_);
  return can_write("--save-result", (dir / (result_filename_.empty() ? "result.json" : result_filename_)).string());
}

report::VllmExport OutputOptions::about(const Measured& measured, const LoadOptions& load,
                                        const TargetOptions& target) const {
  report::VllmExport about;
  about.backend = target.backend();
  if (!label_.empty()) about.label = label_;
  about.model = target.model_id().empty() ? measured.shape.model : target.model_id();
  if (!tokenizer_.empty()) about.tokenizer = tokenizer_;
  about.metadata = metadata_;
  if (!plan::makes_tokens(measured.shape.dialect)) about.inputs_per_request = measured.shape.inputs;
  about.metrics = metrics_;
  about.percentiles = load.percentiles();
  about.limits = load.analysis().limits;
  about.is_detailed = is_detailed_;
  about.utc_offset = utc_offset(measured.subject.anchor.wall);
  return about;
}

Status OutputOptions::put_vllm(const std::string& path, const std::string& object) const {
  return appends_ ? append_line(path, object) : write_file(path, object);
}

Status OutputOptions::write(const Measured& measured, const LoadOptions& load, const TargetOptions& target,
                            const std::string& own_json) const {
  const Format format = format_.value_or(Format::json);
  if (!output_.empty() && format != Format::vllm) {
    const Result<std::string> content = format == Format::csv ? report::bench_csv(measured.result) : own_json;
    if (!content) return content.error();
    if (const Status put = write_file(output_, *content); !put) return put;
  }
  if (const Status put = write_answers(measured, load); !put) return put;
  return write_vllm(measured, load, target);
}

Status OutputOptions::write_answers(const Measured& measured, const LoadOptions& load) const {
  if (answers_.empty()) return Done{};
  const dataset::BatchPrompts* const batch = load.prompts().file->batch();
  const auto row_of = [&](std::uint64_t index) {
    if (!batch) return report::BatchRow{fmt::format("row-{}", index + 1), measured.shape.model};
    const std::string& own = batch->model_of(index);
    return report::BatchRow{batch->custom_id(index), own.empty() ? measured.shape.model : own};
  };
  const Result<std::string> lines = report::batch_output(measured.result, row_of);
  return lines ? write_file(answers_, *lines) : Status(lines.error());
}

Status OutputOptions::fits_repeats() const {
  const bool has_csv = (!output_.empty() && format_ == Format::csv) || keeps_answers();
  if (has_csv || (has_vllm_file() && !appends_)) return usage(say(Msg::repeats_one_run_formats));
  return Done{};
}

Status OutputOptions::write_set(const std::string& own_json) const {
  const bool is_wanted = !output_.empty() && format_.value_or(Format::json) == Format::json;
  return is_wanted ? write_file(output_, own_json) : Status(Done{});
}

Status OutputOptions::write_vllm(const Measured& measured, const LoadOptions& load, const TargetOptions& target) const {
  if (!has_vllm_file()) return Done{};
  const Format format = format_.value_or(Format::json);
  const report::VllmExport subject = about(measured, load, target);
  const Result<json::object> made = report::vllm_json(measured.result, measured.plan, subject);
  if (!made) return made.error();
  const std::string object = compact(*made);
  std::vector<std::string> paths;
  if (!output_.empty() && format == Format::vllm) paths.push_back(output_);
  if (!output_json_.empty()) paths.push_back(output_json_);
  if (saves_result()) {
    const std::string name =
        result_filename_.empty() ? report::vllm_file_name(measured.result, measured.plan, subject) : result_filename_;
    paths.push_back((std::filesystem::path(result_dir_) / name).string());
  }
  for (const std::string& path : paths) {
    if (const Status put = put_vllm(path, object); !put) return put;
  }
  return Done{};
}

}  // namespace scoville::cli

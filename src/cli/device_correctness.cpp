#include "cli/device_correctness.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/file.hpp"
#include "cli/stop.hpp"
#include "correctness/prompt_set.hpp"
#include "evidence/accuracy_evidence.hpp"
#include "numerics/run_folder.hpp"
#include "report/accuracy_evidence.hpp"
#include "report/numerics.hpp"
#include "text/catalogue/numerics.hpp"
#include "text/catalogue/probe.hpp"

namespace scoville::cli {
namespace {

using numerics::RunFolder;
using text::NumericsMsg;
using text::say;
namespace fs = std::filesystem;

Error usage(std::string words) { return {ErrorCode::invalid_argument, std::move(words)}; }

/// Where a run goes that nobody asked to keep.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "scoville-run-XXXXXX").string();
    if (mkdtemp(name.data())) path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code failed;
    if (!path_.empty()) fs::remove_all(path_, failed);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string absolute(const std::string& path) {
  std::error_code failed;
  const fs::path full = fs::absolute(path, failed);
  return failed ? path : full.string();
}

Parameter listed(std::string name, std::string value, NumericsMsg help, std::vector<std::string>& target) {
  return {std::move(name), std::move(value), help, "", [&target](std::string_view given) -> Status {
            if (given.empty()) return usage(say(text::Msg::expected_text));
            for (const std::string_view each : split(given, ",")) target.emplace_back(each);
            return Done{};
          }};
}

Exit exit_of(numerics::Outcome outcome) {
  switch (outcome) {
    case numerics::Outcome::ok:
      return Exit::fine;
    case numerics::Outcome::differs:
      return Exit::gate;
    default:
      return Exit::cannot_tell;
  }
}

/// A device that cannot run the model leaves open whether it computes right; one that is not there was not asked.
ErrorCode code_of(probe::Reason reason) {
  using enum probe::Reason;
  switch (reason) {
    case bad_request:
      return ErrorCode::invalid_argument;
    case no_tool:
    case no_device:
    case no_permission:
      return ErrorCode::io;
    default:
      return ErrorCode::unsupported;
  }
}

Exit fail(const Error& error) {
  complain(error.message);
  if (stop_requested()) return Exit::interrupted;
  if (error.code == ErrorCode::unsupported) return Exit::cannot_tell;
  return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
}

/// Two of the built-in prompts, beside the seeded inputs.
json::array prompts() {
  json::array out;
  const Result<correctness::PromptSet> set = correctness::read_prompts("", 2, false);
  if (!set) return out;
  for (const dataset::Prompt& each : set->prompts) out.push_back(json::string(each.text));
  return out;
}

std::vector<std::string> precision_names() {
  std::vector<std::string> names;
  for (const numerics::Tolerance& each : numerics::kTolerances) names.emplace_back(each.name);
  return names;
}

}  // namespace

void DeviceCorrectness::declare(Parameters& parameters) {
  probe_.declare(parameters);
  parameters.under(Group::target);
  parameters.text("--save", "FOLDER", NumericsMsg::flag_save, save_);
  parameters.text("--against", "FOLDER", NumericsMsg::flag_against, against_);
  parameters.choice("--dtype", NumericsMsg::flag_dtype, {"fp32", "bf16", "fp16", "fp64"}, "fp32",
                    [this](std::size_t i) {
                      static constexpr const char* kNames[]{"fp32", "bf16", "fp16", "fp64"};
                      dtype_ = kNames[i];
                    });
  parameters.choice("--layers", NumericsMsg::flag_layers, {"all", "one-at-a-time"}, "all",
                    [this](std::size_t i) { one_layer_at_a_time_ = i == 1; });
  parameters.add(listed("--variants", "LIST", NumericsMsg::flag_variants, variants_));
  parameters.count("--greedy-tokens", NumericsMsg::flag_greedy_tokens, greedy_tokens_, 0, 4096);
  parameters.text("--torchscript", "FILE", NumericsMsg::flag_torchscript, torchscript_);
  parameters.text("--inputs", "FILE", NumericsMsg::flag_inputs, inputs_);
  Parameter evidence = listed("--evidence", "FILE", NumericsMsg::flag_evidence, evidence_);
  evidence.set = [this](std::string_view given) -> Status {
    if (given.empty()) return usage(say(text::Msg::expected_text));
    evidence_.emplace_back(given);
    return Done{};
  };
  evidence.is_repeatable = true;
  parameters.add(std::move(evidence));
  parameters.under(Group::limits);
  parameters.choice("--tolerance", NumericsMsg::flag_tolerance, precision_names(), "",
                    [this](std::size_t i) { rules_.tolerance = numerics::kTolerances[i].precision; });
  parameters.toggle("--allow-fallback", NumericsMsg::flag_allow_fallback, rules_.allows_host_runs);
  parameters.under(Group::none);
}

Status DeviceCorrectness::settle(const Shared& shared) const {
  if (torchscript_.empty() != inputs_.empty()) return usage(say(NumericsMsg::torchscript_needs_inputs));
  if (!torchscript_.empty() && !shared.model.empty()) return usage(say(NumericsMsg::torchscript_or_model));
  if (!torchscript_.empty() && !variants_.empty()) return usage(say(NumericsMsg::torchscript_no_variants));
  for (const std::string& each : variants_) {
    if (each != "int8" && each != "fp8") return usage("--variants: " + say(NumericsMsg::unknown_variant, each));
  }
  std::error_code failed;
  if (!save_.empty() && fs::exists(save_, failed) && !fs::is_empty(save_, failed))
    return usage("--save: " + say(NumericsMsg::folder_in_use, save_));
  return Done{};
}

/// What is wrong with it shows before the device works, not after.
Status DeviceCorrectness::take_baseline(Shared& shared) {
  if (against_.empty()) return Done{};
  const auto usual = [](Error error) { return Error{ErrorCode::invalid_argument, "--against: " + error.message}; };
  const Result<RunFolder> base = RunFolder::open(against_);
  if (!base) return usual(base.error());
  if (const Status fine = base->verify(); !fine) return usual(fine.error());
  const numerics::Manifest& manifest = base->manifest();
  if (shared.model.empty() && torchscript_.empty()) {
    if (manifest.weights != "seeded") return usage(say(NumericsMsg::against_needs_model, manifest.model));
    shared.model = manifest.model;
  }
  shared.seed = manifest.seed;
  greedy_tokens_ = manifest.greedy_tokens;
  return Done{};
}

json::object DeviceCorrectness::params(const Shared& shared, const std::string& folder) const {
  json::object out{{"dtype", dtype_}, {"seed", shared.seed}, {"save", folder}, {"greedy_tokens", greedy_tokens_}};
  if (torchscript_.empty()) {
    const std::string model = shared.model.empty() ? "tiny" : shared.model;
    std::error_code failed;
    out["model"] = fs::is_directory(model, failed) ? absolute(model) : model;
  } else {
    out["torchscript"] = absolute(torchscript_);
    out["inputs"] = absolute(inputs_);
  }
  if (!against_.empty()) out["against"] = absolute(against_);
  if (against_.empty() && torchscript_.empty()) out["prompts"] = prompts();
  if (one_layer_at_a_time_) out["layers"] = "one_at_a_time";
  json::array variants;
  for (const std::string& each : variants_) variants.push_back(json::string(each));
  if (!variants.empty()) out["variants"] = std::move(variants);
  return out;
}

Result<probe::Outcome> DeviceCorrectness::ask(const Shared& shared, const std::string& folder) const {
  Result<std::unique_ptr<probe::Session>> session = probe_.open();
  if (!session) return session.error();
  probe::Outcome outcome = (*session)->ask(probe_.request("correctness", params(shared, absolute(folder))));
  if (outcome.ok()) return outcome;
  return Error{code_of(outcome.fault->reason), say(NumericsMsg::probe_failed, probe_.device(),
                                                   probe::name_of(outcome.fault->reason), outcome.fault->message)};
}

Exit DeviceCorrectness::show_saved(const Shared& shared) const {
  const Result<RunFolder> run = RunFolder::open(save_);
  if (!run) return fail(run.error());
  const std::string text =
      shared.as_json ? pretty(report::saved_json(run->side(), save_)) : report::saved_table(run->side(), save_);
  std::fputs(text.c_str(), stdout);
  return Exit::fine;
}

Exit DeviceCorrectness::show_judgement(const Shared& shared, const std::string& folder) const {
  const Result<RunFolder> base = RunFolder::open(against_), run = RunFolder::open(folder);
  if (!base) return fail(base.error());
  if (!run) return fail(run.error());
  const numerics::Judgement judgement = numerics::judge(base->side(), run->side(), rules_);
  const std::string text =
      shared.as_json ? pretty(report::numerics_json(judgement)) : report::numerics_table(judgement);
  std::fputs(text.c_str(), stdout);
  return exit_of(judgement.verdict.outcome);
}

Exit DeviceCorrectness::show_evidence(const Shared& shared) const {
  std::vector<evidence::FileText> files;
  for (const std::string& path : evidence_) {
    Result<std::string> text = read_file(path);
    if (!text) return fail(Error{ErrorCode::invalid_argument, text.error().message});
    files.push_back({path, std::move(*text)});
  }
  const Result<evidence::AccuracyEvidence> found = evidence::read_accuracy(files);
  if (!found) return fail(found.error());
  const std::string text =
      shared.as_json ? pretty(report::accuracy_evidence_json(*found)) : report::accuracy_evidence_table(*found);
  std::fputs(text.c_str(), stdout);
  const auto is_over = [](const evidence::ProbedRun& run) { return run.first_over().has_value(); };
  return std::any_of(found->layers.begin(), found->layers.end(), is_over) ? Exit::gate : Exit::fine;
}

Exit DeviceCorrectness::run(Shared shared) {
  catch_stop_signals();
  if (const Status settled = settle(shared); !settled) return fail(settled.error());
  if (!evidence_.empty()) return show_evidence(shared);
  if (const Status taken = take_baseline(shared); !taken) return fail(taken.error());
  const TemporaryFolder temporary;
  const std::string folder = save_.empty() ? temporary.path() : save_;
  const Result<probe::Outcome> asked = ask(shared, folder);
  if (!asked) return fail(asked.error());
  return against_.empty() ? show_saved(shared) : show_judgement(shared, folder);
}

}  // namespace scoville::cli

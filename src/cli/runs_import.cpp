#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/byte_size.hpp"
#include "base/file.hpp"
#include "base/run_id.hpp"
#include "base/sha256.hpp"
#include "cli/bundle_options.hpp"
#include "cli/external.hpp"
#include "cli/runs.hpp"
#include "cli/system_options.hpp"
#include "evidence/reader.hpp"

namespace scoville::cli {
namespace {

using report::StoredEvidence;
using text::Msg;
using text::say;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

json::array array_of(const std::vector<std::string>& words) {
  json::array out;
  for (const std::string& each : words) out.push_back(json::string(each));
  return out;
}

/// A bundle, or what was one before it was cut off: no tool's result is compressed so.
bool is_bundle(const std::string& path) {
  constexpr std::string_view magic = "\x28\xB5\x2F\xFD";
  std::error_code fault;
  if (!std::filesystem::is_regular_file(path, fault)) return false;
  std::string first(magic.size(), '\0');
  std::ifstream(path, std::ios::binary).read(first.data(), static_cast<std::streamsize>(first.size()));
  return first == magic;
}

/// The same for the same bytes read in the same way; `place`: which of the results of one file.
std::string subject_of(const evidence::ExternalResult& result, std::size_t place) {
  std::string all(name_of(result.tool));
  for (const evidence::SourceFile& each : result.files) all += " " + each.sha256;
  return sha256(all + " " + std::to_string(place));
}

/// `scoville runs import`: a bundle's runs into a store, or results of other tools beside them; all or none. The store
/// is touched only once all of the files have been found in order.
class RunsImport final : public Command {
 public:
  RunsImport() {
    Positional files{"FILE", Msg::external_word_file, [this](std::string_view given) -> Status {
                       files_.emplace_back(given);
                       return Done{};
                     }};
    files.takes_many = true;
    parameters_.add(std::move(files));
    parameters_.text("--tag", "NAME", Msg::external_flag_tag, tag_);
    parameters_.text("--system", "FILE", Msg::external_flag_system, system_file_);
    declare_max_bytes(parameters_, limits_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs import"; }
  Msg summary() const override { return Msg::external_import_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs import before.scov", "scoville runs import before.scov --store elsewhere.db --json",
            "scoville runs import vllm.json profile_export_aiperf.json --tag theirs --system gpu01.json"};
  }

  Exit run() override {
    const auto bundle = std::find_if(files_.begin(), files_.end(), is_bundle);
    if (bundle == files_.end()) return import_external();
    if (files_.size() > 1 || !tag_.empty() || !system_file_.empty()) {
      complain(say(Msg::external_bundle_alone, *bundle));
      return Exit::usage;
    }
    return import_runs();
  }

 private:
  Exit import_runs() {
    const std::string& file = files_.front();
    const Result<store::ImportReport> taken = take_bundle(file);
    if (!taken) return bundle_failed(taken.error());
    if (as_json_) {
      const json::object out{
          {"file", file}, {"imported", array_of(taken->imported)}, {"present", array_of(taken->present)}};
      std::fputs(pretty(out).c_str(), stdout);
      return Exit::fine;
    }
    if (!taken->imported.empty() || taken->present.empty())
      std::printf("%s\n", say(Msg::bundle_imported, taken->imported.size(), file).c_str());
    if (!taken->present.empty()) std::printf("%s\n", say(Msg::bundle_present, taken->present.size()).c_str());
    return Exit::fine;
  }

  Result<store::ImportReport> take_bundle(const std::string& file) {
    BundleLine line;
    const Result<store::BundleContents> verified = store::verify_bundle(file, limits_, line.progress());
    if (!verified) return verified.error();
    Result<store::RunStore> store = store_.open();
    if (!store) return store.error();
    return store::import_bundle(*store, *verified, limits_);
  }

  /// Results of one call, and the ids under which those of them are found that were there before.
  struct Taken {
    std::vector<StoredEvidence> imported, present;
  };

  Exit import_external() {
    SystemOptions system;
    system.set(system_file_, "");
    if (const Status fits = system.settle(); !fits) return failed(fits.error(), Exit::usage);
    Result<std::vector<evidence::ExternalResult>> results = read_files();
    if (!results) return failed(results.error(), Exit::failed);
    Result<Taken> taken = keep(std::move(*results), system);
    if (!taken)
      return failed(taken.error(), taken.error().code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed);
    tell(*taken);
    return Exit::fine;
  }

  static Exit failed(const Error& error, Exit exit) {
    complain(error.message);
    return exit;
  }

  Result<std::vector<evidence::ExternalResult>> read_files() const {
    std::vector<evidence::FileText> texts;
    for (const std::string& file : files_) {
      std::error_code fault;
      const bool is_there = std::filesystem::exists(file, fault);
      if (is_there && !std::filesystem::is_regular_file(file, fault))
        return usage(say(Msg::external_not_regular, file));
      if (is_there && std::filesystem::file_size(file, fault) > static_cast<std::uintmax_t>(limits_.unpacked))
        return usage(say(Msg::external_too_large, file, format_byte_size(limits_.unpacked)));
      Result<std::string> text = read_file(file);
      if (!text) return text.error();
      texts.push_back({file, std::move(*text)});
    }
    return evidence::read_results(texts);
  }

  Result<Taken> keep(std::vector<evidence::ExternalResult> results, const SystemOptions& options) {
    Result<store::RunStore> store = store_.open();
    if (!store) return store.error();
    if (const Status fits = check_external_tag(*store, tag_); !fits) return fits.error();
    Result<event::Fingerprint> system = options.read_system_file();
    if (!system) return system.error();
    Taken taken;
    std::vector<store::Finding> findings;
    for (std::size_t i = 0; i < results.size(); ++i) {
      const std::string subject = subject_of(results[i], i);
      const auto known = store->findings(kExternal, subject);
      if (!known) return known.error();
      StoredEvidence evidence{
          known->empty() ? new_run_id() : known->front().id, tag_, {}, *system, std::move(results[i])};
      if (known->empty()) findings.push_back(finding_of(evidence, subject));
      (known->empty() ? taken.imported : taken.present).push_back(std::move(evidence));
    }
    if (const Status added = store->add_findings(findings); !added) return added.error();
    return taken;
  }

  static std::string names_of(const evidence::ExternalResult& result) {
    std::string out;
    for (const evidence::SourceFile& each : result.files) out += (out.empty() ? "" : ", ") + each.name;
    return out;
  }

  void tell(const Taken& taken) const {
    if (as_json_) {
      const json::object out{{"schema", "scoville.imported/1"},
                             {"external", report::external_list_json(taken.imported)},
                             {"present", report::external_list_json(taken.present)}};
      std::fputs(pretty(out).c_str(), stdout);
      return;
    }
    for (const StoredEvidence& each : taken.imported)
      std::printf("%s\n", say(Msg::external_imported, names_of(each.result), say(Msg::external_result_word),
                              label(each.result.tool), each.id)
                              .c_str());
    for (const StoredEvidence& each : taken.present)
      std::printf("%s\n", say(Msg::external_present, names_of(each.result), each.id).c_str());
  }

  StoreOptions store_;
  std::vector<std::string> files_;
  std::string tag_, system_file_;
  store::BundleLimits limits_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_import() { return std::make_unique<RunsImport>(); }

}  // namespace scoville::cli

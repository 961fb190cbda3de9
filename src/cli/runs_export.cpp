#include <cstdio>

#include "base/byte_size.hpp"
#include "cli/bundle_options.hpp"
#include "cli/external.hpp"
#include "cli/runs.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville runs export`: runs into one file.
class RunsExport final : public Command {
 public:
  RunsExport() {
    parameters_.add(names_positional(names_));
    parameters_.text("-o,--output", "FILE", Msg::flag_bundle_output, file_);
    parameters_.toggle("--force", Msg::flag_force, replaces_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs export"; }
  Msg summary() const override { return Msg::runs_export_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs export before -o before.scov", "scoville runs export before after -o both.scov --force"};
  }

  Exit run() override {
    if (file_.empty()) {
      complain(say(Msg::bundle_needs_output));
      return Exit::usage;
    }
    const Result<store::BundleContents> written = write();
    if (!written) return bundle_failed(written.error());
    tell(*written);
    return Exit::fine;
  }

 private:
  static Error not_exported(const report::StoredEvidence& evidence) {
    std::string files;
    for (const evidence::SourceFile& each : evidence.result.files) files += (files.empty() ? "" : ", ") + each.name;
    return {ErrorCode::invalid_argument, say(Msg::external_not_exported, evidence.id, files)};
  }

  Result<store::BundleContents> write() const {
    const Result<store::RunStore> store = store_.open_for_reading();
    if (!store) return store.error();
    const Result<Named> named = find_named(*store, names_);
    if (!named) return named.error();
    if (!named->evidence.empty()) return not_exported(named->evidence.front());
    std::vector<std::string> ids;
    for (const store::RunInfo& each : named->runs) ids.push_back(each.id);
    BundleLine line;
    const auto existing = replaces_ ? NewFile::Existing::replaced : NewFile::Existing::kept;
    return store::export_bundle(*store, ids, file_, {existing, line.progress()});
  }

  void tell(const store::BundleContents& written) const {
    std::int64_t requests = 0, events = 0;
    json::array ids;
    for (const store::BundledRun& each : written.manifest.runs) {
      requests += each.info.requests;
      events += each.info.events;
      ids.push_back(json::string(each.info.id));
    }
    const auto bytes = static_cast<std::int64_t>(written.packed);
    if (as_json_) {
      const json::object out{{"file", file_},        {"bytes", bytes},   {"sha256", written.sha256},
                             {"requests", requests}, {"events", events}, {"runs", std::move(ids)}};
      std::fputs(pretty(out).c_str(), stdout);
      return;
    }
    const std::string told = say(Msg::bundle_exported, file_, ids.size(), requests, events, format_byte_size(bytes));
    std::printf("%s\n", told.c_str());
  }

  StoreOptions store_;
  std::vector<std::string> names_;
  std::string file_;
  bool replaces_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_export() { return std::make_unique<RunsExport>(); }

}  // namespace scoville::cli

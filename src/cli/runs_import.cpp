#include <cstdio>

#include "cli/bundle_options.hpp"
#include "cli/runs.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

json::array array_of(const std::vector<std::string>& words) {
  json::array out;
  for (const std::string& each : words) out.push_back(json::string(each));
  return out;
}

/// `scoville runs import`: a bundle's runs into a store, all or none. The store is touched only once all of the bundle
/// has been found in order.
class RunsImport final : public Command {
 public:
  RunsImport() {
    parameters_.add(plain_positional("BUNDLE", Msg::word_bundle, file_));
    declare_max_bytes(parameters_, limits_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs import"; }
  Msg summary() const override { return Msg::runs_import_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs import before.scov", "scoville runs import before.scov --store elsewhere.db --json"};
  }

  Exit run() override {
    const Result<store::ImportReport> taken = take();
    if (!taken) return bundle_failed(taken.error());
    if (as_json_) {
      const json::object out{
          {"file", file_}, {"imported", array_of(taken->imported)}, {"present", array_of(taken->present)}};
      std::fputs(pretty(out).c_str(), stdout);
      return Exit::fine;
    }
    if (!taken->imported.empty() || taken->present.empty())
      std::printf("%s\n", say(Msg::bundle_imported, taken->imported.size(), file_).c_str());
    if (!taken->present.empty()) std::printf("%s\n", say(Msg::bundle_present, taken->present.size()).c_str());
    return Exit::fine;
  }

 private:
  Result<store::ImportReport> take() {
    BundleLine line;
    const Result<store::BundleContents> verified = store::verify_bundle(file_, limits_, line.progress());
    if (!verified) return verified.error();
    Result<store::RunStore> store = store_.open();
    if (!store) return store.error();
    return store::import_bundle(*store, *verified, limits_);
  }

  StoreOptions store_;
  std::string file_;
  store::BundleLimits limits_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_import() { return std::make_unique<RunsImport>(); }

}  // namespace scoville::cli

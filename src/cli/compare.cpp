#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/run_id.hpp"
#include "cli/arms.hpp"
#include "cli/compare_options.hpp"
#include "cli/noise_floors.hpp"
#include "cli/runs.hpp"
#include "report/bench_report.hpp"
#include "store/bundle.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// `scoville compare`: stored measurements against each other, or one system against itself.
class Compare final : public Command {
 public:
  Compare() {
    Positional names{"NAME", Msg::compare_word_names, [this](std::string_view given) -> Status {
                       names_.emplace_back(given);
                       return Done{};
                     }};
    names.takes_many = true;
    parameters_.add(std::move(names));
    options_.declare(parameters_);
    parameters_.toggle("--paired", Msg::compare_flag_paired, is_paired_);
    parameters_.toggle("--aa", Msg::compare_flag_aa, is_aa_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "compare"; }
  Msg summary() const override { return Msg::compare_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville compare before after", "scoville compare before after --subject engine --primary tpot,ttft_p95",
            "scoville compare h20 910b mlu590 --primary output_tokens_per_s",
            "scoville compare nightly-old nightly-new --fail-on slower --json", "scoville compare --aa baseline"};
  }

  Exit run() override {
    if (const Status fits = check_names(); !fits) return failed(fits.error());
    std::optional<store::RunStore> store;
    if (const Status open = open_store(store); !open) return failed(open.error());
    Result<std::vector<decide::Arm>> arms = read_arms(store ? &*store : nullptr);
    if (!arms) return failed(arms.error());
    return is_aa_ ? measure_floor(store ? &*store : nullptr, *arms)
                  : compare(store ? &*store : nullptr, std::move(*arms));
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  Status check_names() const {
    if (is_aa_) return names_.size() <= 2 ? Status(Done{}) : Status(usage(say(Msg::compare_expected_aa)));
    if (names_.size() < 2) return usage(say(Msg::compare_expected_arms));
    if (is_paired_ && names_.size() > 2) return usage(say(Msg::compare_paired_two));
    for (std::size_t i = 1; i < names_.size(); ++i) {
      if (std::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(i), names_[i]) !=
          names_.begin() + static_cast<std::ptrdiff_t>(i))
        return usage(say(Msg::compare_same_name, names_[i]));
    }
    return Done{};
  }

  /// Bundles need no store of their own; where one is there, it is asked for noise floors all the same. One that may
  /// only be read will do for comparing: what is computed is then not kept.
  Status open_store(std::optional<store::RunStore>& out) const {
    Result<store::RunStore> store = open_existing(store_);
    if (!store && !is_aa_ && store.error().code != ErrorCode::not_found) {
      if (Result<store::RunStore> readable = store_.open_for_reading()) store = std::move(readable);
    }
    const bool needs_one = is_aa_ || !std::all_of(names_.begin(), names_.end(), store::looks_like_bundle);
    if (store) {
      out.emplace(std::move(*store));
    } else if (needs_one || store.error().code != ErrorCode::not_found) {
      return store.error();
    }
    return Done{};
  }

  Result<std::vector<decide::Arm>> read_arms(store::RunStore* store) const {
    std::vector<decide::Arm> out;
    for (const std::string& name : names_) {
      Result<decide::Arm> arm =
          store::looks_like_bundle(name) ? read_arm_of_bundle(name) : read_arm(*store, name, /*keeps=*/true);
      if (!arm) return arm.error();
      out.push_back(std::move(*arm));
    }
    return out;
  }

  Exit compare(const store::RunStore* store, std::vector<decide::Arm> arms) const {
    std::size_t fewest = arms.front().runs.size();
    for (const decide::Arm& each : arms) fewest = std::min(fewest, each.runs.size());
    const decide::Design design = is_paired_ ? decide::Design::paired : decide::Design::unpaired;
    if (is_paired_ && arms[0].runs.size() != arms[1].runs.size())
      return failed(usage(say(Msg::compare_paired_uneven, arms[0].runs.size(), arms[1].runs.size())));
    if (const Status serves = options_.check_family(design, arms.size() - 1, fewest); !serves)
      return failed(serves.error());
    const Result<report::CompareView> view = options_.compare(std::move(arms), design, store);
    if (!view) return failed(view.error());
    std::fputs(as_json_ ? pretty(report::comparison_json(*view)).c_str() : report::comparison_table(*view).c_str(),
               stdout);
    return options_.exit_of(*view);
  }

  /// What makes two measurements no A and A': anything refused, and any part of the system that is known to differ.
  static std::string differences(const std::vector<decide::Arm>& arms) {
    const decide::Arm& again = arms.back();
    const decide::Gate gate = decide::check(arms.front(), again);
    std::string differing;
    for (const auto* keys : {&gate.refused, &gate.differs}) {
      for (const std::string& key : *keys) differing += (differing.empty() ? "" : ", ") + key;
    }
    return differing;
  }

  Exit measure_floor(store::RunStore* store, const std::vector<decide::Arm>& arms) const {
    if (const std::string differing = differences(arms); !differing.empty()) {
      complain(say(Msg::aa_not_same, differing));
      return Exit::gate;
    }
    decide::NoiseFloor floor =
        arms.size() == 2 ? decide::measure_noise(arms[0], arms[1]) : decide::measure_noise(arms[0]);
    floor.load = report::describe_load(arms[0].setup.load);
    const std::string& client = arms[0].setup.client;
    if (!floor.floors.empty()) {
      const Status kept = store->add_finding({new_run_id(), kNoiseFloor, client, {}, decide::to_json(floor)});
      if (!kept) return failed(kept.error());
    }
    const auto known = read_floors(store, client);
    if (!known) return failed(known.error());
    const decide::HarnessHealth health = decide::judge_harness(*known, options_.primary().front());
    const std::string name = arms.size() == 2 ? names_[0] + ", " + names_[1] : names_[0];
    std::fputs(
        as_json_ ? pretty(report::noise_json(floor, health)).c_str() : report::noise_table(name, floor, health).c_str(),
        stdout);
    if (health.is_broken) return Exit::gate;
    return floor.floors.empty() ? Exit::cannot_tell : Exit::fine;
  }

  CompareOptions options_;
  StoreOptions store_;
  std::vector<std::string> names_;
  bool is_paired_ = false, is_aa_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_compare() { return std::make_unique<Compare>(); }

}  // namespace scoville::cli

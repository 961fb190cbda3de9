#include "cli/sweep_book.hpp"

#include <algorithm>
#include <array>

#include "analyse/slo_sample.hpp"
#include "base/json_fields.hpp"
#include "base/run_id.hpp"
#include "cli/accuracy_lookup.hpp"
#include "cli/arms.hpp"
#include "decide/fingerprint_groups.hpp"
#include "decide/load_step.hpp"
#include "decide/model_identity.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {
namespace {

using decide::PointState;
using decide::Standing;
using text::Msg;
using text::say;

constexpr std::array<std::string_view, 4> kStates{"pending", "measured", "not_started", "engine_ended"};
constexpr std::string_view kLast = "last";

template <class Archive, class Entry>
void entry_fields(Archive& archive, Entry& entry) {
  archive("point", entry.step.point);
  archive("repeat", entry.step.repeat);
  archive.named("state", entry.state, kStates);
  archive("run", entry.run);
  archive("why", entry.why);
}

std::optional<double> seconds_at(const analyse::Analysis& analysis, analyse::Latency which, double p) {
  const analyse::Quantile* const quantile = analysis.latency(which).at(p);
  return quantile && quantile->value ? std::optional(to_seconds(*quantile->value)) : std::nullopt;
}

/// Of a load with a schedule: whether latency rises as long as it is kept up. The first tenth fills the server.
bool queue_grows(const Measured& measured) {
  if (!measured.plan.has_schedule()) return false;
  analyse::Records records;
  for (const event::RequestRecord& each : measured.result.records) records.push_back(&each);
  const plan::Slo any{plan::SloMetric::e2e, 0.5, std::chrono::hours(24), "e2e:p50:24h"};
  const std::vector<plan::Slo> slos{any};
  const analyse::SloSample whole = analyse::slo_sample(records, slos);
  const std::vector<analyse::SloSample> pieces{whole.without_first(whole.size() / 10)};
  return decide::judge_step(pieces, slos, {}).doubt == decide::StepDoubt::queue_grows;
}

decide::SweepRun run_of(const Measured& measured) {
  const analyse::Analysis& analysis = measured.analysis;
  decide::SweepRun out;
  out.id = measured.subject.run_id;
  out.output_per_s = analysis.rates.output_tokens_per_s.full;
  out.requests_per_s = analysis.rates.requests_per_s.full;
  if (analysis.goodput) out.good_per_s = analysis.goodput->counts.goodput;
  out.tpot_s = seconds_at(analysis, analyse::Latency::tpot, 0.5);
  out.ttft_p50_s = seconds_at(analysis, analyse::Latency::ttft, 0.5);
  out.ttft_p95_s = seconds_at(analysis, analyse::Latency::ttft, 0.95);
  out.e2e_p50_s = seconds_at(analysis, analyse::Latency::e2e, 0.5);
  out.e2e_p95_s = seconds_at(analysis, analyse::Latency::e2e, 0.95);
  out.attempted = analysis.attempted;
  out.failed = analysis.attempted - analysis.succeeded;
  out.instrument = analyse::name_of(analysis.instrument.verdict);
  out.steady = analyse::name_of(analysis.validity.verdict);
  out.is_client_limited = analysis.instrument.verdict == analyse::Verdict::bottleneck;
  out.drifts = analyse::drifts(analysis.validity.verdict);
  out.queue_grows = queue_grows(measured);
  return out;
}

/// "dtype", "kv-cache-dtype": a setting of this name changes the precision, whether or not the engine tells of it.
bool names_precision(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return decide::is_precision("engine.flags." + name);
}

bool differ_in_precision(const decide::Choices& a, const decide::Choices& b, const decide::Setup& setup_a,
                         const decide::Setup& setup_b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].second != b[i].second && names_precision(a[i].first)) return true;
  }
  return decide::is_other_precision_of(setup_a, setup_b) ||
         decide::read_group(setup_a, setup_b, decide::is_precision).state == decide::FieldState::different;
}

Result<store::Finding> find_plan(const store::RunStore& store, const std::string& name) {
  Result<std::vector<store::Finding>> found = store.findings(kSweep, name == kLast ? "" : name);
  if (!found) return found.error();
  if (!found->empty()) return std::move(found->front());
  return Error{ErrorCode::invalid_argument,
               name == kLast ? say(Msg::sweep_none_stored) : say(Msg::sweep_unknown, name)};
}

}  // namespace

SweepBook::SweepBook(SweepPlan plan)
    : plan_(std::move(plan)),
      points_(plan_.points),
      lost_(plan_.points.size(), false),
      setups_(plan_.settings.size()) {}

Status SweepBook::begin(store::RunStore& store, const std::string& set, const SweepPlan& plan) {
  return store.add_finding({new_run_id(), kSweep, set, {}, to_json(plan)});
}

Result<SweepBook> SweepBook::open(const store::RunStore& store, const std::string& name) {
  const Result<store::Finding> finding = find_plan(store, name);
  if (!finding) return finding.error();
  Result<SweepPlan> plan = sweep_plan_from(finding->body);
  if (!plan) return plan.error();
  SweepBook out(std::move(*plan));
  out.set_ = finding->subject;
  Result<std::vector<store::Finding>> entries = store.findings(kSweepRun, out.set_);
  if (!entries) return entries.error();
  std::reverse(entries->begin(), entries->end());
  for (const store::Finding& each : *entries) {
    SweepEntry entry;
    JsonIn in(each.body, "sweep_run");
    entry_fields(in, entry);
    if (!in.status()) return in.status().error();
    if (entry.step.point >= out.points_.size()) continue;
    if (entry.state != PointState::measured) {
      out.note(entry, nullptr);
      continue;
    }
    const Result<Measured> measured = read_measured(store, entry.run);
    if (measured) out.note(entry, &*measured);  // a run that was deleted is one that is missing
  }
  std::fill(out.lost_.begin(), out.lost_.end(), false);
  return out;
}

bool SweepBook::has(const SweepStep& step) const { return done_.contains({step.point, step.repeat}); }

bool SweepBook::is_lost(std::size_t point) const { return lost_[point]; }

Status SweepBook::take(const SweepEntry& entry, const Measured* measured, store::RunStore* store) {
  note(entry, measured);
  if (!store) return Done{};
  JsonOut body;
  entry_fields(body, entry);
  return store->add_finding({new_run_id(), kSweepRun, set_, {}, std::move(body).object()});
}

void SweepBook::note(const SweepEntry& entry, const Measured* measured) {
  decide::SweepPoint& point = points_[entry.step.point];
  if (!measured) {
    point.state = entry.state;
    point.why = entry.why;
    lost_[entry.step.point] = true;
    return;
  }
  if (!done_.emplace(std::pair{entry.step.point, entry.step.repeat}, true).second) return;
  point.runs.push_back(run_of(*measured));
  point.why.clear();
  point.state = point.runs.size() >= plan_.repeats ? PointState::measured : PointState::pending;
  has_limits_ = has_limits_ || measured->options.limits.any();
  std::optional<decide::Setup>& setup = setups_[point.settings];
  if (!setup) setup = setup_of(*measured);
  if (url_.empty()) url_ = measured->subject.url;
  if (model_.empty()) model_ = measured->shape.model;
}

Result<std::vector<decide::SettingsPair>> SweepBook::pairs(const store::RunStore* store) const {
  std::vector<decide::SettingsPair> out;
  for (std::size_t b = 1; b < setups_.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (!setups_[a] || !setups_[b]) continue;
      const bool other_precision = differ_in_precision(plan_.settings[a], plan_.settings[b], *setups_[a], *setups_[b]);
      const bool other_model = decide::read_model(*setups_[a], *setups_[b]).state == decide::FieldState::different;
      if (other_model && !decide::is_other_precision_of(*setups_[a], *setups_[b])) {
        out.push_back({a, b, Standing::other_model, ""});
      } else if (other_precision) {
        const Result<KnownAccuracy> known = known_accuracy(store, *setups_[a], *setups_[b]);
        if (!known) return known.error();
        const Standing standing = known->accuracy == decide::Accuracy::passed   ? Standing::gate_passed
                                  : known->accuracy == decide::Accuracy::failed ? Standing::gate_failed
                                                                                : Standing::no_gate;
        out.push_back({a, b, standing, known->id});
      }
    }
  }
  return out;
}

Result<report::SweepView> SweepBook::view(const store::RunStore* store, const std::vector<double>& at) const {
  report::SweepView out;
  Result<std::vector<decide::SettingsPair>> between = pairs(store);
  if (!between) return between.error();
  out.pairs = std::move(*between);
  out.url = url_;
  out.model = model_;
  out.set = set_;
  out.settings = plan_.settings;
  for (const auto& setup : setups_) out.devices.push_back(setup ? decide::devices_of(*setup) : std::nullopt);
  out.points = points_;
  out.at = at.empty() ? plan_.at : at;
  if (!plan_.device_hour.empty()) {
    Result<Money> price = parse_money(plan_.device_hour);
    if (!price) return price.error();
    out.per_device_hour = std::move(*price);
  }
  out.has_limits = has_limits_;
  out.is_in_order = plan_.is_in_order;
  out.seed = plan_.seed;
  out.repeats = plan_.repeats;
  return out;
}

}  // namespace scoville::cli

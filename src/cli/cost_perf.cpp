#include "cli/cost_perf.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/arms.hpp"
#include "cli/parameter.hpp"
#include "stats/repeats.hpp"
#include "text/catalogue/cost.hpp"

namespace scoville::cli {
namespace {

using cost::In;
using text::CostMsg;
using text::say;

/// Share of requests within limits in the words of --goodput that counts as meeting them (DistServe's definition).
constexpr double kAttained = 0.90;

Error refusal(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// "ttft:500 tpot:50", in ms where no unit is given; "any": no limit at all.
Result<plan::Limits> limits_of(const std::string& point) {
  plan::Limits out;
  if (point == "any") return out;
  for (const std::string_view part : split(point, " ,")) {
    const std::size_t colon = part.find(':');
    const std::string_view name = part.substr(0, colon);
    std::optional<Nanos>* const slot = name == "ttft"                    ? &out.ttft
                                       : name == "tpot"                  ? &out.tpot
                                       : name == "e2e" || name == "e2el" ? &out.e2e
                                                                         : nullptr;
    const auto limit = colon == std::string_view::npos
                           ? std::nullopt
                           : parse_duration(part.substr(colon + 1), std::chrono::milliseconds(1));
    if (!slot || !limit) return refusal(say(CostMsg::bad_point, point));
    *slot = limit;
  }
  if (!out.any()) return refusal(say(CostMsg::bad_point, point));
  return out;
}

bool is_same(const plan::Limits& a, const plan::Limits& b) {
  return a.ttft == b.ttft && a.tpot == b.tpot && a.e2e == b.e2e;
}

/// The share of a run's requests within `limits`; a run that was asked about others is analysed anew.
Result<std::optional<double>> attainment_of(const store::RunStore& store, const decide::Arm& arm,
                                            const decide::ArmRun& run, const plan::Limits& limits) {
  if (is_same(arm.setup.limits, limits)) return run.statistics.attainment;
  Result<Measured> measured = read_measured(store, run.id);
  if (!measured) return measured.error();
  measured->options.limits = limits;
  if (Status analysed = analyse_measured(*measured); !analysed) return analysed.error();
  return analyse::statistics_of(measured->result, measured->analysis).attainment;
}

/// One number a run, and what they say together.
config::Quantity quantity_of(const std::vector<double>& values, const std::string& set) {
  const auto repeats = stats::summarize_repeats(values);
  config::Quantity out;
  if (!repeats) return out;
  out.value = repeats->median.value;
  double coverage = 0;
  if (repeats->median.interval) {
    out.low = repeats->median.interval->lower;
    out.high = repeats->median.interval->upper;
    coverage = repeats->median.interval->coverage;
  } else if (values.size() > 1) {
    out.low = repeats->min;
    out.high = repeats->max;
    coverage = repeats->range_coverage;
  }
  out.source = fmt::format("median of {} runs of {}", values.size(), set);
  if (coverage > 0) out.source += fmt::format(", interval {:.1f} %", 100 * coverage);
  return out;
}

struct Gathered {
  std::vector<double> out_per_s, in_per_s, cached, attained;
};

Result<Gathered> gather(const store::RunStore& store, const decide::Arm& arm, const cost::PerfLink& link) {
  const Result<plan::Limits> limits = limits_of(link.point);
  if (!limits) return limits.error();
  Gathered out;
  for (const decide::ArmRun& run : arm.runs) {
    const analyse::RunStatistics& of = run.statistics;
    if (of.instrument == analyse::Verdict::bottleneck) return refusal(say(CostMsg::run_bottleneck, link.set, run.id));
    if (!of.output_tokens_per_s || !of.total_tokens_per_s)
      return refusal(say(CostMsg::run_without_rate, link.set, run.id));
    if (limits->any()) {
      const auto attained = attainment_of(store, arm, run, *limits);
      if (!attained) return attained.error();
      if (attained->value_or(0) < kAttained)
        return refusal(
            say(CostMsg::run_missed_slo, link.set, run.id, 100 * attained->value_or(0), link.point, 100 * kAttained));
      out.attained.push_back(**attained);
    }
    out.out_per_s.push_back(*of.output_tokens_per_s);
    out.in_per_s.push_back(std::max(0.0, *of.total_tokens_per_s - *of.output_tokens_per_s));
    if (of.cached_share) out.cached.push_back(*of.cached_share);
  }
  return out;
}

void per_device(std::vector<double>& values, double devices) {
  for (double& each : values) each /= devices;
}

void fill(cost::Option& option, const decide::Arm& arm, Gathered gathered) {
  cost::Perf& perf = option.perf;
  const std::string& set = perf.link->set;
  if (!perf.devices && arm.setup.devices) perf.devices = static_cast<std::size_t>(*arm.setup.devices);
  if (gathered.cached.size() == arm.runs.size() && !perf.cached_share)
    perf.cached_share = quantity_of(gathered.cached, set);
  if (!gathered.attained.empty() && !option[In::good_frac])
    option[In::good_frac] = cost::Given{quantity_of(gathered.attained, set), cost::Origin::derived};
  perf.runs = arm.runs.size();
  if (!perf.devices) return;  // asked for
  per_device(gathered.out_per_s, static_cast<double>(*perf.devices));
  per_device(gathered.in_per_s, static_cast<double>(*perf.devices));
  perf.out_per_s = quantity_of(gathered.out_per_s, set);
  perf.in_per_s = quantity_of(gathered.in_per_s, set);
  perf.has_in_per_s = true;
}

}  // namespace

Status link_perf(store::RunStore& store, cost::Study& study) {
  for (cost::Option& each : study.options) {
    if (!each.perf.link) continue;
    const cost::PerfLink& link = *each.perf.link;
    const Result<decide::Arm> arm = read_arm(store, link.set, /*keeps=*/true);
    if (!arm) return arm.error();
    if (!arm->is_one_plan) return refusal(say(CostMsg::runs_unlike, link.set));
    Result<Gathered> gathered = gather(store, *arm, link);
    if (!gathered) return gathered.error();
    fill(each, *arm, std::move(*gathered));
  }
  return Done{};
}

}  // namespace scoville::cli

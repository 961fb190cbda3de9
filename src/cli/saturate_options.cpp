#include "cli/saturate_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "base/duration.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;
using namespace std::chrono_literals;

constexpr double kMostRate = 1e6, kLeastRate = 1e-4;

/// What the search sets itself, or says in its own words.
constexpr std::array<std::string_view, 15> kNotTaken{
    "--num-prompts",        "--duration",         "--request-rate",      "--arrivals",        "--burstiness",
    "--max-concurrency",    "--ramp-up-strategy", "--ramp-up-start-rps", "--ramp-up-end-rps", "--goodput",
    "--metric-percentiles", "--offline",          "--trace-speed",       "--self-timed",      "--fixed-schedule"};

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

bool is_whole(const std::optional<double>& number) {
  return !number || (*number >= 1 && *number == std::floor(*number));
}

}  // namespace

void SaturateOptions::declare(Parameters& parameters, LoadOptions& load) {
  declare_search(parameters);
  declare_load(parameters, load);
  parameters.under(Group::none);
}

void SaturateOptions::declare_search(Parameters& parameters) {
  parameters.under(Group::load);
  Parameter slo{"--slo", "LIMITS", Msg::saturate_flag_slo, "",
                [this](std::string_view given) { return take_slos(given); }};
  slo.is_repeatable = true;
  parameters.add(std::move(slo));
  parameters.choice("--over", Msg::saturate_flag_over, {"rate", "concurrency"}, "rate",
                    [this](std::size_t place) { over_rate_ = place == 0; });
  parameters.choice("--arrivals", Msg::saturate_flag_arrivals, {"constant", "poisson"}, "poisson",
                    [this](std::size_t place) { arrivals_ = place == 0 ? "constant" : "poisson"; });
  parameters.add({"--start", "X", Msg::saturate_flag_start, say(Msg::saturate_default_start),
                  [this](std::string_view given) -> Status {
                    Result<double> number = parse_number(given, kLeastRate, kMostRate);
                    if (!number) return number.error();
                    start_ = *number;
                    return Done{};
                  }});
  parameters.number("--most", Msg::saturate_flag_most, most_, kLeastRate, kMostRate);
  parameters.add({"--precision", "SHARE", Msg::saturate_flag_precision, "2%", [this](std::string_view given) -> Status {
                    if (given.empty() || given.back() != '%') return usage(say(Msg::saturate_expected_precision));
                    given.remove_suffix(1);
                    const Result<double> percent = parse_number(given, 0.1, 50);
                    if (!percent) return usage(say(Msg::saturate_expected_precision));
                    precision_ = *percent / 100;
                    return Done{};
                  }});
  parameters.duration("--min-step", Msg::saturate_flag_min_step, min_step_, 100ms);
  parameters.duration("--max-step", Msg::saturate_flag_max_step, max_step_, 100ms);
}

void SaturateOptions::declare_load(Parameters& parameters, LoadOptions& load) {
  Parameters all;
  load.declare(all);
  for (const Parameter& each : all.all()) {
    if (each.name == "--goodput") set_limit_ = each.set;
    if (std::find(kNotTaken.begin(), kNotTaken.end(), each.name) == kNotTaken.end()) parameters.add(each);
  }
}

Status SaturateOptions::take_slos(std::string_view given) {
  slo_text_ += (slo_text_.empty() ? "" : ",") + std::string(given);
  if (given.empty()) return usage(say(Msg::saturate_expected_slo));
  Result<std::vector<plan::Slo>> slos = plan::parse_slos(slo_text_);
  if (!slos) return slos.error();
  slos_ = std::move(*slos);
  return Done{};
}

/// Of several limits on one latency, the strictest share's: a run's report knows one.
Status SaturateOptions::show_limits() const {
  for (const plan::Slo& each : slos_) {
    if (each.metric == plan::SloMetric::ttfa || !set_limit_) continue;
    const bool is_strictest = std::all_of(slos_.begin(), slos_.end(), [&](const plan::Slo& other) {
      return other.metric != each.metric || other.share <= each.share;
    });
    if (!is_strictest) continue;
    const std::string limit = std::string(name_of(each.metric)) + ":" + std::to_string(each.limit.count()) + "ns";
    if (Status set = set_limit_(limit); !set) return set;
  }
  return Done{};
}

Status SaturateOptions::check_users() const {
  if (over_rate_) return Done{};
  if (!is_whole(start_) || !is_whole(most_)) return usage(say(Msg::saturate_whole_users));
  if (!arrivals_.empty()) return usage(say(Msg::saturate_arrivals_of_users));
  return Done{};
}

Status SaturateOptions::settle() {
  if (slos_.empty()) return usage(say(Msg::saturate_slo_missing));
  if (max_step_ < min_step_) return usage(say(Msg::saturate_steps_crossed));
  if (start_ && most_ && *start_ > *most_) return usage(say(Msg::saturate_start_above_most));
  if (Status users = check_users(); !users) return users;
  return show_limits();
}

decide::SaturationRule SaturateOptions::rule() const {
  decide::SaturationRule rule;
  rule.slos = slos_;
  rule.is_open_loop = over_rate_;
  rule.most = most_.value_or(kMostRate);
  rule.precision = precision_;
  rule.min_step_s = to_seconds(min_step_);
  rule.max_step_s = to_seconds(max_step_);
  return rule;
}

}  // namespace scoville::cli

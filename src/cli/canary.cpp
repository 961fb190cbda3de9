#include "decide/canary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "base/file.hpp"
#include "cli/command.hpp"
#include "cli/fleet_source.hpp"
#include "cli/progress.hpp"
#include "cli/runs.hpp"
#include "cli/stop.hpp"
#include "report/canary.hpp"
#include "text/catalogue/canary.hpp"

namespace scoville::cli {
namespace {

using decide::CanaryPlan;
using text::CanaryMsg;
using text::Msg;
using text::say;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// "0.1%" or "0.1": percent.
Result<double> share_within(std::string_view given, double above, double below, CanaryMsg expected) {
  if (given.ends_with('%')) given.remove_suffix(1);
  const Result<double> percent = parse_number(given, above, below);
  if (!percent || *percent <= above || *percent >= below) return usage(say(expected));
  return *percent / 100;
}

Result<decide::LatencyLimit> limit_of(std::string_view given) {
  const std::size_t colon = given.find(':');
  const auto latency = decide::fleet_latency(given.substr(0, colon));
  const std::optional<Nanos> limit = colon == std::string_view::npos
                                         ? std::nullopt
                                         : parse_duration(given.substr(colon + 1), std::chrono::milliseconds(1));
  if (!latency || !limit || *limit <= Nanos{}) return usage(say(CanaryMsg::expected_limit));
  return decide::LatencyLimit{*latency, *limit};
}

/// `scoville canary`: two fleets on the same traffic, while they serve it.
class CanaryCommand final : public Command {
 public:
  CanaryCommand() {
    parameters_.add(plain_positional("BASE", CanaryMsg::word_base, base_));
    parameters_.add(plain_positional("CAND", CanaryMsg::word_candidate, candidate_));
    add_limits("--slo", CanaryMsg::flag_slo, plan_.slos);
    add_limits("--p99", CanaryMsg::flag_p99, plan_.p99);
    add_share("--error-margin", CanaryMsg::flag_error_margin, plan_.error_margin);
    add_share("--expected-errors", CanaryMsg::flag_expected_errors, plan_.expected_errors);
    add_share("--miss-margin", CanaryMsg::flag_miss_margin, plan_.miss_margin);
    add_share("--expected-misses", CanaryMsg::flag_expected_misses, plan_.expected_misses);
    add_share("--alpha", CanaryMsg::flag_alpha, plan_.alpha);
    add_power();
    parameters_.choice("--test", CanaryMsg::flag_test, {"looks", "sprt"}, "looks",
                       [this](std::size_t place) { plan_.test = static_cast<decide::SequentialTest>(place); });
    parameters_.count("--looks", CanaryMsg::flag_looks, plan_.looks, 1, 100);
    parameters_.choice("--step", CanaryMsg::flag_step, {"1", "5", "25"}, "1", [this](std::size_t place) {
      constexpr double kSteps[] = {1, 5, 25};
      plan_.step = kSteps[place];
    });
    parameters_.duration("--at-least", CanaryMsg::flag_at_least, plan_.at_least, Nanos{});
    parameters_.toggle("--accuracy-alarm", CanaryMsg::flag_accuracy_alarm, plan_.has_accuracy_alarm);
    parameters_.duration("--interval", CanaryMsg::flag_interval, interval_, std::chrono::milliseconds(100));
    parameters_.duration("--for", CanaryMsg::flag_for, for_, std::chrono::milliseconds(100));
    parameters_.text("--aliases", "FILE", CanaryMsg::flag_aliases, aliases_file_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
  }

  std::string name() const override { return "canary"; }
  Msg summary() const override { return CanaryMsg::summary; }
  std::vector<std::string> examples() const override {
    return {"scoville canary http://old:8000/metrics http://new:8000/metrics --slo ttft:2000 --p99 ttft:5s --for 24h",
            "scoville canary control.json candidate.json --slo ttft:2000 --slo e2e:8s --step 5",
            "scoville canary scrapes/control scrapes/candidate --test sprt --json"};
  }

  Exit run() override {
    FleetSource base(base_), candidate(candidate_);
    if (base.is_url() != candidate.is_url()) return failed(usage(say(CanaryMsg::mixed)));
    const Result<decide::MetricAliases> aliases = read_the_aliases();
    if (!aliases) return failed(aliases.error());
    const Result<report::CanaryView> view =
        base.is_url() ? watch(base, candidate, *aliases) : read(base, candidate, *aliases);
    if (!view) return failed(view.error());
    std::fputs(as_json_ ? pretty(report::canary_json(*view)).c_str() : report::canary_table(*view).c_str(), stdout);
    if (stop_requested()) return Exit::interrupted;
    switch (view->canary.verdict) {
      case decide::CanaryVerdict::go_on:
        return Exit::fine;
      case decide::CanaryVerdict::roll_back:
        return Exit::gate;
      case decide::CanaryVerdict::keep_watching:
        return Exit::cannot_tell;
    }
    return Exit::failed;
  }

 private:
  using Scrapes = std::vector<telemetry::Scrape>;

  static Exit failed(const Error& error) {
    complain(error.message);
    if (stop_requested()) return Exit::interrupted;
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  void add_limits(const char* name, CanaryMsg help, std::vector<decide::LatencyLimit>& into) {
    Parameter parameter{name, "LATENCY:LIMIT", help, "", [&into](std::string_view given) -> Status {
                          const auto parts = split(given, ", ");
                          if (parts.empty()) return usage(say(CanaryMsg::expected_limit));
                          for (const std::string_view each : parts) {
                            const Result<decide::LatencyLimit> limit = limit_of(each);
                            if (!limit) return limit.error();
                            into.push_back(*limit);
                          }
                          return Done{};
                        }};
    parameter.is_repeatable = true;
    parameters_.add(std::move(parameter));
  }

  void add_share(const char* name, CanaryMsg help, double& target) {
    parameters_.add(
        {name, "SHARE", help, fmt::format("{:.4g}%", target * 100), [&target](std::string_view given) -> Status {
           const Result<double> share = share_within(given, 0, 50, CanaryMsg::expected_share);
           if (!share) return share.error();
           target = *share;
           return Done{};
         }});
  }

  void add_power() {
    parameters_.add({"--power", "SHARE", CanaryMsg::flag_power, "80%", [this](std::string_view given) -> Status {
                       const Result<double> share = share_within(given, 50, 100, CanaryMsg::expected_power);
                       if (!share) return share.error();
                       plan_.power = *share;
                       return Done{};
                     }});
  }

  Result<decide::MetricAliases> read_the_aliases() const {
    if (aliases_file_.empty()) return decide::read_aliases();
    const Result<std::string> yaml = read_file(aliases_file_);
    if (!yaml) return yaml.error();
    return decide::read_aliases(*yaml, aliases_file_);
  }

  Result<report::CanaryView> judge(const Scrapes& base, const Scrapes& candidate,
                                   const decide::MetricAliases& aliases) const {
    const Result<decide::FleetPair> fleets = decide::read_fleets(base, candidate, aliases);
    if (!fleets) return fleets.error();
    return report::CanaryView{base_, candidate_, fleets->engine, decide::judge_canary(*fleets, plan_)};
  }

  Result<report::CanaryView> read(const FleetSource& base, const FleetSource& candidate,
                                  const decide::MetricAliases& aliases) const {
    const Result<Scrapes> of_base = base.read();
    if (!of_base) return of_base.error();
    const Result<Scrapes> of_candidate = candidate.read();
    if (!of_candidate) return of_candidate.error();
    return judge(*of_base, *of_candidate, aliases);
  }

  /// Scrapes both until a verdict stands, the time is over, or somebody stops it.
  Result<report::CanaryView> watch(FleetSource& base, FleetSource& candidate,
                                   const decide::MetricAliases& aliases) const {
    catch_stop_signals();
    Scrapes of_base, of_candidate;
    LiveLine line;
    const auto start = std::chrono::steady_clock::now();
    for (auto next = start;; next += interval_) {
      for (auto [source, scrapes] : {std::pair(&base, &of_base), std::pair(&candidate, &of_candidate)}) {
        Result<telemetry::Scrape> scrape = source->scrape();
        if (!scrape) return scrape.error();
        scrapes->push_back(std::move(*scrape));
      }
      if (of_base.size() >= 2) {
        Result<report::CanaryView> view = judge(of_base, of_candidate, aliases);
        if (!view || view->canary.verdict != decide::CanaryVerdict::keep_watching ||
            view->canary.reason == decide::CanaryReason::spent || next - start >= for_ || stop_requested())
          return view;
        if (line.is_due())
          line.show(say(CanaryMsg::watching, of_base.size(), fmt::format("{:.0f}", view->canary.requests)));
      }
      wait_until(next + interval_);
    }
  }

  static void wait_until(std::chrono::steady_clock::time_point then) {
    constexpr auto kGlance = std::chrono::milliseconds(100);
    while (!stop_requested() && std::chrono::steady_clock::now() < then)
      std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(kGlance, then - std::chrono::steady_clock::now()));
  }

  std::string base_, candidate_, aliases_file_;
  CanaryPlan plan_;
  Nanos interval_ = std::chrono::seconds(60), for_ = std::chrono::hours(24);
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_canary() { return std::make_unique<CanaryCommand>(); }

}  // namespace scoville::cli

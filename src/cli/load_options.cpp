#include "cli/load_options.hpp"

#include <algorithm>
#include <limits>

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kDefaultPrompts = 100;
constexpr std::size_t kMostWarmups = 16;
constexpr std::size_t kOfflineSlots = 256;  // what most engines run at once, where nobody says it
constexpr double kMostProbeRate = 1000;     // it is to be thin
constexpr double kMostRate = 1e7;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

}  // namespace

void LoadOptions::declare(Parameters& parameters) {
  declare_load(parameters);
  prompts_.declare(parameters);
  declare_limits(parameters);
  parameters.under(Group::none);
}

void LoadOptions::declare_load(Parameters& parameters) {
  using namespace std::chrono_literals;
  parameters.under(Group::load);
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  parameters.count("--num-prompts", Msg::flag_num_prompts, num_prompts_, 1, most);
  parameters.maybe_duration("--duration", Msg::flag_duration, plan_.duration, 1ms);
  parameters.add({"--request-rate", "X|inf", Msg::flag_request_rate, "inf", [this](std::string_view given) -> Status {
                    rate_is_infinite_ = given == "inf";
                    if (rate_is_infinite_) return Done{};
                    Result<double> rate = parse_number(given, 1e-6, kMostRate);
                    if (!rate) return usage(say(Msg::expected_rate));
                    rate_ = *rate;
                    return Done{};
                  }});
  parameters.number("--trace-speed", Msg::flag_trace_speed, trace_speed_, 1e-3, 1e6);
  for (const char* name : {"--self-timed", "--fixed-schedule"}) {  // vLLM's and AIPerf's words
    Parameter as_recorded{name, "", Msg::flag_self_timed, "", [this](std::string_view) -> Status {
                            trace_speed_ = trace_speed_.value_or(1);
                            return Done{};
                          }};
    as_recorded.group = Group::others;
    parameters.add(std::move(as_recorded));
  }
  parameters.choice("--arrivals", Msg::flag_arrivals, {"constant", "poisson", "gamma"}, "poisson",
                    [this](std::size_t place) {
                      arrivals_ = place == 0 ? "constant" : place == 1 ? "poisson" : "gamma";
                    });
  parameters.number("--burstiness", Msg::flag_burstiness, burstiness_, 1e-3, 1e6);
  parameters.count("--max-concurrency", Msg::flag_max_concurrency, plan_.max_concurrency, 1, 1000000);
  parameters.choice("--ramp-up-strategy", Msg::flag_ramp_up, {"linear", "exponential"}, "", [this](std::size_t place) {
    plan_.arrivals.ramp_up = place == 0 ? plan::RampUp::linear : plan::RampUp::exponential;
  });
  parameters.number("--ramp-up-start-rps", Msg::flag_ramp_start, ramp_start_, 1e-6, kMostRate);
  parameters.number("--ramp-up-end-rps", Msg::flag_ramp_end, ramp_end_, 1e-6, kMostRate);
  parameters.add({"--num-warmups", "N|auto", Msg::flag_num_warmups, say(Msg::default_warmups),
                  [this](std::string_view given) -> Status {
                    warmups_ = given;
                    if (given == "auto") return Done{};
                    const Result<std::size_t> count = parse_count(given, 0, 1000000);
                    if (!count) return usage(say(Msg::expected_warmups));
                    return Done{};
                  }});
  parameters.count("--seed", Msg::flag_seed, seed_, 0, most);
  parameters.count("--threads", Msg::flag_threads, threads_, 1, 1024);
  parameters.text("--offline", "FILE", Msg::flag_offline, offline_);
  parameters.number("--probe-request-rate", Msg::flag_probe_rate, plan_.probe_rate, 1e-3, kMostProbeRate);
  parameters.add({"--cancel-share", "PERCENT", Msg::flag_cancel_share, "0", [this](std::string_view given) -> Status {
                    const Result<double> percent = parse_number(given, 0, 99);
                    if (!percent) return percent.error();
                    plan_.cancel.share = *percent / 100;
                    return Done{};
                  }});
  parameters.duration("--cancel-after", Msg::flag_cancel_after, plan_.cancel.after, 1ms);
  parameters.add({"--retries", "N", Msg::flag_retries, "0", [this](std::string_view given) -> Status {
                    const Result<std::size_t> count = parse_count(given, 0, 100);
                    if (!count) return count.error();
                    plan_.retries = static_cast<unsigned>(*count);
                    return Done{};
                  }});
}

void LoadOptions::declare_limits(Parameters& parameters) {
  parameters.under(Group::limits);
  Parameter goodput{"--goodput", "LIMITS", Msg::flag_goodput, "",
                    [this](std::string_view given) { return take_goodput(given); }};
  goodput.is_repeatable = goodput.takes_many = true;
  parameters.add(std::move(goodput));
  parameters.under(Group::output);
  parameters.add({"--metric-percentiles", "LIST", Msg::flag_percentiles, "50,90,95,99",
                  [this](std::string_view given) { return take_quantiles(given); }});
}

Status LoadOptions::take_goodput(std::string_view given) {
  for (const std::string_view part : split(given, " ,")) {
    const std::size_t colon = part.find(':');
    const std::string_view name = part.substr(0, colon);
    const auto limit = colon == std::string_view::npos
                           ? std::nullopt
                           : parse_duration(part.substr(colon + 1), std::chrono::milliseconds(1));
    plan::Limits& limits = analysis_.limits;
    std::optional<Nanos>* const slot = name == "ttft"                    ? &limits.ttft
                                       : name == "tpot"                  ? &limits.tpot
                                       : name == "e2el" || name == "e2e" ? &limits.e2e
                                                                         : nullptr;
    if (!slot || !limit) return usage(say(Msg::expected_goodput));
    *slot = limit;
  }
  return analysis_.limits.any() ? Status(Done{}) : Status(usage(say(Msg::expected_goodput)));
}

Status LoadOptions::take_quantiles(std::string_view given) {
  std::vector<double> quantiles = analyse::default_quantiles();
  percentiles_.clear();
  for (const std::string_view part : split(given, ", ")) {
    Result<double> percent = parse_number(part, 0.001, 99.9999);
    if (!percent) return usage(say(Msg::expected_percentiles));
    quantiles.push_back(*percent / 100);
    percentiles_.push_back(*percent);
  }
  std::sort(quantiles.begin(), quantiles.end());
  quantiles.erase(std::unique(quantiles.begin(), quantiles.end(), [](double a, double b) { return b - a < 1e-9; }),
                  quantiles.end());
  analysis_.quantiles = std::move(quantiles);
  return Done{};
}

/// Nothing else says how many requests there are, or when they leave.
Status LoadOptions::begin_offline() {
  const std::pair<bool, const char*> others[] = {
      {num_prompts_ != 0, "--num-prompts"},        {plan_.duration.has_value(), "--duration"},
      {rate_.has_value(), "--request-rate"},       {ramp_start_.has_value(), "--ramp-up-start-rps"},
      {trace_speed_.has_value(), "--trace-speed"}, {prompts_.has_file(), "--dataset-path"}};
  for (const auto& [is_given, name] : others) {
    if (is_given) return usage(say(Msg::offline_takes_no_count, name));
  }
  prompts_.set_file(offline_);
  rate_is_infinite_ = true;  // recorded times are not replayed
  plan_.is_offline = true;
  return Done{};
}

void LoadOptions::settle_offline() {
  const dataset::Workload* const lengths = prompts().file->workload();
  plan_.num_prompts = lengths ? static_cast<std::size_t>(dataset::requests_of(*lengths)) : prompts().file->rows();
  if (plan_.max_concurrency == 0) plan_.max_concurrency = std::min(plan_.num_prompts, kOfflineSlots);
}

Status LoadOptions::settle() {
  if (!offline_.empty()) {
    if (Status begun = begin_offline(); !begun) return begun;
  }
  if (Status settled = settle_arrivals(); !settled) return settled;
  const std::size_t usual = plan_.duration ? 0 : kDefaultPrompts;
  if (Status settled = prompts_.settle(seed_, num_prompts_ ? num_prompts_ : usual); !settled) return settled;
  plan_.num_prompts = num_prompts_                           ? num_prompts_
                      : usual && prompts_.default_requests() ? prompts_.default_requests()
                                                             : usual;
  const std::size_t inputs = prompts().inputs_per_request;
  plan_.num_prompts = (plan_.num_prompts + inputs - 1) / inputs;
  if (Status settled = settle_trace(); !settled) return settled;
  if (plan_.is_offline) settle_offline();
  if (plan_.num_prompts == 0 && !plan_.has_schedule() && plan_.max_concurrency == 0) {
    return usage(say(Msg::duration_without_load));
  }
  if (plan_.is_offline && warmups_.empty()) warmups_ = "0";  // each row once, and none in a cache before its turn
  plan_.finds_warmup = warmups_ == "auto";
  if (warmups_.empty()) {
    plan_.num_warmups = std::clamp<std::size_t>(plan_.max_concurrency, 1, kMostWarmups);
  } else if (!plan_.finds_warmup) {
    plan_.num_warmups = *parse_count(warmups_, 0, 1000000);
  }
  plan_.threads = static_cast<unsigned>(threads_ ? threads_ : 1);
  if (plan_.max_concurrency != 0) {
    plan_.threads = static_cast<unsigned>(std::min<std::size_t>(plan_.threads, plan_.max_concurrency));
  }
  return Done{};
}

Status LoadOptions::settle_arrivals() {
  plan::Arrivals& arrivals = plan_.arrivals;
  const bool ramps = arrivals.ramp_up != plan::RampUp::none;
  if (ramps != (ramp_start_.has_value() && ramp_end_.has_value()) || ramp_start_.has_value() != ramp_end_.has_value()) {
    return usage(say(Msg::ramp_incomplete));
  }
  if (ramps && (rate_ || rate_is_infinite_)) return usage(say(Msg::ramp_and_rate));
  if (ramps) {
    arrivals.ramp_start = *ramp_start_;
    arrivals.ramp_end = *ramp_end_;
    rate_ = std::max(*ramp_start_, *ramp_end_);
  }
  if (rate_ && rate_is_infinite_) rate_.reset();
  arrivals.rate = rate_;
  if (!rate_ && (!arrivals_.empty() || burstiness_)) return usage(say(Msg::arrivals_without_rate));
  if (arrivals_ == "constant" && burstiness_) return usage(say(Msg::constant_and_burstiness));
  if (arrivals_ == "gamma" && !burstiness_) return usage(say(Msg::gamma_without_burstiness));
  arrivals.is_constant = arrivals_ == "constant";
  if (burstiness_ && arrivals_ != "poisson") arrivals.burstiness = *burstiness_;
  arrivals.seed = seed_;
  return Done{};
}

/// Recorded times are replayed where it is asked for, and where nothing else says when requests leave.
Status LoadOptions::settle_trace() {
  plan::Arrivals& arrivals = plan_.arrivals;
  const dataset::Workload* trace = prompts_.trace();
  if (trace_speed_) {
    if (arrivals.rate || rate_is_infinite_) return usage(say(Msg::trace_and_rate));
    if (prompts_.is_shuffled()) return usage(say(Msg::trace_and_shuffle));
    if (!trace) return usage(say(Msg::trace_needs_times));
  } else if (trace && !arrivals.rate && !rate_is_infinite_ && plan_.max_concurrency == 0) {
    trace_speed_ = 1;
  }
  if (!trace_speed_) return Done{};
  arrivals.trace_speed = trace_speed_;
  const double span = to_seconds(dataset::span_of(*trace));
  const auto gaps = static_cast<double>(std::max<std::size_t>(1, trace->chains.size() - 1));
  arrivals.rate = span > 0 ? gaps / span * *trace_speed_ : gaps;
  const auto requests = static_cast<std::size_t>(dataset::requests_of(*trace));
  plan_.num_prompts = num_prompts_ ? std::min(num_prompts_, requests) : requests;
  return Done{};
}

}  // namespace scoville::cli

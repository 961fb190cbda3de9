#include "cli/load_options.hpp"

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/clock.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kDefaultPrompts = 100;
constexpr std::size_t kMostWarmups = 16;
constexpr std::uint32_t kDefaultOutput = 128;
constexpr double kMostProbeRate = 1000;  // it is to be thin
constexpr double kMostRate = 1e7, kMostSpread = 0.999;
constexpr std::uint32_t kDefaultInput = 512;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// Uniform from L(1 − R) to L(1 + R), both included, where L is a constant.
Status spread_out(std::optional<dataset::LengthDistribution>& lengths, std::uint32_t fallback, double spread) {
  if (lengths && !lengths->is_constant()) return usage(say(Msg::spread_needs_constant, lengths->to_string()));
  constexpr double rounding = 1e-9;  // 100 · (1 − 0.7) is 30.000000000000004 in a double
  const double length = lengths ? *lengths->least() : fallback;
  const double least = std::ceil(length * (1 - spread) - rounding * length);
  const double most = std::floor(length * (1 + spread) + rounding * length);
  if (most > dataset::LengthDistribution::kLongest) return usage(say(Msg::spread_needs_constant, length));
  lengths = dataset::LengthDistribution::uniform(static_cast<std::uint32_t>(std::max(least, 1.0)),
                                                 static_cast<std::uint32_t>(most));
  return Done{};
}

}  // namespace

std::uint64_t fresh_salt() {
  std::uint64_t salt = 0;
  if (getrandom(&salt, sizeof salt, 0) != sizeof salt) salt = static_cast<std::uint64_t>(wall_now().count());
  return salt;
}

void LoadOptions::declare(Parameters& parameters) {
  declare_load(parameters);
  declare_prompts(parameters);
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
  parameters.number("--probe-request-rate", Msg::flag_probe_rate, plan_.probe_rate, 1e-3, kMostProbeRate);
  parameters.add({"--cancel-share", "PERCENT", Msg::flag_cancel_share, "0", [this](std::string_view given) -> Status {
                    const Result<double> percent = parse_number(given, 0, 100);
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

void LoadOptions::declare_prompts(Parameters& parameters) {
  parameters.under(Group::prompts);
  const auto lengths = [](std::optional<dataset::LengthDistribution>& target) {
    return [&target](std::string_view given) -> Status {
      auto parsed = dataset::parse_lengths(given);
      if (!parsed) return parsed.error();
      target = *parsed;
      return Done{};
    };
  };
  parameters.add({"--random-input-len", "LEN", Msg::flag_input_len, "512", lengths(prompts_.input)});
  parameters.add({"--random-output-len", "LEN", Msg::flag_output_len, "128", lengths(prompts_.output)});
  parameters.add({"--length-spread", "R", Msg::flag_length_spread, "0", [this](std::string_view given) -> Status {
                    const Result<double> spread = parse_number(given, 0, kMostSpread);
                    if (!spread) return spread.error();
                    spread_ = *spread;
                    return Done{};
                  }});
  parameters.choice("--dataset-name", Msg::flag_dataset_name, {"random", "custom"}, "random",
                    [this](std::size_t place) { dataset_ = place == 0 ? "random" : "custom"; });
  parameters.text("--dataset-path", "FILE", Msg::flag_dataset_path, prompts_.path);
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

std::uint32_t LoadOptions::default_max_tokens() const {
  return prompts_.path.empty() ? 0 : prompts_.output->least().value_or(kDefaultOutput);
}

Status LoadOptions::settle() {
  if (Status settled = settle_arrivals(); !settled) return settled;
  if (Status settled = settle_prompts(); !settled) return settled;
  plan_.num_prompts = num_prompts_ ? num_prompts_ : plan_.duration ? 0 : kDefaultPrompts;
  if (plan_.num_prompts == 0 && !plan_.has_schedule() && plan_.max_concurrency == 0) {
    return usage(say(Msg::duration_without_load));
  }
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

Status LoadOptions::settle_prompts() {
  prompts_.seed = seed_;
  prompts_.salt = fresh_salt();
  if ((dataset_ == "custom" && prompts_.path.empty()) || (dataset_ == "random" && !prompts_.path.empty())) {
    return usage(say(Msg::dataset_needs_path));
  }
  if (!prompts_.path.empty() && access(prompts_.path.c_str(), R_OK) != 0) {
    return usage(say(Msg::flag_bad_value, "--dataset-path", prompts_.path, std::strerror(errno)));
  }
  if (spread_ && !prompts_.path.empty()) return usage(say(Msg::spread_needs_synthetic));
  if (spread_) {
    if (Status spread = spread_out(prompts_.input, kDefaultInput, *spread_); !spread) return spread;
    if (Status spread = spread_out(prompts_.output, kDefaultOutput, *spread_); !spread) return spread;
  }
  if (!prompts_.output) prompts_.output = dataset::LengthDistribution::constant(kDefaultOutput);
  if (!prompts_.path.empty() && !prompts_.output->is_constant()) return usage(say(Msg::dataset_output_constant));
  return Done{};
}

}  // namespace scoville::cli

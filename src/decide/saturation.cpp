#include "decide/saturation.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "stats/attainment.hpp"

namespace scoville::decide {
namespace {

constexpr double kWarmIn = 0.1;       // of a step's requests
constexpr double kSpare = 2;          // times the fewest requests that can show a share: some may miss
constexpr double kConfirmLonger = 2;  // than what it took the search
constexpr double kFewestScreened = 20, kRequestTimes = 3;
constexpr std::size_t kMostHalvings = 8, kMostConfirmations = 6, kClientTries = 3;
constexpr double kSlightLoad = 1.05;  // requests in flight, of one user who sends without a pause
constexpr double kSearchLevel = 0.95;
constexpr double kMostPatience = 1e3;  // times the requests so far: beyond, nothing decides

bool looks_met(const StepJudgement& judged, const std::vector<plan::Slo>& slos) {
  for (std::size_t i = 0; i < slos.size(); ++i) {
    if (judged.slos[i].attainment < slos[i].share) return false;
  }
  return true;
}

double fewest_for(const std::vector<plan::Slo>& slos) {
  double fewest = 0;
  for (const plan::Slo& each : slos) fewest = std::max(fewest, fewest_to_show(each.share));
  return fewest;
}

double median(std::vector<double> values) {
  std::erase_if(values, [](double x) { return std::isnan(x); });
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::string_view name_of(Purpose purpose) {
  constexpr std::array<std::string_view, 3> kNames{"bracket", "bisect", "confirm"};
  return kNames[static_cast<std::size_t>(purpose)];
}

std::string_view name_of(SearchOutcome outcome) {
  constexpr std::array<std::string_view, 4> kNames{"found", "at_least", "none", "cannot_tell"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(SearchLimit limit) {
  constexpr std::array<std::string_view, 7> kNames{"none",          "client", "most",   "too_few_requests",
                                                   "confirmations", "drifts", "stopped"};
  return kNames[static_cast<std::size_t>(limit)];
}

SaturationSearch::SaturationSearch(SaturationRule rule) : rule_(std::move(rule)) {
  SCOVILLE_CHECK(!rule_.slos.empty(), "a search needs an SLO");
  const double start = std::min(rule_.start, rule_.most);
  next_ = ask_for(rule_.is_open_loop ? start : std::max(1.0, std::floor(start)), Purpose::bracket, 0);
}

double SaturationSearch::requests_per_s(double load) const {
  if (rule_.is_open_loop) return load;
  return rule_.requests_per_s > 0 ? load * rule_.requests_per_s : load;
}

/// Enough to show the strictest SLO with some to spare, and for long enough that a queue has the time to grow.
double SaturationSearch::usual_requests(double load) const {
  const double fewest = std::max(kFewestScreened, kSpare * fewest_for(rule_.slos));
  const double seconds = std::max(rule_.min_step_s, kRequestTimes * rule_.request_s);
  return std::max(fewest, seconds * requests_per_s(load));
}

double SaturationSearch::most_requests(double load) const {
  return std::max(kFewestScreened, rule_.max_step_s * requests_per_s(load));
}

/// Below it no step that is allowed has the requests to show anything.
double SaturationSearch::least_telling_load() const {
  return fewest_for(rule_.slos) / (rule_.max_step_s * requests_per_s(1));
}

/// `requests` judged ones, 0: as many as a step to be screened needs; the warm-in is added.
StepAsk SaturationSearch::ask_for(double load, Purpose purpose, double requests) const {
  const double seconds = std::max(rule_.min_step_s, kRequestTimes * rule_.request_s);
  if (requests <= 0) requests = std::max(kFewestScreened, seconds * requests_per_s(load));
  requests = std::min(requests, most_requests(load));
  double warm_in = std::ceil(requests * kWarmIn);
  if (!rule_.is_open_loop) warm_in = std::max(warm_in, load);  // all users begin at once
  return {load, static_cast<std::size_t>(std::ceil(requests) + warm_in), purpose, static_cast<std::size_t>(warm_in)};
}

void SaturationSearch::learn_pace(const analyse::SloSample& sample) {
  if (sample.size() < 2) return;
  rule_.request_s = median(sample.end);
  const double seconds = sample.at.back() - sample.at.front();
  result_.steps.back().seconds = seconds;
  if (!rule_.is_open_loop && seconds > 0)
    rule_.requests_per_s = static_cast<double>(sample.size() - 1) / seconds / result_.steps.back().ask.load;
}

void SaturationSearch::take(const analyse::SloSample& sample, bool client_was_bottleneck) {
  SCOVILLE_CHECK(next_.has_value(), "a step was asked for");
  const StepAsk ask = *next_;
  next_.reset();
  SaturationStep step;
  step.ask = ask;
  if (ask.purpose == Purpose::confirm) step.level = 1 - rule_.alpha / std::exp2(confirmations_);
  std::vector<analyse::SloSample> alone{sample.without_first(ask.warm_in)};
  const bool is_pooled = ask.purpose == Purpose::bisect && !client_was_bottleneck;
  if (is_pooled) pieces_.push_back(alone.front());
  const std::vector<analyse::SloSample>& pieces = is_pooled ? pieces_ : alone;
  step.pooled = pieces.size();
  step.judgement = judge_step(pieces, rule_.slos, {rule_.is_open_loop, step.level, rule_.precision / 10});
  if (client_was_bottleneck) step.judgement.verdict = StepVerdict::client_limited;
  const StepJudgement judged = step.judgement;
  result_.steps.push_back(std::move(step));
  if (client_was_bottleneck) return after_client(ask);
  learn_pace(sample);
  client_tries_ = 0;
  if (judged.verdict == StepVerdict::fails) result_.high = std::min(result_.high.value_or(ask.load), ask.load);
  switch (ask.purpose) {
    case Purpose::bracket:
      return after_bracket(judged);
    case Purpose::bisect:
      return after_bisect(judged);
    case Purpose::confirm:
      return after_confirm(judged);
  }
}

/// A busy moment of the client's machine passes; a load that it cannot make does not.
void SaturationSearch::after_client(const StepAsk& ask) {
  if (++client_tries_ < kClientTries) {
    next_ = ask;
    return;
  }
  client_tries_ = 0;
  result_.client_limit = std::min(result_.client_limit.value_or(ask.load), ask.load);
  if (ask.purpose == Purpose::confirm) return go_down();
  // A machine that cannot even make what one user makes is too busy for any load.
  const bool is_slight = rule_.request_s > 0 && requests_per_s(ask.load) * rule_.request_s <= kSlightLoad;
  if (lows_.empty() && is_slight) return end(SearchOutcome::cannot_tell, SearchLimit::client);
  not_shown(ask.load, SearchLimit::client);
}

/// A short step that misses by its looks alone is no proof: a whole one at the same load decides.
void SaturationSearch::after_bracket(const StepJudgement& judged) {
  const double load = result_.steps.back().ask.load;
  if (judged.verdict == StepVerdict::fails) return not_shown(load, SearchLimit::none);
  if (!looks_met(judged, rule_.slos)) return test(load);
  lows_.push_back({load, 0});
  bracket_on();
}

void SaturationSearch::bracket_on() {
  if (high_) return bisect_on();
  const double load = lows_.back().load;
  if (load >= rule_.most) return bisect_on();
  next_ = ask_for(std::min(2 * load, rule_.most), Purpose::bracket, 0);
}

/// How many more requests at this load would show that it holds, if they came out as those so far; empty: more than
/// there is time for, or they would show the contrary.
std::optional<double> SaturationSearch::requests_to_decide(const StepJudgement& judged) const {
  const double load = result_.steps.back().ask.load;
  const double n = static_cast<double>(judged.joint.n), most = most_requests(load) / kConfirmLonger;
  if (judged.doubt != StepDoubt::none || !looks_met(judged, rule_.slos))
    return pieces_.size() == 1 && 2 * n <= most ? std::optional(n) : std::nullopt;
  double factor = 1.25;
  const auto decides = [&](double times) {
    for (std::size_t i = 0; i < rule_.slos.size(); ++i) {
      const SloFigure& figure = judged.slos[i];
      const double trials = figure.effective_n * times;
      const auto bound = stats::attainment_at_least_of(figure.attainment * trials, trials, kSearchLevel);
      if (bound.value_or(0) < rule_.slos[i].share) return false;
    }
    return true;
  };
  while (factor < kMostPatience && factor * n <= most && !decides(factor)) factor *= 1.25;
  if (factor * n > most || !decides(factor)) return std::nullopt;
  return std::max(factor - 1, 0.5) * n;
}

void SaturationSearch::after_bisect(const StepJudgement& judged) {
  const double load = result_.steps.back().ask.load;
  if (judged.verdict == StepVerdict::fails) return not_shown(load, SearchLimit::none);
  if (judged.verdict == StepVerdict::holds) {
    const Low shown{load, judged.joint.n};
    pieces_.clear();
    if (!lows_.empty() && lows_.back().load == load) lows_.pop_back();
    lows_.push_back(shown);
    return bracket_on();
  }
  if (const std::optional<double> more = requests_to_decide(judged)) {
    next_ = ask_for(load, Purpose::bisect, *more);
    return;
  }
  note_need(judged, load);
  not_shown(load, judged.doubt == StepDoubt::drifts ? SearchLimit::drifts : SearchLimit::too_few_requests);
}

/// What it would take at least at this load: the fewest requests that can show it, clustered as they are.
void SaturationSearch::note_need(const StepJudgement& judged, double load) {
  double needed = 0;
  for (std::size_t i = 0; i < rule_.slos.size(); ++i)
    needed = std::max(needed, kSpare * fewest_to_show(rule_.slos[i].share) * judged.slos[i].inflation);
  result_.needed_requests = std::ceil(needed);
  result_.needed_s = kConfirmLonger * needed / requests_per_s(load);
}

/// The load is the upper end of the bracket.
void SaturationSearch::not_shown(double load, SearchLimit why) {
  pieces_.clear();
  high_ = load;
  why_high_ = why;
  while (!lows_.empty() && lows_.back().load >= load) lows_.pop_back();
  if (!lows_.empty()) return bisect_on();
  const bool was_shown = why == SearchLimit::none;
  const bool tells_no_more = rule_.is_open_loop && load <= least_telling_load();
  const bool is_smallest = rule_.is_open_loop ? ++halvings_ > kMostHalvings : load <= 1;
  if (was_shown && (is_smallest || tells_no_more)) return end(SearchOutcome::none, SearchLimit::none);
  if (is_smallest) return end(SearchOutcome::cannot_tell, why);
  if (tells_no_more) return end(SearchOutcome::cannot_tell, SearchLimit::too_few_requests);
  next_ = ask_for(rule_.is_open_loop ? load / 2 : std::floor(load / 2), Purpose::bracket, 0);
}

bool SaturationSearch::is_closed() const {
  if (!high_) return lows_.back().load >= rule_.most;
  const double low = lows_.back().load;
  return rule_.is_open_loop ? *high_ <= low * (1 + rule_.precision) : *high_ - low <= 1;
}

void SaturationSearch::bisect_on() {
  const Low& low = lows_.back();
  result_.low_seen = low.load;
  result_.high_seen = high_;
  if (is_closed()) return low.requests > 0 ? confirm_at(low.load) : test(low.load);
  const double middle = rule_.is_open_loop ? std::sqrt(low.load * *high_) : std::floor((low.load + *high_) / 2);
  test(middle);
}

/// A step long enough to show something, which in an open loop needs a load that is not too small.
void SaturationSearch::test(double load) {
  if (rule_.is_open_loop && load < least_telling_load()) {
    load = least_telling_load() * (1 + rule_.precision);
    if (load > rule_.most || (high_ && load >= *high_)) {
      note_need(result_.steps.back().judgement, result_.steps.back().ask.load);
      return end(SearchOutcome::cannot_tell, SearchLimit::too_few_requests);
    }
  }
  next_ = ask_for(load, Purpose::bisect, usual_requests(load));
}

void SaturationSearch::confirm_at(double load) {
  ++confirmations_;
  const double shown_by = lows_.empty() ? 0 : static_cast<double>(lows_.back().requests);
  next_ = ask_for(load, Purpose::confirm, std::max(usual_requests(load), kConfirmLonger * shown_by));
}

void SaturationSearch::after_confirm(const StepJudgement& judged) {
  const double load = result_.steps.back().ask.load;
  if (judged.verdict != StepVerdict::holds) {
    note_need(judged, load);
    return go_down();
  }
  result_.value = load;
  result_.confirmed_by = result_.steps.size() - 1;
  const bool is_top = confirmations_ == 1;  // nothing between it and what ended the search
  if (is_top && !high_) return end(SearchOutcome::at_least, SearchLimit::most);
  if (is_top && why_high_ == SearchLimit::client) return end(SearchOutcome::at_least, SearchLimit::client);
  end(SearchOutcome::found, SearchLimit::none);
}

void SaturationSearch::go_down() {
  const SaturationStep& last = result_.steps.back();
  const double load = last.ask.load, down = rule_.precision * std::exp2(confirmations_ - 1);
  const bool is_smallest = !rule_.is_open_loop && load <= 1;
  if (is_smallest && last.judgement.verdict == StepVerdict::fails) return end(SearchOutcome::none, SearchLimit::none);
  if (is_smallest || confirmations_ >= kMostConfirmations) {
    if (last.judgement.verdict == StepVerdict::client_limited)
      return end(SearchOutcome::cannot_tell, SearchLimit::client);
    return end(SearchOutcome::cannot_tell,
               last.judgement.doubt == StepDoubt::drifts ? SearchLimit::drifts : SearchLimit::confirmations);
  }
  result_.high_seen = load;
  confirm_at(rule_.is_open_loop ? load / (1 + down) : std::max(1.0, std::min(load - 1, std::floor(load * (1 - down)))));
}

void SaturationSearch::stop() {
  if (next_) end(SearchOutcome::cannot_tell, SearchLimit::stopped);
}

void SaturationSearch::end(SearchOutcome outcome, SearchLimit limit) {
  next_.reset();
  result_.outcome = outcome;
  result_.limit = limit;
  if (!lows_.empty()) result_.low_seen = lows_.back().load;
  if (!result_.high_seen) result_.high_seen = high_;
}

}  // namespace scoville::decide

#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "decide/load_step.hpp"

namespace scoville::decide {

enum class Purpose { bracket, bisect, confirm };
std::string_view name_of(Purpose purpose);

struct SaturationRule {
  std::vector<plan::Slo> slos;
  bool is_open_loop = true;   ///< the load is a rate, requests per second; else a number of users, whole
  double start = 1;           ///< the first load
  double most = 1e7;          ///< none above is tried
  double precision = 0.02;    ///< of a rate; users are told apart one by one
  double min_step_s = 10;     ///< a load is kept up for at least this long
  double max_step_s = 300;    ///< and for no longer, all its steps together
  double request_s = 0;       ///< how long a request takes by itself, where known; 0: not
  double alpha = 0.05;        ///< of the answer: chance that a load is accepted that misses an SLO
  double requests_per_s = 0;  ///< of one user, where known; 0: not. Only for a number of users
};

/// What is to be measured next.
struct StepAsk {
  double load = 0;
  std::size_t requests = 0;
  Purpose purpose = Purpose::bracket;
  std::size_t warm_in = 0;  ///< of these requests so many are not judged, for the server began empty
};

struct SaturationStep {
  StepAsk ask;
  double level = 0.95;     ///< of the lower bound
  std::size_t pooled = 1;  ///< steps at this load that the judgement is about, this one the last
  double seconds = 0;      ///< from the first to the last request
  StepJudgement judgement;
};

enum class SearchOutcome {
  found,       ///< a load is shown to hold, and the next larger one tried is not
  at_least,    ///< a load is shown to hold; above it cannot be told (`limit` says why)
  none,        ///< even the smallest load tried is shown not to hold
  cannot_tell  ///< no load is shown to hold
};
std::string_view name_of(SearchOutcome outcome);

/// What kept the search from telling more.
enum class SearchLimit { none, client, most, too_few_requests, confirmations, drifts, stopped };
std::string_view name_of(SearchLimit limit);

struct Saturation {
  SearchOutcome outcome = SearchOutcome::cannot_tell;
  SearchLimit limit = SearchLimit::none;
  std::optional<double> value;                ///< the accepted load
  std::optional<double> high;                 ///< the smallest load above it that was shown not to hold
  std::optional<std::size_t> confirmed_by;    ///< place among the steps
  std::optional<double> low_seen, high_seen;  ///< the bracket, shown or not: where the answer was looked for last
  std::optional<double> client_limit;         ///< the smallest load at which the client was the bottleneck
  std::optional<double> needed_requests;      ///< at the load tried last, where their number was what lacked
  std::optional<double> needed_s;             ///< how long that takes
  std::vector<SaturationStep> steps;
};

/// Looks for the largest load within SLOs. Knows no clock and no socket: it says what to measure, and is told what
/// came out.
///
///   bracket  short steps, each load twice the one before, until one does not look as if it held
///   bisect   between the largest load that looks so and the smallest that was not shown to hold. A step that shows
///            neither is prolonged by another one, as long as that can decide it and fits into max_step; undecided, the
///            load counts as not shown
///   confirm  the largest load shown is measured anew, on arrivals of its own, for a length set beforehand. The search
///            looked at many steps and kept the luckiest, so its own figures prove nothing; this step does. Where it
///            does not hold, the next smaller load is confirmed at half the α: all of them together stay below `alpha`
class SaturationSearch {
 public:
  explicit SaturationSearch(SaturationRule rule);

  /// Empty: the search is over.
  const std::optional<StepAsk>& next() const { return next_; }
  /// The answer to next(): all its requests.
  void take(const analyse::SloSample& sample, bool client_was_bottleneck);
  /// Somebody wants no more steps: what is known stays.
  void stop();
  const Saturation& result() const { return result_; }
  const SaturationRule& rule() const { return rule_; }

 private:
  /// A load that was not seen to fail, or is shown to hold.
  struct Low {
    double load = 0;
    std::size_t requests = 0;  ///< that it took to show it; 0: it is not shown
  };

  void learn_pace(const analyse::SloSample& sample);
  double requests_per_s(double load) const;
  StepAsk ask_for(double load, Purpose purpose, double requests) const;
  double usual_requests(double load) const;
  double most_requests(double load) const;
  double least_telling_load() const;
  void after_client(const StepAsk& ask);
  void after_bracket(const StepJudgement& judged);
  void after_bisect(const StepJudgement& judged);
  void after_confirm(const StepJudgement& judged);
  std::optional<double> requests_to_decide(const StepJudgement& judged) const;
  void not_shown(double load, SearchLimit why);
  bool is_closed() const;
  void bracket_on();
  void bisect_on();
  void test(double load);
  void confirm_at(double load);
  void go_down();
  void end(SearchOutcome outcome, SearchLimit limit);
  void note_need(const StepJudgement& judged, double load);

  SaturationRule rule_;
  std::optional<StepAsk> next_;
  Saturation result_;
  std::vector<Low> lows_;       // loads below the bracket's upper end, ascending; the last is its lower end
  std::optional<double> high_;  // smallest load that was not shown to hold
  SearchLimit why_high_ = SearchLimit::none;
  std::vector<analyse::SloSample> pieces_;  // of the load that is being bisected
  std::size_t halvings_ = 0, confirmations_ = 0, client_tries_ = 0;
};

}  // namespace scoville::decide

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace scoville::matrix {

/// A measured value as the matrix takes it, and how far it may be off.
struct Estimate {
  std::optional<double> value, low, high;  ///< one end alone is a bound; low ≤ value ≤ high
  std::size_t n = 0;                       ///< runs, pairs or tasks that the interval rests on; 0: not said
  std::optional<std::size_t> samples;      ///< requests or gaps behind a tail, where the value is one
  std::string unit;
  std::string source;     ///< ids of sets, runs, findings
  std::string note;       ///< why there is none
  bool is_exact = false;  ///< counted, or a fact: it needs no interval

  bool has_data() const { return value || low || high; }
};

/// What is asked of a measure. Both ends belong to it.
struct Target {
  std::optional<double> least, most;
  std::string unit;
  std::string source, date;       ///< who asks for it, and since when
  std::string source_zh;          ///< the same in Chinese; empty: as it stands
  bool is_default = false;        ///< of the template or the scenario, not of the plan
  std::size_t least_n = 0;        ///< with fewer runs nothing is said
  std::size_t least_samples = 0;  ///< with fewer requests nothing is said: 130 for a P95, 662 for a P99

  bool is_set() const { return least || most; }
};

enum class Verdict { pass, fail, inconclusive, untested };
std::string_view name_of(Verdict verdict);

/// Why there is neither pass nor fail.
enum class Reason {
  none,
  no_data,
  no_target,
  units_differ,
  no_interval,
  too_few_runs,
  too_few_samples,
  straddles,  ///< the target lies within the interval
};
std::string_view name_of(Reason reason);

struct Judgement {
  Verdict verdict = Verdict::untested;
  Reason reason = Reason::no_data;
  /// Runs (too_few_samples: requests) in all that would tell. Where the target lies within the interval, that is where
  /// an interval that narrows with √n around the same value would leave the target out: a guess, and none where the
  /// value is the target or a million would not do.
  std::optional<std::size_t> needed;

  friend bool operator==(const Judgement&, const Judgement&) = default;
};

/// From the interval, not from the point: all of it within the target → pass, all of it without → fail, else
/// inconclusive. An exact value is its own interval.
Judgement assess(const Estimate& estimate, const Target& target);

/// The verdict of assess() alone.
Verdict judge(const Estimate& estimate, const Target& target);

/// The one that decides for several: fail before untested before inconclusive before pass.
Verdict worse(Verdict a, Verdict b);

}  // namespace scoville::matrix

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/external_result.hpp"
#include "evidence/members.hpp"

namespace scoville::evidence {

/// A metric of theirs: its name, what it is to us, and how to bring it to base units.
struct Theirs {
  std::string_view name;  ///< the tool's
  Metric metric = Metric::none;
  Definition definition = Definition::other;
  Unit unit = Unit::theirs;
  double divisor = 1;  ///< 1000: milliseconds
};

/// Adds what is `key` of `from`, where it is there; null is a figure without a value.
void put(ExternalResult& result, const Members& from, std::string_view key, const Theirs& what,
         std::string statistic = "");

/// Adds a number that was found or computed elsewhere. `conversion` replaces the one that the divisor tells.
void put_value(ExternalResult& result, std::optional<double> value, std::string as, const Theirs& what,
               std::string statistic = "", std::string conversion = "");

/// "p50", "p99.9" of a percentile spelt "p99", "P99", "99%", "99.0" or "99". Empty: it is none.
std::string percentile(std::string_view word);

/// The statistics of an object with a member for each: mean or avg, median, min, max, std…, and percentiles by
/// `name_of` (as percentile() where it is null). Others are passed over.
void put_statistics(ExternalResult& result, const Members& from, const Theirs& what,
                    std::string (*name_of)(std::string_view) = nullptr);

/// Per-request values of theirs, each for the requests that succeeded and have it, in seconds.
struct RequestValues {
  std::vector<double> ttft, e2e, tpot, ntpot, icl;
  std::uint64_t attempted = 0;
};
/// The definitions of what RequestValues hold.
struct RequestDefinitions {
  Definition ttft, e2e, tpot, ntpot, icl;
};
/// Mean and our quantiles (P50, P90, P95, P99; nearest rank) of each, marked as recomputed.
void put_recomputed(ExternalResult& result, RequestValues values, const RequestDefinitions& definitions,
                    std::string_view as);

}  // namespace scoville::evidence

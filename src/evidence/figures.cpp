#include "evidence/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "stats/quantile.hpp"
#include "stats/summary.hpp"

namespace scoville::evidence {
namespace {

/// "mean" of the words that tools have for it. Empty: none of them.
std::string statistic_of(std::string_view word) {
  if (word == "mean" || word == "avg") return "mean";
  if (word == "median") return "p50";
  if (word == "std" || word == "stddev" || word == "std_dev") return "std";
  return word == "min" || word == "max" ? std::string(word) : "";
}

bool has(const ExternalResult& result, const Theirs& what, const std::string& statistic) {
  return std::any_of(result.figures.begin(), result.figures.end(), [&](const Figure& each) {
    return each.their_name == what.name && each.statistic == statistic && each.recomputed == 0;
  });
}

void put_samples(ExternalResult& result, std::vector<double> samples, Metric metric, Definition definition,
                 std::string_view as, std::uint64_t requests) {
  if (samples.empty()) return;
  std::sort(samples.begin(), samples.end());
  const auto add = [&](std::string statistic, std::optional<double> value) {
    Figure figure;
    figure.metric = metric;
    figure.statistic = std::move(statistic);
    figure.value = value;
    figure.unit = Unit::seconds;
    figure.as = as;
    figure.their_name = as;
    figure.definition = definition;
    figure.conversion = "nearest rank";
    figure.recomputed = requests;
    result.figures.push_back(std::move(figure));
  };
  add("mean", stats::mean(samples));
  for (const auto& [name, p] : {std::pair("p50", 0.5), {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}})
    add(name, stats::nearest_rank_quantile(samples, p));
}

}  // namespace

void put_value(ExternalResult& result, std::optional<double> value, std::string as, const Theirs& what,
               std::string statistic, std::string conversion) {
  Figure figure;
  figure.metric = what.metric;
  figure.statistic = std::move(statistic);
  if (value && std::isfinite(*value / what.divisor)) figure.value = *value / what.divisor;
  figure.unit = what.unit;
  figure.as = std::move(as);
  figure.their_name = what.name;
  figure.definition = what.definition;
  figure.conversion = std::move(conversion);
  if (figure.conversion.empty() && what.divisor != 1) figure.conversion = fmt::format("/ {:.0f}", what.divisor);
  result.figures.push_back(std::move(figure));
}

void put(ExternalResult& result, const Members& from, std::string_view key, const Theirs& what, std::string statistic) {
  if (from.has(key)) put_value(result, from.number(key), from.path_of(key), what, std::move(statistic));
}

std::string percentile(std::string_view word) {
  if (word.starts_with('p') || word.starts_with('P')) word.remove_prefix(1);
  if (word.ends_with('%')) word.remove_suffix(1);
  double percent = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), percent);
  if (fault != std::errc() || end != word.data() + word.size() || !(percent >= 0 && percent <= 100)) return "";
  return fmt::format("p{}", percent);
}

void put_statistics(ExternalResult& result, const Members& from, const Theirs& what,
                    std::string (*name_of)(std::string_view)) {
  for (const auto& pair : from.object()) {
    const std::string_view key = pair.key();
    std::string statistic = statistic_of(key);
    if (statistic.empty() && (name_of || key.starts_with('p'))) statistic = (name_of ? name_of : percentile)(key);
    // A median beside a P50 is the same figure twice.
    if (!statistic.empty() && !has(result, what, statistic)) put(result, from, key, what, std::move(statistic));
  }
}

void put_recomputed(ExternalResult& result, RequestValues values, const RequestDefinitions& definitions,
                    std::string_view as) {
  const std::uint64_t n = values.attempted;
  put_samples(result, std::move(values.ttft), Metric::ttft, definitions.ttft, as, n);
  put_samples(result, std::move(values.tpot), Metric::tpot, definitions.tpot, as, n);
  put_samples(result, std::move(values.ntpot), Metric::ntpot, definitions.ntpot, as, n);
  put_samples(result, std::move(values.icl), Metric::icl, definitions.icl, as, n);
  put_samples(result, std::move(values.e2e), Metric::e2e, definitions.e2e, as, n);
}

}  // namespace scoville::evidence

#include "report/comparison_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

using decide::Comparison;
using decide::MetricComparison;
using decide::NoVerdict;
using decide::Scope;
using stats::Verdict;
using text::Msg;
using text::say;

Msg closing_key(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return Msg::compare_closing_faster;
    case Verdict::faster_size_uncertain:
      return Msg::compare_closing_faster_uncertain;
    case Verdict::slower_size_uncertain:
      return Msg::compare_closing_slower_uncertain;
    case Verdict::slower:
      return Msg::compare_closing_slower;
    case Verdict::equivalent:
    case Verdict::inconclusive:
      break;
  }
  return Msg::compare_closing_equivalent;
}

std::string scope_words(const Comparison& all) {
  switch (all.gate.scope) {
    case Scope::service:
      return say(Msg::compare_scope_service);
    case Scope::stack:
      return say(Msg::compare_scope_stack);
    case Scope::single:
      return say(Msg::compare_scope_single, joined(all.gate.differs));
    case Scope::same:
      return say(Msg::compare_scope_same);
  }
  return "";
}

std::string said_scope(const Comparison& all) {
  if (all.gate.allowed.empty()) return scope_words(all);
  return say(Msg::compare_closing_allowed, scope_words(all), joined(all.gate.allowed));
}

}  // namespace

std::string closing(const Comparison& all, const MetricComparison& metric) {
  const std::string title = title_of(*metric.metric), scope = said_scope(all);
  if (metric.verdict == Verdict::inconclusive) {
    const std::string reason =
        metric.reason == NoVerdict::not_resolved ? say(Msg::compare_why_not_resolved) : name_of_verdict(metric);
    return say(Msg::compare_closing_unknown, title, all.candidate, all.base, reason, scope);
  }
  const double ratio = metric.ratio->value;
  const std::string by = metric.verdict == Verdict::equivalent ? percent(metric.margin) : percent(std::fabs(ratio - 1));
  const stats::CoveredInterval& interval = *metric.ratio->interval;
  return say(closing_key(metric.verdict), title, all.candidate, all.base, ratio_of(ratio), ratio_of(interval.lower),
             ratio_of(interval.upper), scope, by);
}

std::string name_of_verdict(const MetricComparison& metric) {
  switch (metric.verdict) {
    case Verdict::faster:
      return say(Msg::compare_verdict_faster);
    case Verdict::faster_size_uncertain:
      return say(Msg::compare_verdict_faster_uncertain);
    case Verdict::equivalent:
      return say(Msg::compare_verdict_equivalent);
    case Verdict::slower_size_uncertain:
      return say(Msg::compare_verdict_slower_uncertain);
    case Verdict::slower:
      return say(Msg::compare_verdict_slower);
    case Verdict::inconclusive:
      break;
  }
  switch (metric.reason) {
    case NoVerdict::too_few_runs:
      return say(Msg::compare_verdict_too_few);
    case NoVerdict::missing:
      return say(metric.base.n + metric.candidate.n == 0 ? Msg::compare_verdict_nowhere : Msg::compare_verdict_missing);
    case NoVerdict::unsupported:
      return say(Msg::compare_verdict_unsupported);
    case NoVerdict::family_too_large:
      return say(Msg::compare_verdict_family);
    case NoVerdict::not_per_device:
      return say(Msg::compare_verdict_not_per_device);
    case NoVerdict::none:
    case NoVerdict::not_resolved:
      break;
  }
  return say(Msg::compare_verdict_not_resolved);
}

std::string title_of(const decide::Metric& metric) {
  if (metric.key == "output_tokens_per_s") return say(Msg::row_output_rate) + "/s";
  if (metric.key == "total_tokens_per_s") return say(Msg::row_total_rate) + "/s";
  if (metric.key == "requests_per_s") return say(Msg::row_request_rate) + "/s";
  if (metric.key == "goodput_per_s") return say(Msg::compare_goodput) + "/s";
  if (metric.key == "attainment") return say(Msg::row_attainment);
  const std::size_t cut = metric.key.find('_');
  std::string name(metric.key.substr(0, cut));
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name + (cut == std::string_view::npos ? " P50" : " P" + std::string(metric.key.substr(cut + 2)));
}

std::string ratio_of(double ratio) { return fmt::format("{:#.4g}", ratio); }
std::string percent(double share) { return fmt::format("{:.3g} %", share * 100); }
std::string joined(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }

bool asks_the_same(const decide::Gate& gate) {
  const auto& refused = gate.refused;
  return std::none_of(refused.begin(), refused.end(), [](const std::string& key) {
    return key == "dataset" || key == "request.sampling" || key == "request.dialect";
  });
}

}  // namespace scoville::report

#include "report/validity_report.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/cells.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using analyse::Latency;
using analyse::NoInterval;
using analyse::Quantile;
using analyse::SeriesValidity;
using stats::NoWindow;
using stats::SteadyVerdict;
using text::Msg;
using text::Phrase;
using text::say;

std::string line(const std::string& sentence) { return text::wrapped(sentence, kLineWidth, 2); }
std::string signed_percent(double share) { return fmt::format("{:+.2g} %", share * 100 + 0.0); }
std::string percent(double share) { return fmt::format("{:.6g} %", share * 100); }
std::string p_text(double p) { return p < 0.0001 ? "< 0.0001" : fmt::format("{:.2g}", p); }

Phrase name_phrase(analyse::Series series) {
  if (series == analyse::Series::ttft) return {"TTFT", "TTFT"};
  if (series == analyse::Series::tpot) return {"TPOT", "TPOT"};
  Phrase rate = text::phrase(Msg::row_output_rate);
  return {rate.english + "/s", rate.chinese + "/s"};
}

std::string said(analyse::Series series) { return name_phrase(series).said(); }

void append(std::string& list, const std::string& item, const char* between = ", ") {
  if (item.empty()) return;
  list += (list.empty() ? "" : between) + item;
}

/// The sentence in both languages, the name of the series in each.
template <class... Args>
Phrase phrase_of(Msg key, analyse::Series series, const Args&... args) {
  const Phrase name = name_phrase(series);
  return {text::say_in(text::Language::english, key, name.english, args...),
          text::say_in(text::Language::chinese, key, name.chinese, args...)};
}

/// What one series does that drifts.
Phrase drift_of(const SeriesValidity& each, double significance) {
  const stats::SteadyWindow& window = each.window;
  const bool is_trend =
      window.verdict != SteadyVerdict::staircase && window.trend && window.drift && window.trend->p < significance;
  if (is_trend) {
    const Msg key = *window.drift > 0 ? Msg::validity_rises : Msg::validity_falls;
    return phrase_of(key, each.series, fmt::format("{:.2g} %", std::fabs(*window.drift) * 100),
                     p_text(window.trend->p));
  }
  const double length = static_cast<double>(std::max<std::size_t>(1, each.values - window.first));
  const double at = window.step ? static_cast<double>(window.step->first_segment) / length : 0;
  return phrase_of(Msg::validity_steps, each.series, signed_percent(window.jump.value_or(0)),
                   fmt::format("{:.0f} %", at * 100), p_text(window.step_p.value_or(1)));
}

std::string doubt_of(const SeriesValidity& each) {
  switch (each.window.reason) {
    case NoWindow::too_short:
      return say(Msg::validity_too_short, said(each.series), each.values);
    case NoWindow::over_half:
      return say(Msg::validity_over_half, said(each.series));
    case NoWindow::no_level:
      return say(Msg::validity_no_level, said(each.series));
    case NoWindow::none:
      break;
  }
  return "";
}

std::string unknown_line(const analyse::Validity& validity) {
  std::string why;
  for (const SeriesValidity& each : validity.series) append(why, doubt_of(each), "; ");
  return line(say(Msg::validity_unknown, why.empty() ? say(Msg::validity_no_series) : why));
}

json::value whole_or_null(bool is_there, std::size_t value) {
  return is_there ? json::value(value) : json::value(nullptr);
}

json::value reason_json(NoWindow reason) {
  return reason == NoWindow::none ? json::value(nullptr) : json::value(json::string(analyse::name_of(reason)));
}

json::object series_json(const SeriesValidity& each) {
  const stats::SteadyWindow& window = each.window;
  const bool has_range = window.last > window.first;
  json::object out{
      {"verdict", json::string(analyse::name_of(window.verdict))},
      {"reason", reason_json(window.reason)},
      {"n", each.n},
      {"values", each.values},
      {"requests_per_value", nullptr},
      {"bin_s", nullptr},
      {"kept", nullptr},
      {"mser_cut", whole_or_null(window.truncation.has_value(), window.truncation ? window.truncation->first_kept : 0)},
      {"trend", nullptr},
      {"step", nullptr},
      {"r1", number_or_null(each.r1)},
      {"effective_n", number_or_null(each.effective_n)}};
  if (each.series == analyse::Series::output_tokens_per_s)
    out["bin_s"] = to_seconds(each.bin);
  else
    out["requests_per_value"] = each.per_value;
  if (has_range) out["kept"] = json::object{{"from", window.first}, {"to", window.last}};
  if (window.trend) {
    out["trend"] =
        json::object{{"windows", window.windows}, {"p", window.trend->p}, {"drift", number_or_null(window.drift)}};
  }
  if (window.step) {
    out["step"] = json::object{{"at", window.first + window.step->first_segment},
                               {"p", number_or_null(window.step_p)},
                               {"jump", number_or_null(window.jump)}};
  }
  return out;
}

/// "P95 ≤ 71.2 ms", or why there is no bound.
std::string certified_of(const std::string& name, const Quantile& quantile) {
  if (quantile.certified) return fmt::format("{} ≤ {}", name, span(quantile.certified));
  switch (quantile.not_certified) {
    case NoInterval::too_few:
      return say(Msg::certified_too_few, name, quantile.needed);
    case NoInterval::autocorrelated:
      return say(Msg::certified_correlated, name);
    case NoInterval::censored:
      return say(Msg::certified_censored, name);
    case NoInterval::none:
    case NoInterval::pooled:
    case NoInterval::coalesced:
      break;
  }
  return "";
}

std::string certified_of(const char* name, const analyse::Metric& metric) {
  const Quantile *const p95 = metric.at(0.95), *const p99 = metric.at(0.99);
  if (metric.n == 0 || !p95 || !p99) return "";
  if (p95->not_certified == NoInterval::autocorrelated) return certified_of(std::string(name) + " P95, P99", *p95);
  return fmt::format("{} {}, {}", name, certified_of("P95", *p95), certified_of("P99", *p99));
}

}  // namespace

json::object validity_json(const analyse::Validity& validity) {
  json::object series;
  for (const SeriesValidity& each : validity.series) series[analyse::name_of(each.series)] = series_json(each);
  return {{"verdict", json::string(analyse::name_of(validity.verdict))},
          {"reason", reason_json(validity.reason)},
          {"significance", validity.significance},
          {"series", std::move(series)}};
}

std::string validity_line(const analyse::Analysis& analysis) {
  const analyse::Validity& validity = analysis.validity;
  if (analyse::drifts(validity.verdict)) return "";
  if (validity.verdict == SteadyVerdict::not_found) return unknown_line(validity);
  std::string drifts, worth;
  for (const SeriesValidity& each : validity.series) {
    append(drifts, said(each.series) + " " + signed_percent(each.window.drift.value_or(0)));
    if (each.series == analyse::Series::output_tokens_per_s || !each.effective_n) continue;
    const double independent = std::min(static_cast<double>(each.n), *each.effective_n);
    append(worth, say(Msg::validity_of, said(each.series), fmt::format("{:.0f}", independent), each.n));
  }
  return line(worth.empty() ? say(Msg::validity_steady_plain, drifts) : say(Msg::validity_steady, drifts, worth));
}

Phrase drift_words(const analyse::Analysis& analysis) {
  Phrase out;
  for (const SeriesValidity& each : analysis.validity.series) {
    if (!analyse::drifts(each.window.verdict)) continue;
    const Phrase one = drift_of(each, analysis.validity.significance);
    append(out.english, one.english, "; ");
    append(out.chinese, one.chinese, "；");
  }
  return out.english.empty() ? text::phrase(Msg::validity_warmup) : out;
}

std::string certified_line(const analyse::Analysis& analysis) {
  std::string all;
  append(all, certified_of("TTFT", analysis.latency(Latency::ttft)), "; ");
  append(all, certified_of("TPOT", analysis.latency(Latency::tpot)), "; ");
  append(all, certified_of("E2E", analysis.latency(Latency::e2e)), "; ");
  return all.empty() ? "" : line(say(Msg::certified_line, all));
}

std::string fan_out_line(const analyse::Analysis& analysis) {
  if (!analysis.goodput || analysis.goodput->fan_out.empty()) return "";
  const analyse::FanOut& ten = analysis.goodput->fan_out.front();
  return line(say(Msg::fan_out_line, ten.calls, fmt::format("{:.3g} %", ten.attainment * 100),
                  percent(analyse::kFanOutTarget), percent(ten.each_needs),
                  fmt::format("{:.4g} %", analysis.goodput->counts.attainment * 100)));
}

}  // namespace scoville::report

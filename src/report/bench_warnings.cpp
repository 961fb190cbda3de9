#include <fmt/format.h>

#include "base/check.hpp"
#include "report/bench_report.hpp"
#include "report/launch_lines.hpp"
#include "report/validity_report.hpp"
#include "report/words.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

using analyse::Analysis;
using analyse::Doubtful;
using text::Msg;
using text::say_in;

dataset::Warning sentence(const analyse::Warning& warning, const Analysis& analysis) {
  const std::string code(name_of(warning.code));
  const std::string percent = fmt::format("{:.3g} %", warning.share * 100);
  const auto make = [&](Msg key, const auto&... args) { return dataset::make_warning(code, key, args...); };
  switch (warning.code) {
    case Doubtful::no_schedule:
      return make(Msg::doubt_no_schedule, warning.count);
    case Doubtful::schedule_not_met:
      return make(Msg::doubt_schedule_not_met, fmt::format("{:.4g}", analysis.achieved_per_s.value_or(0)),
                  fmt::format("{:.4g}", analysis.offered_per_s.value_or(0)));
    case Doubtful::concurrency_not_reached:
      return make(Msg::doubt_concurrency_not_reached, warning.count, warning.share);
    case Doubtful::few_samples:
      return make(Msg::doubt_few_samples, warning.count, warning.share);
    case Doubtful::failures:
      return make(Msg::doubt_failures, warning.count, percent);
    case Doubtful::timeouts:
      return make(Msg::doubt_timeouts, warning.count, percent);
    case Doubtful::short_outputs:
      return make(Msg::doubt_short_outputs, warning.count, percent);
    case Doubtful::output_lengths_differ:
      return make(warning.share > 1 ? Msg::doubt_outputs_too_long : Msg::doubt_output_lengths_differ, percent);
    case Doubtful::coalesced_by_transport:
      return make(Msg::doubt_coalesced, percent);
    case Doubtful::burst_streams:
      return make(Msg::doubt_burst_streams, warning.count, percent);
    case Doubtful::not_streamed:
      return make(Msg::doubt_not_streamed, warning.count, percent);
    case Doubtful::multi_token_chunks:
      return make(Msg::doubt_multi_token_chunks, fmt::format("{:.3g}", warning.share));
    case Doubtful::tokens_not_counted:
      return make(Msg::doubt_tokens_not_counted, warning.count, percent);
    case Doubtful::no_kernel_stamps:
      return make(Msg::doubt_no_kernel_stamps);
    case Doubtful::clock_step:
      return make(Msg::doubt_clock_step, warning.count);
    case Doubtful::stale_reuse:
      return make(Msg::doubt_stale_reuse, warning.count, percent);
    case Doubtful::malformed_frames:
      return make(Msg::doubt_malformed_frames, warning.count, percent);
    case Doubtful::no_warmup_found:
      return make(Msg::doubt_no_warmup_found);
    case Doubtful::drifting: {
      const text::Phrase words = drift_words(analysis);
      return {code,
              {say_in(text::Language::english, Msg::doubt_drifting, words.english),
               say_in(text::Language::chinese, Msg::doubt_drifting, words.chinese)}};
    }
    case Doubtful::empty_outputs:
      return make(Msg::doubt_empty_outputs, warning.count, percent);
    case Doubtful::context_length:
      return make(Msg::doubt_context_length, warning.count, percent);
    case Doubtful::usage_differs:
      return make(Msg::doubt_usage_differs, warning.count, percent);
    case Doubtful::no_keep_alive:
      return make(Msg::doubt_no_keep_alive);
    case Doubtful::interrupted:
      return make(Msg::doubt_interrupted, warning.count);
    case Doubtful::turns_not_sent:
      return make(Msg::doubt_turns_not_sent, warning.count);
    case Doubtful::probe_few:
      return make(Msg::doubt_probe_few, warning.count);
  }
  SCOVILLE_CHECK(false, "every doubt has a sentence");
}

Msg words_of(analyse::Doubt doubt) {
  switch (doubt) {
    case analyse::Doubt::drops:
      return Msg::why_drops;
    case analyse::Doubt::send_lag:
      return Msg::why_send_lag;
    case analyse::Doubt::loop_busy:
      return Msg::why_loop_busy;
    case analyse::Doubt::late_merged:
      return Msg::why_late_merged;
    case analyse::Doubt::steal:
      return Msg::why_steal;
    case analyse::Doubt::client_resource:
      return Msg::why_client_resource;
    case analyse::Doubt::not_recorded:
      return Msg::why_not_recorded;
  }
  SCOVILLE_CHECK(false, "every doubt has its words");
}

/// A bound that is no longer small beside its figure: events of reads that came late have wide intervals.
std::optional<dataset::Warning> bound_warning(const Analysis& analysis) {
  constexpr double kSmall = 0.2;  // of the median
  const auto is_large = [&](std::optional<Nanos> bound, analyse::Latency which) {
    const analyse::Quantile* const median = analysis.latency(which).at(0.5);
    return bound && median && median->value && to_seconds(*bound) > kSmall * to_seconds(*median->value);
  };
  const analyse::ErrorBound& bound = analysis.error_bound;
  std::string names;
  const auto name = [&](const char* what, std::optional<Nanos> of, analyse::Latency which) {
    if (is_large(of, which)) names += (names.empty() ? "" : ", ") + std::string(what);
  };
  name("TTFT", bound.ttft, analyse::Latency::ttft);
  name("TPOT", bound.tpot, analyse::Latency::tpot);
  name("ICL", bound.icl, analyse::Latency::icl);
  name("E2E", bound.e2e, analyse::Latency::e2e);
  if (names.empty()) return std::nullopt;
  return dataset::make_warning("error_bound_large", Msg::doubt_bound_large, names);
}

std::optional<dataset::Warning> instrument_warning(const analyse::Instrument& instrument) {
  if (instrument.verdict == analyse::Verdict::ok) return std::nullopt;
  std::string english, chinese;
  for (const analyse::Doubt each : instrument.reasons) {
    const text::Phrase why = text::phrase(words_of(each));
    english += (english.empty() ? "" : ", ") + why.english;
    chinese += (chinese.empty() ? "" : "、") + why.chinese;
  }
  const bool is_bottleneck = instrument.verdict == analyse::Verdict::bottleneck;
  const Msg key = is_bottleneck ? Msg::doubt_instrument_bottleneck : Msg::doubt_instrument_suspect;
  return dataset::Warning{
      is_bottleneck ? "instrument_bottleneck" : "instrument_suspect",
      {say_in(text::Language::english, key, english), say_in(text::Language::chinese, key, chinese)}};
}

}  // namespace

std::vector<dataset::Warning> all_warnings(const Analysis& analysis, const BenchSubject& subject) {
  std::vector<dataset::Warning> out;
  const auto add = [&](std::optional<dataset::Warning> warning) {
    if (warning) out.push_back(std::move(*warning));
  };
  add(instrument_warning(analysis.instrument));
  add(bound_warning(analysis));
  for (dataset::Warning& each : launch_warnings(subject)) out.push_back(std::move(each));
  out.insert(out.end(), subject.warnings.begin(), subject.warnings.end());
  if (subject.set.empty()) out.push_back(dataset::make_warning("single_run", Msg::doubt_single_run));
  if (analysis.prompt_lengths) {
    add(dataset::warning_of(*analysis.prompt_lengths));
    add(dataset::truncation_of(*analysis.prompt_lengths, subject.prompt_length_is_exact));
  }
  if (analysis.cached) add(dataset::warning_of(*analysis.cached));
  if (analysis.distinct) add(dataset::warning_of(*analysis.distinct));
  for (const analyse::Warning& each : analysis.warnings) out.push_back(sentence(each, analysis));
  return out;
}

}  // namespace scoville::report

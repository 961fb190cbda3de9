#include "numerics/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/compare_parts.hpp"
#include "text/catalogue/numerics.hpp"

namespace scoville::numerics {
namespace {

using text::NumericsMsg;
using text::phrase;
using text::Phrase;

std::string figure(double value) { return fmt::format("{:.1e}", value); }
std::string figure(const std::optional<double>& value) { return value ? figure(*value) : "?"; }

template <class... Args>
Verdict verdict(Outcome outcome, Cause cause, std::string part, NumericsMsg key, const Args&... args) {
  return {outcome, cause, std::move(part), phrase(key, args...)};
}

Verdict of_part(const PartJudgement& part, const Tolerance& tolerance) {
  const Distance& d = *part.judged();
  const Phrase look = phrase(words_of(part.look));
  const auto said = [&](const std::string& words, text::Language language) {
    const bool is_size = !d.rel_l2 || *d.rel_l2 > tolerance.rel_l2 || d.unlike > 0;
    return is_size ? text::say_in(language, NumericsMsg::verdict_part, part.part, figure(d.rel_l2), tolerance.name,
                                  figure(tolerance.rel_l2), words)
                   : text::say_in(language, NumericsMsg::verdict_elements, part.part, figure(d.max_scaled), words);
  };
  return {Outcome::differs,
          Cause::part,
          part.part,
          {said(look.english, text::Language::english), said(look.chinese, text::Language::chinese)}};
}

/// What keeps the two from being held against each other.
std::optional<Verdict> incomparable(const Judgement& all) {
  const Manifest &r = all.reference, &t = all.test;
  if (r.weights_sha256 != t.weights_sha256)
    return verdict(Outcome::cannot_tell, Cause::other_weights, "", NumericsMsg::verdict_other_weights, r.model,
                   t.model);
  for (const Sequence& each : t.sequences) {
    const auto same = [&](const Sequence& s) { return s.name == each.name && s.tokens == each.tokens; };
    if (std::none_of(r.sequences.begin(), r.sequences.end(), same))
      return verdict(Outcome::cannot_tell, Cause::other_inputs, "", NumericsMsg::verdict_other_inputs, each.name);
  }
  const bool has_any = std::any_of(all.parts.begin(), all.parts.end(),
                                   [](const PartJudgement& p) { return p.judged() || !p.mismatch.empty(); });
  if (!has_any) return verdict(Outcome::cannot_tell, Cause::nothing_in_common, "", NumericsMsg::verdict_nothing);
  return std::nullopt;
}

std::optional<Verdict> of_parts(const Judgement& all) {
  for (const PartJudgement& each : all.parts) {
    if (!each.mismatch.empty())
      return verdict(Outcome::differs, Cause::shape, each.part, NumericsMsg::verdict_shape, each.part, each.mismatch);
    if (each.is_over) return of_part(each, tolerance_of(all.judged_by));
  }
  return std::nullopt;
}

std::optional<Verdict> of_host_runs(const Judgement& all, const Rules& rules) {
  if (rules.allows_host_runs || all.test.host_runs.empty()) return std::nullopt;
  const HostRun& first = all.test.host_runs.front();
  return verdict(Outcome::differs, Cause::host_runs, first.part, NumericsMsg::verdict_host_runs, first.part, first.op,
                 all.test.device);
}

std::optional<Verdict> of_repeats(const std::vector<Repeat>& repeats, double allowed, Cause cause, NumericsMsg key) {
  for (const Repeat& each : repeats) {
    if (each.is_bitwise || (each.rel_l2 && *each.rel_l2 <= allowed)) continue;
    return verdict(Outcome::differs, cause, each.part, key, each.part, figure(each.rel_l2), figure(allowed));
  }
  return std::nullopt;
}

std::optional<Verdict> of_logits(const Judgement& all) {
  if (!all.logits) return std::nullopt;
  const EndToEnd limit = end_to_end(all.judged_by);
  const double change = std::abs(all.logits->perplexity_change().value_or(0));
  // The most likely token of random weights is little likelier than the next: its flips say nothing.
  const bool is_trained = all.test.weights == "file";
  const bool passes = all.logits->mean_kl <= limit.mean_kl && change <= limit.perplexity_share &&
                      (!is_trained || all.logits->top1 >= limit.top1);
  if (passes) return std::nullopt;
  return verdict(Outcome::differs, Cause::logits, "logits", NumericsMsg::verdict_logits, figure(all.logits->mean_kl),
                 figure(limit.mean_kl), fmt::format("{:.1f}", all.logits->top1 * 100));
}

Verdict nothing_found(const Judgement& all) {
  const PartJudgement* worst = nullptr;
  for (const PartJudgement& each : all.parts) {
    const auto size = [](const PartJudgement& part) { return part.judged() ? part.judged()->rel_l2.value_or(0) : 0; };
    if (!worst || size(each) > size(*worst)) worst = &each;
  }
  const std::optional<Distance>& distance = worst->judged();
  if (!distance || distance->is_bitwise())
    return verdict(Outcome::ok, Cause::nothing_found, "", NumericsMsg::verdict_bitwise, all.parts.size());
  return verdict(Outcome::ok, Cause::nothing_found, "", NumericsMsg::verdict_ok, all.parts.size(),
                 name_of(all.judged_by), figure(distance->rel_l2), worst->part);
}

Verdict decide(const Judgement& all, const Rules& rules) {
  if (auto found = incomparable(all)) return *found;
  if (auto found = of_parts(all)) return *found;
  if (auto found = of_host_runs(all, rules)) return *found;
  const double allowed = tolerance_of(all.judged_by).rel_l2;
  if (auto found = of_repeats(all.test.again, allowed, Cause::nondeterminism, NumericsMsg::verdict_again))
    return *found;
  if (auto found = of_repeats(all.test.batched, allowed, Cause::batch, NumericsMsg::verdict_batch)) return *found;
  if (auto found = of_logits(all)) return *found;
  return nothing_found(all);
}

Precision lower_precision(const Manifest& a, const Manifest& b) {
  const auto of = [](const Manifest& m) { return precision_named(m.dtype).value_or(Precision::fp32); };
  return lower_of(of(a), of(b));
}

void add_doubts(Judgement& all) {
  all.doubts = doubts_of(all.test);
  const bool has_isolated = std::any_of(all.parts.begin(), all.parts.end(), [](const auto& p) { return p.isolated; });
  if (!has_isolated) all.doubts.push_back(phrase(NumericsMsg::doubt_no_isolated));
  if (!all.test.against_sha256.empty() && all.test.against_sha256 != all.reference.identity())
    all.doubts.push_back(phrase(NumericsMsg::doubt_other_baseline));
  if (all.reference.planted.empty()) return;
  all.doubts.push_back(phrase(NumericsMsg::doubt_planted_reference, all.reference.planted));
}

}  // namespace

std::string_view name_of(Outcome outcome) {
  static constexpr std::array<std::string_view, 3> kNames{"ok", "differs", "cannot_tell"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(Cause cause) {
  static constexpr std::array<std::string_view, 10> kNames{
      "nothing_found",  "other_weights", "other_inputs", "nothing_in_common", "shape", "part", "host_runs",
      "nondeterminism", "batch",         "logits"};
  return kNames[static_cast<std::size_t>(cause)];
}

text::Msg words_of(Look look) {
  static constexpr std::array kWords{
      NumericsMsg::look_none,         NumericsMsg::look_fp64,         NumericsMsg::look_fp32,
      NumericsMsg::look_tf32_or_fp16, NumericsMsg::look_bf16,         NumericsMsg::look_int8,
      NumericsMsg::look_fp8_e4m3,     NumericsMsg::look_fp8_e5m2,     NumericsMsg::look_int4,
      NumericsMsg::look_systematic,   NumericsMsg::look_few_elements, NumericsMsg::look_not_finite,
      NumericsMsg::look_wrong,        NumericsMsg::look_unknown};
  return kWords[static_cast<std::size_t>(look)];
}

Judgement judge(const Side& reference, const Side& test, const Rules& rules) {
  Judgement out;
  out.reference = reference.manifest;
  out.test = test.manifest;
  out.judged_by = rules.tolerance.value_or(lower_precision(out.reference, out.test));
  if (out.reference.weights_sha256 == out.test.weights_sha256) {
    out.parts = compare_parts(reference, test, tolerance_of(out.judged_by));
    out.logits = compare_logits(reference, test, "");
    out.greedy = compare_greedy(reference, test);
  }
  out.growth = growth_of(out.parts);
  const auto over = std::find_if(out.parts.begin(), out.parts.end(), [](const auto& part) { return part.is_over; });
  if (over != out.parts.end()) out.first_over = static_cast<std::size_t>(over - out.parts.begin());
  out.variants = judge_variants(test);
  out.verdict = decide(out, rules);
  add_doubts(out);
  return out;
}

std::vector<VariantJudgement> judge_variants(const Side& side) {
  std::vector<VariantJudgement> out;
  for (const Variant& each : side.manifest.variants) {
    out.push_back({each.name, each.fault, {}});
    if (each.fault.empty()) out.back().agreement = compare_logits(side, side, each.name);
  }
  return out;
}

std::vector<Phrase> doubts_of(const Manifest& manifest) {
  std::vector<Phrase> out;
  const auto is_apart = [](const Repeat& each) { return !each.is_bitwise; };
  const auto again = std::find_if(manifest.again.begin(), manifest.again.end(), is_apart);
  if (again != manifest.again.end())
    out.push_back(phrase(NumericsMsg::doubt_again, again->part, figure(again->rel_l2)));
  for (const HostRun& each : manifest.host_runs)
    out.push_back(phrase(NumericsMsg::doubt_host_run, each.part, each.op, each.times));
  if (!manifest.watched_host_runs && manifest.device != "cpu") out.push_back(phrase(NumericsMsg::doubt_not_watched));
  if (!manifest.planted.empty()) out.push_back(phrase(NumericsMsg::doubt_planted, manifest.planted));
  return out;
}

}  // namespace scoville::numerics

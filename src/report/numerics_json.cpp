#include <cmath>

#include "report/numerics.hpp"

namespace scoville::report {
namespace {

using namespace numerics;

/// Infinity (an answer that is not finite) is not JSON: null.
json::value finite_or_null(std::optional<double> value) {
  return number_or_null(value && std::isfinite(*value) ? value : std::nullopt);
}

json::value text_or_null(std::string_view text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::value distance_json(const std::optional<Distance>& d) {
  if (!d) return nullptr;
  return json::object{{"elements", d->elements},
                      {"not_equal", d->not_equal},
                      {"rel_l2", finite_or_null(d->rel_l2)},
                      {"cosine", finite_or_null(d->cosine)},
                      {"max_abs", finite_or_null(d->max_abs)},
                      {"max_to_rms", finite_or_null(d->max_to_rms)},
                      {"max_scaled", finite_or_null(d->max_scaled)},
                      {"gain", finite_or_null(d->gain)},
                      {"outside_share", d->outside},
                      {"least_atol", finite_or_null(d->least_absolute)},
                      {"least_rtol", finite_or_null(d->least_relative)},
                      {"nan", json::object{{"reference", d->nan_reference}, {"test", d->nan_test}}},
                      {"infinite", json::object{{"reference", d->infinite_reference}, {"test", d->infinite_test}}},
                      {"unlike", d->unlike}};
}

json::array host_runs_json(const std::vector<HostRun>& runs) {
  json::array out;
  for (const HostRun& each : runs)
    out.push_back(json::object{{"part", each.part}, {"op", each.op}, {"times", each.times}});
  return out;
}

json::object part_json(const PartJudgement& part) {
  return {{"part", part.part},
          {"over", part.is_over},
          {"looks_like", part.judged() ? json::value(name_of(part.look)) : json::value(nullptr)},
          {"rounded_to", part.rounded_to ? json::value(name_of(*part.rounded_to)) : json::value(nullptr)},
          {"ulp", part.ulp ? json::value(*part.ulp) : json::value(nullptr)},
          {"mismatch", text_or_null(part.mismatch)},
          {"isolated", distance_json(part.isolated)},
          {"cumulative", distance_json(part.cumulative)},
          {"host_runs", host_runs_json(part.host_runs)}};
}

json::value agreement_json(const std::optional<LogitAgreement>& a) {
  if (!a) return nullptr;
  return json::object{{"positions", a->positions},
                      {"top1", a->top1},
                      {"top5", a->top5},
                      {"mean_kl", finite_or_null(a->mean_kl)},
                      {"p99_kl", finite_or_null(a->p99_kl)},
                      {"perplexity_reference", finite_or_null(a->perplexity_reference)},
                      {"perplexity_test", finite_or_null(a->perplexity_test)},
                      {"perplexity_change", finite_or_null(a->perplexity_change())}};
}

json::array variants_json(const std::vector<VariantJudgement>& variants) {
  json::array out;
  for (const VariantJudgement& each : variants)
    out.push_back(json::object{
        {"name", each.name}, {"fault", text_or_null(each.fault)}, {"against_plain", agreement_json(each.agreement)}});
  return out;
}

json::array repeats_json(const std::vector<Repeat>& repeats) {
  json::array out;
  for (const Repeat& each : repeats)
    out.push_back(
        json::object{{"part", each.part}, {"bitwise", each.is_bitwise}, {"rel_l2", finite_or_null(each.rel_l2)}});
  return out;
}

/// Who computed: without the hashes of all tensors, which stand in the manifest.
json::object run_json(const Manifest& m) {
  return {{"probe", m.probe},
          {"probe_version", m.probe_version},
          {"device", m.device},
          {"dtype", m.dtype},
          {"model", m.model},
          {"weights", m.weights},
          {"weights_sha256", m.weights_sha256},
          {"seed", m.seed},
          {"threads", m.threads ? json::value(*m.threads) : json::value(nullptr)},
          {"stack", m.stack},
          {"identity", m.identity()},
          {"again", repeats_json(m.again)},
          {"batched", repeats_json(m.batched)},
          {"host_runs", m.watched_host_runs ? json::value(host_runs_json(m.host_runs)) : json::value(nullptr)},
          {"planted", text_or_null(m.planted)}};
}

json::array phrases_json(const std::vector<text::Phrase>& phrases) {
  json::array out;
  for (const text::Phrase& each : phrases) out.push_back(json::string(each.english));
  return out;
}

}  // namespace

json::object numerics_json(const Judgement& judgement) {
  const Tolerance& tolerance = tolerance_of(judgement.judged_by);
  const EndToEnd limits = end_to_end(judgement.judged_by);
  json::array parts, greedy;
  for (const PartJudgement& each : judgement.parts) parts.push_back(part_json(each));
  for (const GreedyMatch& each : judgement.greedy)
    greedy.push_back(json::object{{"sequence", each.sequence}, {"matched", each.matched}, {"of", each.of}});
  json::object out{{"schema", "scoville.numerics/1"}};
  out["reference"] = run_json(judgement.reference);
  out["test"] = run_json(judgement.test);
  out["tolerance"] = json::object{{"precision", tolerance.name},
                                  {"rel_l2", tolerance.rel_l2},
                                  {"cosine", number_or_null(tolerance.cosine)},
                                  {"max_scaled", kFewElements * tolerance.rel_l2},
                                  {"mean_kl", limits.mean_kl},
                                  {"top1", limits.top1},
                                  {"perplexity_share", limits.perplexity_share}};
  out["parts"] = std::move(parts);
  out["first_over"] =
      judgement.first_over ? json::value(judgement.parts[*judgement.first_over].part) : json::value(nullptr);
  out["growth"] = finite_or_null(judgement.growth);
  out["logits"] = agreement_json(judgement.logits);
  out["greedy"] = std::move(greedy);
  out["variants"] = variants_json(judgement.variants);
  out["verdict"] = json::object{{"outcome", name_of(judgement.verdict.outcome)},
                                {"cause", name_of(judgement.verdict.cause)},
                                {"part", text_or_null(judgement.verdict.part)},
                                {"sentence", judgement.verdict.sentence.english}};
  out["doubts"] = phrases_json(judgement.doubts);
  return out;
}

json::object saved_json(const Side& saved, const std::string& folder) {
  json::object out{{"schema", "scoville.numerics/1"}};
  out["folder"] = folder;
  out["reference"] = nullptr;
  out["test"] = run_json(saved.manifest);
  out["variants"] = variants_json(judge_variants(saved));
  out["doubts"] = phrases_json(doubts_of(saved.manifest));
  return out;
}

}  // namespace scoville::report

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/cells.hpp"
#include "report/numerics.hpp"
#include "text/catalogue/numerics.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using namespace numerics;
using text::NumericsMsg;
using text::say;

constexpr std::size_t kColumns = 100;

std::string paragraph(const std::string& sentence) { return text::wrapped(sentence, kColumns, 2); }

std::string small(std::optional<double> value) {
  if (!value) return kNone;
  if (*value == 0) return "0";
  return std::isfinite(*value) ? fmt::format("{:.1e}", *value) : "∞";
}

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string cosine(std::optional<double> value) { return value ? fmt::format("{:.7f}", *value) : kNone; }

std::string run_line(NumericsMsg role, const Manifest& m) {
  std::string stack;
  for (const auto& [key, value] : m.stack) {
    if (value.is_string() && stack.size() < 40)
      stack += (stack.empty() ? "" : ", ") + std::string(key) + " " + std::string(value.get_string());
  }
  return paragraph(say(role, m.model, m.dtype, m.device, m.probe, stack));
}

/// What stands beside a part: that it is over, and what ran on the CPU.
std::string note(const PartJudgement& part) {
  std::string out = part.is_over ? say(NumericsMsg::note_over) : "";
  for (const HostRun& each : part.host_runs)
    out += (out.empty() ? "" : ", ") + say(NumericsMsg::note_host_run, text::shorten(each.op, 20));
  return out;
}

std::string part_rows(const Judgement& judgement) {
  text::Table table({say(NumericsMsg::column_part), say(NumericsMsg::column_isolated),
                     say(NumericsMsg::column_cumulative), say(NumericsMsg::column_cosine),
                     say(NumericsMsg::column_looks_like), ""});
  table.flush_left(4);
  table.flush_left(5);
  for (const PartJudgement& each : judgement.parts) {
    const std::optional<Distance>& judged = each.judged();
    table.add_row({text::shorten(each.part, 24), each.isolated ? small(each.isolated->rel_l2) : kNone,
                   each.cumulative ? small(each.cumulative->rel_l2) : kNone, judged ? cosine(judged->cosine) : kNone,
                   judged ? say(words_of(each.look)) : kNone, note(each)});
  }
  return table.render();
}

std::string agreement_words(const LogitAgreement& a) {
  const std::optional<double> change = a.perplexity_change();
  return say(NumericsMsg::logits_line, percent(a.top1), percent(a.top5), small(a.mean_kl), small(a.p99_kl),
             change ? fmt::format("{:+.2f} %", *change * 100) : kNone, a.positions);
}

std::string variant_lines(const std::vector<VariantJudgement>& variants) {
  std::string out;
  for (const VariantJudgement& each : variants) {
    out += paragraph(each.agreement ? say(NumericsMsg::variant_line, each.name, agreement_words(*each.agreement))
                                    : say(NumericsMsg::variant_none, each.name, each.fault));
  }
  return out;
}

std::string greedy_line(const std::vector<GreedyMatch>& matches) {
  if (matches.empty()) return "";
  std::size_t whole = 0, matched = 0, of = 0;
  for (const GreedyMatch& each : matches) {
    whole += each.matched == each.of;
    matched += each.matched;
    of += each.of;
  }
  return paragraph(say(NumericsMsg::greedy_line, whole, matches.size(), matched, of));
}

/// "bitwise", or the largest difference.
std::string repeat_line(NumericsMsg key, const std::vector<Repeat>& repeats) {
  if (repeats.empty()) return "";
  double largest = 0;
  bool is_bitwise = true;
  for (const Repeat& each : repeats) {
    is_bitwise = is_bitwise && each.is_bitwise;
    if (!each.is_bitwise) largest = std::max(largest, each.rel_l2.value_or(HUGE_VAL));
  }
  return paragraph(
      say(key, is_bitwise ? say(NumericsMsg::repeat_bitwise) : say(NumericsMsg::repeat_apart, small(largest))));
}

std::string doubt_lines(const std::vector<text::Phrase>& doubts) {
  std::string out;
  for (const text::Phrase& each : doubts) out += text::wrapped("! " + each.said(), kColumns, 2);
  return out;
}

}  // namespace

std::string numerics_table(const Judgement& judgement) {
  const Tolerance& tolerance = tolerance_of(judgement.judged_by);
  std::string out =
      run_line(NumericsMsg::run_reference, judgement.reference) + run_line(NumericsMsg::run_test, judgement.test);
  out +=
      paragraph(say(NumericsMsg::judged_by, tolerance.name, small(tolerance.rel_l2), judgement.test.sequences.size()));
  out += "\n" + part_rows(judgement) + "\n";
  if (judgement.growth) out += paragraph(say(NumericsMsg::growth_line, fmt::format("{:.1f}", *judgement.growth)));
  if (judgement.logits) out += paragraph(agreement_words(*judgement.logits));
  out += greedy_line(judgement.greedy);
  out += repeat_line(NumericsMsg::again_line, judgement.test.again);
  out += repeat_line(NumericsMsg::batched_line, judgement.test.batched);
  out += variant_lines(judgement.variants) + doubt_lines(judgement.doubts);
  return out + "\n" + paragraph(judgement.verdict.sentence.said());
}

std::string saved_table(const Side& saved, const std::string& folder) {
  const Manifest& m = saved.manifest;
  std::string out = run_line(NumericsMsg::run_test, m);
  out += repeat_line(NumericsMsg::again_line, m.again) + repeat_line(NumericsMsg::batched_line, m.batched);
  out += variant_lines(judge_variants(saved)) + doubt_lines(doubts_of(m));
  return out + paragraph(say(NumericsMsg::saved_line, m.parts.size(), m.sequences.size(), folder));
}

}  // namespace scoville::report

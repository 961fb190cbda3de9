#include "claim/sentence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/check.hpp"
#include "claim/checklist.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::claim {
namespace {

using text::ClaimMsg;
using text::Language;
using text::say_in;

std::string times(double ratio) { return fmt::format("{:.4g}×", ratio); }

/// The parts of every such sentence, in one language.
struct Words {
  Language language;
  std::string party, size, metric, subject, comparator, conditions;

  template <class... Args>
  std::string say(ClaimMsg key, const Args&... args) const {
    return say_in(language, key, args...);
  }
  std::string or_unnamed(const std::string& words) const { return words.empty() ? say(ClaimMsg::word_unnamed) : words; }
};

Words words_of(const Claim& claim, Language language) {
  Words out{language,        claim.party,        size_of(claim, language), claim.at("metric.name").subject,
            claim.subject(), claim.comparator(), conditions_of(claim)};
  if (!claim.date.empty() && !out.party.empty()) out.party += " (" + claim.date + ")";
  if (out.size.empty()) out.size = out.say(ClaimMsg::word_no_size);
  if (out.conditions.empty()) out.conditions = out.say(ClaimMsg::word_no_conditions);
  return out;
}

std::string separator(Language language) { return language == Language::chinese ? "、" : ", "; }

std::string joined(const std::vector<std::string>& parts, Language language) {
  return fmt::format("{}", fmt::join(parts, separator(language)));
}

/// "weights (fp4 / fp8)": the fields that keep the two apart.
std::string mismatches_in_words(const Claim& claim, const std::vector<std::string>& keys, Language language) {
  std::vector<std::string> out;
  for (const std::string& key : keys) {
    const Said& said = claim.at(key);
    out.push_back(said.differs() ? fmt::format("{} ({})", key, said.shown()) : key);
  }
  return joined(out, language);
}

std::string cells_in_words(const Words& words, const Claim& claim, const Ruling& ruling, bool are_holding) {
  std::vector<std::string> out;
  for (const Cell& each : ruling.cells) {
    if ((each.verdict == Verdict::supported_as_stated) != are_holding) continue;
    const std::string& where = each.measured.conditions.empty() ? words.conditions : each.measured.conditions;
    out.push_back(words.say(
        each.measured.has_interval() ? ClaimMsg::cell_measured : ClaimMsg::cell_reported, shown(claim, each.measured),
        where, each.measured.party.empty() ? std::string(name_of(each.measured.by)) : each.measured.party));
  }
  return fmt::format("{}", fmt::join(out, words.language == Language::chinese ? "；" : "; "));
}

/// The pair that a result speaks of; of a claim without a comparator the subject alone.
std::string pair_of(const Words& words, const Claim& claim) {
  if (claim.is_absolute()) return words.subject;
  return words.say(ClaimMsg::pair, words.or_unnamed(words.subject), words.or_unnamed(words.comparator));
}

bool is_better_somewhere(const Ruling& ruling) {
  return std::any_of(ruling.cells.begin(), ruling.cells.end(),
                     [](const Cell& each) { return each.verdict == Verdict::direction_supported_size_refuted; });
}

std::string of_results(const Words& words, const Claim& claim, const Ruling& ruling) {
  const std::string held = cells_in_words(words, claim, ruling, true),
                    others = cells_in_words(words, claim, ruling, false);
  const std::string pair = pair_of(words, claim);
  switch (ruling.verdict) {
    case Verdict::supported_as_stated:
      return words.say(ClaimMsg::narrow_supported, pair, words.metric, held);
    case Verdict::supported_with_conditions:
      return others.empty() ? words.say(ClaimMsg::narrow_conditions, pair, words.metric, held)
                            : words.say(ClaimMsg::narrow_in_part, pair, words.metric, held, others);
    case Verdict::direction_supported_size_refuted:
      return words.say(ClaimMsg::narrow_size_refuted, pair, words.metric, others, words.size);
    case Verdict::direction_supported_size_open:
      return words.say(ClaimMsg::narrow_size_open, pair, words.metric, others, words.size);
    case Verdict::size_refuted_direction_open:
      return words.say(ClaimMsg::narrow_direction_open, pair, words.metric, others, words.size);
    case Verdict::refuted:
      if (claim.is_absolute()) return words.say(ClaimMsg::narrow_refuted_value, pair, words.metric, others);
      return words.say(is_better_somewhere(ruling) ? ClaimMsg::narrow_refuted_size : ClaimMsg::narrow_refuted, pair,
                       words.metric, others, words.size);
    default:
      if (ruling.reason == Reason::contradicted)
        return words.say(ClaimMsg::narrow_contradicted, pair, words.metric, held, others);
      return words.say(ClaimMsg::narrow_inconclusive, pair, words.metric, others);
  }
}

std::string in_language(const Claim& claim, const Ruling& ruling, Language language) {
  const Words words = words_of(claim, language);
  const std::string pair = pair_of(words, claim);
  const auto fields = [&] { return mismatches_in_words(claim, ruling.fields, language); };
  switch (ruling.reason) {
    case Reason::no_source:
      return words.say(ClaimMsg::narrow_unsupported);
    case Reason::not_defined:
      return words.say(ClaimMsg::narrow_untestable, words.party, joined(ruling.fields, language));
    case Reason::known_mismatch:
      return words.say(ClaimMsg::narrow_not_comparable, words.party, words.size, pair, fields());
    case Reason::gate_refused:
      return words.say(ClaimMsg::narrow_gate_refused, pair, joined(ruling.fields, language));
    case Reason::reversed_when_matched: {
      const auto cell = std::find_if(ruling.cells.begin(), ruling.cells.end(),
                                     [](const Cell& each) { return each.measured.is_matched; });
      return words.say(ClaimMsg::narrow_reversed, pair, fields(), shown(claim, cell->measured),
                       cell->measured.conditions, words.size);
    }
    case Reason::not_obtainable:
      return words.say(ClaimMsg::narrow_not_obtainable, words.party, words.size, pair, joined(ruling.fields, language));
    case Reason::not_measured:
      return words.say(ClaimMsg::narrow_not_measured, words.party, words.size, pair, words.conditions);
    default:
      return of_results(words, claim, ruling);
  }
}

}  // namespace

std::string shown(const Claim& claim, const Measured& measured) {
  const bool is_value = claim.is_absolute();
  const auto figure = [&](double ratio) {
    return is_value ? (claim.is_lower_better ? *claim.value / ratio : *claim.value * ratio) : ratio;
  };
  std::string out = is_value ? fmt::format("{:.4g} {}", figure(measured.ratio), claim.at("metric.unit").subject)
                             : times(measured.ratio);
  if (!measured.has_interval()) return out;
  const auto [low, high] = std::minmax({figure(*measured.lo), figure(*measured.hi)});
  return out + fmt::format(" [{:.4g}, {:.4g}]", low, high);
}

std::string size_of(const Claim& claim, Language language) {
  std::string size;
  if (claim.ratio) {
    size = claim.ratio->low == claim.ratio->high ? times(claim.ratio->low)
                                                 : times(claim.ratio->low) + "–" + times(claim.ratio->high);
  } else if (claim.value) {
    size = fmt::format("{:.6g} {}", *claim.value, claim.at("metric.unit").subject);
  }
  while (size.ends_with(' ')) size.pop_back();
  if (size.empty() || !claim.is_up_to) return size;
  return say_in(language, ClaimMsg::up_to, size);
}

std::string conditions_of(const Claim& claim) {
  std::vector<std::string> out;
  const auto add = [&](const char* key, const char* before = "") {
    if (const std::string words = claim.at(key).shown(); !words.empty()) out.push_back(before + words);
  };
  add("workload.model");
  const std::string isl = claim.at("workload.isl").shown(), osl = claim.at("workload.osl").shown();
  if (!isl.empty() || !osl.empty())
    out.push_back(fmt::format("{} → {} tokens", isl.empty() ? "?" : isl, osl.empty() ? "?" : osl));
  add("workload.load");
  add("workload.slo");
  add("workload.interactivity");
  add("numerics.weights");
  add("software.engine");
  return fmt::format("{}", fmt::join(out, ", "));
}

text::Phrase narrow_sentence(const Claim& claim, const Ruling& ruling) {
  return {in_language(claim, ruling, Language::english), in_language(claim, ruling, Language::chinese)};
}

}  // namespace scoville::claim

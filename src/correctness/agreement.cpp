#include "correctness/agreement.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "stats/attainment.hpp"

namespace scoville::correctness {
namespace {

using run::Answer;

using Units = std::vector<std::string_view>;

Units tokens_of(const Answer& answer) {
  Units units;
  units.reserve(answer.tokens.size());
  for (const run::AnswerToken& each : answer.tokens) units.push_back(each.text);
  return units;
}

Units characters_of(const Answer& answer) {
  Units units = characters(answer.reasoning);
  for (const std::string_view each : characters(answer.text)) units.push_back(each);
  return units;
}

bool has_text(const Answer& answer) { return !answer.text.empty() || !answer.reasoning.empty(); }
bool lists_tokens(const Answer& answer) { return !answer.tokens.empty() || !has_text(answer); }

UnitReason why_not_tokens(std::span<const Answer> base, std::span<const Answer> other) {
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (!base[i].succeeded() || !other[i].succeeded()) continue;
    if (!lists_tokens(base[i]) || !lists_tokens(other[i])) return UnitReason::not_listed;
    const bool is_same_text = base[i].text == other[i].text && base[i].reasoning == other[i].reasoning;
    if (is_same_text && tokens_of(base[i]) != tokens_of(other[i])) return UnitReason::spelt_differently;
  }
  return UnitReason::none;
}

PairAgreement compare(const Units& base, const Units& other) {
  PairAgreement pair;
  pair.is_measured = true;
  pair.base_length = base.size();
  pair.other_length = other.size();
  const auto [end, other_end] = std::mismatch(base.begin(), base.end(), other.begin(), other.end());
  const auto agreed = static_cast<std::size_t>(end - base.begin());
  const std::size_t longer = std::max(base.size(), other.size());
  if (agreed < longer) pair.divergence = agreed;
  pair.prefix_share = longer == 0 ? 1 : static_cast<double>(agreed) / static_cast<double>(longer);
  return pair;
}

void summarise(Agreement& all) {
  std::vector<double> shares, divergences;
  for (const PairAgreement& each : all.pairs) {
    if (!each.is_measured) continue;
    shares.push_back(each.prefix_share);
    all.identical += each.is_identical();
    all.candidate_failed += each.candidate_failed;
    if (each.divergence) divergences.push_back(static_cast<double>(*each.divergence));
  }
  all.measured = shares.size();
  all.diverged = divergences.size();
  if (shares.empty()) return;
  std::sort(shares.begin(), shares.end());
  std::sort(divergences.begin(), divergences.end());
  double sum = 0;
  for (const double each : shares) sum += each;
  all.identical_share = static_cast<double>(all.identical) / static_cast<double>(all.measured);
  all.identical_interval = stats::attainment_interval(all.identical, all.measured);
  all.prefix_mean = sum / static_cast<double>(shares.size());
  all.prefix_median = stats::nearest_rank_quantile(shares, 0.5);
  all.prefix_interval = stats::quantile_interval(shares, 0.5);
  all.divergence_median = stats::nearest_rank_quantile(divergences, 0.5);
}

}  // namespace

std::string_view name_of(Unit unit) { return unit == Unit::token ? "token" : "character"; }

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    std::size_t length = 1;
    while (length < std::min<std::size_t>(4, text.size()) && (static_cast<unsigned char>(text[0]) & 0xC0) == 0xC0 &&
           (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) {
      ++length;
    }
    out.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

Agreement agreement_of(std::span<const Answer> base, std::span<const Answer> other, FailedCandidate rule) {
  SCOVILLE_CHECK(base.size() == other.size(), "both arms were asked the same prompts");
  Agreement all;
  all.unit_reason = why_not_tokens(base, other);
  all.unit = all.unit_reason == UnitReason::none ? Unit::token : Unit::character;
  const auto units = [&](const Answer& answer) {
    return all.unit == Unit::token ? tokens_of(answer) : characters_of(answer);
  };
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (base[i].succeeded() && other[i].succeeded()) {
      all.pairs.push_back(compare(units(base[i]), units(other[i])));
      continue;
    }
    PairAgreement& pair = all.pairs.emplace_back();
    if (!base[i].succeeded() || rule == FailedCandidate::not_measured) continue;
    pair.is_measured = pair.candidate_failed = true;
    pair.base_length = units(base[i]).size();
  }
  summarise(all);
  return all;
}

}  // namespace scoville::correctness

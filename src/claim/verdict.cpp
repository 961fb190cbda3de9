#include "claim/verdict.hpp"

#include <algorithm>

#include "claim/cell.hpp"
#include "claim/checklist.hpp"
#include "claim/evidence.hpp"

namespace scoville::claim {
namespace {

bool holds(const Cell& cell) { return cell.verdict == Verdict::supported_as_stated; }

std::optional<double> claimed_ratio(const Claim& claim) {
  if (claim.is_absolute()) return 1.0;
  return claim.ratio ? std::optional<double>(claim.ratio->low) : std::nullopt;
}

bool is_own_word(const Claim& claim, const Measured& each) {
  return each.by != Role::us && !claim.party.empty() && each.party == claim.party;
}

/// Those with a ratio that count; none where the claim's own party is alone with its word.
std::vector<Measured> counted(const Claim& claim, const std::vector<Measured>& measured) {
  std::vector<Measured> out;
  for (const Measured& each : measured) {
    if (each.refused.empty()) out.push_back(each);
  }
  const bool is_alone =
      std::all_of(out.begin(), out.end(), [&](const Measured& each) { return is_own_word(claim, each); });
  if (is_alone) out.clear();
  return out;
}

bool has_ours(const std::vector<Measured>& measured) {
  return std::any_of(measured.begin(), measured.end(), [](const Measured& each) { return each.by == Role::us; });
}

std::vector<std::string> blocking(const Claim& claim) {
  std::vector<std::string> out;
  for (const Mismatch& each : mismatches(claim)) {
    if (each.is_blocking) out.push_back(each.key);
  }
  return out;
}

/// What must be equal was equal, and the subject is worse: by its interval, or as it is reported.
bool reverses(const Measured& each) { return each.is_matched && (each.has_interval() ? *each.hi < 1 : each.ratio < 1); }

/// Made or sold by who makes the claim, or by the rival it speaks of.
bool is_party(const Measured& each) { return each.by == Role::vendor || each.by == Role::partner; }

/// Two parties to the claim report the opposite of each other, without an interval, and by what they state it may be
/// the same cell; nobody else has measured.
bool is_contradicted(const Claim& claim, const std::vector<Cell>& cells) {
  const auto is_other = [](const Cell& each) {
    return each.measured.by == Role::us || each.measured.by == Role::independent;
  };
  if (std::any_of(cells.begin(), cells.end(), is_other)) return false;
  const auto speaks = [](const Cell& each) { return is_party(each.measured) && !each.measured.has_interval(); };
  for (const Cell& one : cells) {
    if (!speaks(one) || !holds(one)) continue;
    for (const Cell& other : cells) {
      if (one.measured.party == other.measured.party) continue;  // of two cells of its own
      if (speaks(other) && !holds(other) && !are_different_cells(claim, one.measured, other.measured)) return true;
    }
  }
  return false;
}

/// Several cells, or one. `is_open`: the claim left something undefined, which the test had to choose.
Ruling of_cells(const Claim& claim, std::vector<Cell> cells, bool is_open) {
  Ruling out{Verdict::inconclusive, Reason::not_resolved, {}, std::move(cells)};
  const auto count = [&](auto is) { return std::count_if(out.cells.begin(), out.cells.end(), is); };
  const auto all = static_cast<std::ptrdiff_t>(out.cells.size());
  const auto held = count(holds);
  const bool is_reported =
      std::none_of(out.cells.begin(), out.cells.end(), [](const Cell& each) { return each.measured.has_interval(); });
  const Verdict first = out.cells.front().verdict;
  const bool is_one = count([&](const Cell& each) { return each.verdict == first; }) == all;
  if (is_contradicted(claim, out.cells)) {
    out.reason = Reason::contradicted;
  } else if (held > 0 && held < all) {
    out.verdict = Verdict::supported_with_conditions, out.reason = Reason::holds_in_part;
  } else if (held == all) {
    out.reason = is_reported      ? Reason::reported_only
                 : claim.is_up_to ? Reason::best_cell
                 : is_open        ? Reason::conditions_ours
                                  : Reason::none;
    out.verdict = out.reason == Reason::none ? Verdict::supported_as_stated : Verdict::supported_with_conditions;
  } else if (is_reported) {
    out.reason = Reason::reported_only;
  } else if (is_one) {
    out.verdict = first;
    if (first != Verdict::inconclusive) out.reason = Reason::none;
  } else if (count([](const Cell& each) {
               return each.verdict == Verdict::refuted || each.verdict == Verdict::direction_supported_size_refuted ||
                      each.verdict == Verdict::size_refuted_direction_open;
             }) == all) {
    out.verdict = Verdict::refuted, out.reason = Reason::none;  // as big as claimed nowhere
  }
  return out;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::string_view kNames[] = {"unsupported",
                                         "untestable",
                                         "not_comparable",
                                         "refuted_as_stated",
                                         "untestable_now",
                                         "supported_as_stated",
                                         "direction_supported_size_refuted",
                                         "direction_supported_size_open",
                                         "size_refuted_direction_open",
                                         "refuted",
                                         "inconclusive",
                                         "supported_with_conditions"};
  return kNames[static_cast<std::size_t>(verdict)];
}

std::string_view name_of(Reason reason) {
  constexpr std::string_view kNames[] = {
      "none",           "no_source",      "not_defined",  "known_mismatch", "gate_refused", "reversed_when_matched",
      "not_obtainable", "not_measured",   "not_resolved", "reported_only",  "best_cell",    "contradicted",
      "holds_in_part",  "conditions_ours"};
  return kNames[static_cast<std::size_t>(reason)];
}

Verdict judge(const Measured& measured, std::optional<double> claimed, bool is_absolute) {
  const double lo = measured.lo.value_or(measured.ratio), hi = measured.hi.value_or(measured.ratio);
  const double margin = measured.margin;
  const bool is_slower = measured.slower || hi < 1;
  if (!claimed) {
    if (lo > 1 + margin) return Verdict::supported_as_stated;
    return measured.equivalent || is_slower ? Verdict::refuted : Verdict::inconclusive;
  }
  const double least = *claimed * (1 - margin);
  if (lo >= least) return Verdict::supported_as_stated;
  if (is_absolute) return hi < least ? Verdict::refuted : Verdict::inconclusive;
  if (lo > 1 + margin)
    return hi < least ? Verdict::direction_supported_size_refuted : Verdict::direction_supported_size_open;
  if (measured.equivalent || is_slower) return Verdict::refuted;
  return hi < least ? Verdict::size_refuted_direction_open : Verdict::inconclusive;
}

Ruling rule(const Claim& claim, const std::vector<Measured>& measured) {
  const std::vector<Measured> results = counted(claim, measured);
  std::vector<Cell> cells;
  for (const Measured& each : results) cells.push_back({each, judge(each, claimed_ratio(claim), claim.is_absolute())});
  const bool is_ours = has_ours(results);

  if (evidence_for(claim, {}).level == Level::L0 && !is_ours)
    return {Verdict::unsupported, Reason::no_source, {"who.party", "url"}, std::move(cells)};
  std::vector<std::string> open = undefined(claim);
  if (!open.empty() && !is_ours) return {Verdict::untestable, Reason::not_defined, std::move(open), std::move(cells)};
  if (std::vector<std::string> keys = blocking(claim); !keys.empty()) {
    const bool is_turned = std::any_of(results.begin(), results.end(), reverses);
    return {is_turned ? Verdict::refuted_as_stated : Verdict::not_comparable,
            is_turned ? Reason::reversed_when_matched : Reason::known_mismatch, std::move(keys), std::move(cells)};
  }
  if (!cells.empty()) return of_cells(claim, std::move(cells), !open.empty());
  for (const Measured& each : measured) {
    if (!each.refused.empty()) return {Verdict::not_comparable, Reason::gate_refused, each.refused, {}};
  }
  if (claim.is_available == false) return {Verdict::untestable_now, Reason::not_obtainable, {"subject.available"}, {}};
  if (claim.has_rival == false) return {Verdict::untestable_now, Reason::not_obtainable, {"comparator.available"}, {}};
  return {Verdict::inconclusive, Reason::not_measured, {}, {}};
}

}  // namespace scoville::claim

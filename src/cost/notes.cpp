#include "cost/notes.hpp"

#include <cmath>

namespace scoville::cost {
namespace {

using text::CostMsg;
using text::phrase;

constexpr double kMixTolerance = 0.01;  // of the proportion of input to output

void note(Outcome& outcome, const OptionOutcome& option, const char* code, text::Phrase words) {
  outcome.notes.push_back({code, option.name, std::move(words)});
}

void look_at_fleet(const Study& study, const OptionOutcome& option, Outcome& outcome) {
  const double most = option.fleet.serving * option.tokens.mtok_out;
  if (outcome.has_demand && most < outcome.mtok_out * (1 - 1e-9))
    note(outcome, option, "fleet_too_small",
         phrase(option.fleet.serving == 1 ? CostMsg::note_small_fleet_one : CostMsg::note_small_fleet,
                plain(option.fleet.serving), plain(most), plain(outcome.mtok_out)));
  const double ratio = option.plant.in_rate() / option.plant.out_rate();
  if (study.demand.in_out_ratio && std::abs(ratio - *study.demand.in_out_ratio) > kMixTolerance * ratio)
    note(outcome, option, "mix_differs", phrase(CostMsg::note_mix, ratio, *study.demand.in_out_ratio));
  if (option.perf.link)
    note(outcome, option, "measured",
         phrase(CostMsg::note_measured, option.perf.out_per_s.source, option.perf.link->point));
  if (!study.attribution && option.used == Method::blended && option.volumes.in > 0)
    note(outcome, option, "not_split", phrase(CostMsg::note_not_split));
  if (!option.perf.out_per_s.is_uncertain() && !option.perf.served_out)
    note(outcome, option, "no_interval", phrase(CostMsg::note_no_interval));
}

void look_at_power(const OptionOutcome& option, Outcome& outcome) {
  const Plant& plant = option.plant;
  if (!option.rack) return;
  if (!option.rack->node_fits)
    note(outcome, option, "rack_too_small",
         phrase(CostMsg::note_rack, plant[In::kw_prov] * plant[In::acc_per_node], plant[In::rack_kw_limit]));
  if (!option.rack->power_fits)
    note(outcome, option, "power_too_small",
         phrase(CostMsg::note_power, option.rack->kw_prov, *option.rack->power_limit));
  if (plant[In::kw_busy] > plant[In::kw_prov])
    note(outcome, option, "busy_above_provisioned", phrase(CostMsg::note_busy, plant[In::kw_busy], plant[In::kw_prov]));
}

void look_at_spares(const OptionOutcome& option, Outcome& outcome) {
  if (!option.spares) return;
  const SpareCheck& spares = *option.spares;
  note(outcome, option, spares.is_enough() ? "spares_enough" : "spares_short",
       phrase(spares.is_enough() ? CostMsg::note_spares_enough : CostMsg::note_spares_short, spares.lead_weeks,
              spares.expected_failures, 100 * spares.service_level, spares.needed, spares.held));
}

void look_at_purchase(const Study& study, std::size_t i, Outcome& outcome) {
  const OptionOutcome& option = outcome.options[i];
  const double term = option.plant[In::min_term_months];
  if (option.kind == Kind::rented && term > 0) {
    const auto words = [&](text::Language language) {
      return text::say_in(language, CostMsg::note_term, term,
                          money_text(option.annual[Part::rent] * term / 12, outcome.currency, language));
    };
    note(outcome, option, "minimum_term", {words(text::Language::english), words(text::Language::chinese)});
  }
  if (option.kind == Kind::api && !study.options[i][In::price_cached_mtok] && option.volumes.cached > 0)
    note(outcome, option, "no_cached_price", phrase(CostMsg::note_no_cached_price));
}

/// What is cheaper with the fleets that are there need not be with fleets made for the demand.
void look_at_signs(const PairOutcome& pair, Outcome& outcome) {
  if (!pair.is_at_odds()) return;
  note(outcome, outcome.options[pair.option], "signs_differ",
       phrase(*pair.saving_of_totals > 0 ? CostMsg::note_totals_lower : CostMsg::note_totals_higher,
              outcome.options[0].name));
}

}  // namespace

void add_notes(const Study& study, Outcome& outcome) {
  for (std::size_t i = 0; i < outcome.options.size(); ++i) {
    const OptionOutcome& option = outcome.options[i];
    if (option.kind != Kind::api) look_at_fleet(study, option, outcome);
    look_at_power(option, outcome);
    look_at_spares(option, outcome);
    look_at_purchase(study, i, outcome);
  }
  for (const PairOutcome& each : outcome.pairs) look_at_signs(each, outcome);
}

}  // namespace scoville::cost

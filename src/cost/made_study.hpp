#pragma once

#include <doctest/doctest.h>

#include <string>

#include "cost/outcome.hpp"

namespace scoville::cost {

// The two options of the worked examples: A is a fleet of 64 accelerators, B a card that is 30 % cheaper and a tenth
// slower, and has to be ported. The expected figures of tests are those of an independent program (Python), unless a
// test says otherwise.

inline constexpr const char* kHead =
    "currency: USD\nwacc: 0.10\nhorizon_years: 4\n"
    "site: {pue: 1.30, price_kwh: 0.0892, colo_kw_month: 184.06, colo_includes_power: false}\n"
    "attribution: full\n"
    "common: {acc_per_node: 8, price_node_rest: 80000, price_net_per_acc: 5500, install_frac: 0.02,\n"
    "  facility_oneoff: 40000, residual_frac: 0.10, kw_idle: 0.35, util: 0.60, support_frac: 0.03,\n"
    "  rma_cost_frac: 0.10, planned_down: 0.005, fte_ops: 0.5, fte_cost: 220000, net_opex_year: 6000,\n"
    "  licence_acc_year: 0, good_frac: 0.97}\n";
inline constexpr const char* kOptionA =
    "- {name: A, price_acc: 30000, spare_frac: 0.03, kw_prov: 1.30, kw_busy: 1.05, afr: 0.0908, mttr_h: 24,\n"
    "   perf: {out_per_s: 1200, in_per_s: 3600}}\n";
inline constexpr const char* kOptionB =
    "- {name: B, price_acc: 21000, spare_frac: 0.06, kw_prov: 1.20, kw_busy: 1.00, afr: 0.15, mttr_h: 72,\n"
    "   perf: {out_per_s: 1080, in_per_s: 3240}, delay_months: 3, bridge_premium: 1.00,\n"
    "   port: {engineers: 3, years: 0.5, eng_cost: 300000, extra: 30000, upkeep_year: 90000}}\n";

inline Study read_text(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "study.yaml");
  REQUIRE(root.ok());
  Study out = read_study(*root);
  const Status finished = root->finish();
  INFO((finished.ok() ? "" : finished.error().message));
  REQUIRE(finished.ok());
  return out;
}

inline std::string fault_of(const std::string& yaml) {
  const Result<config::Node> root = config::Node::parse(yaml, "study.yaml");
  REQUIRE(root.ok());
  read_study(*root);
  const Status finished = root->finish();
  return finished.ok() ? "" : finished.error().message;
}

/// A and B, and what is put before their options.
inline Study two_options(const std::string& more = "demand: {accelerators_of_first: 1024}\n") {
  return read_text(std::string(kHead) + more + "options:\n" + kOptionA + kOptionB);
}

inline Outcome worked_out(const Study& study) {
  const Result<Outcome> out = work_out(study);
  REQUIRE(out.ok());
  return *out;
}

/// An option's input as if the file had said another value.
inline void change(Study& study, std::size_t option, In id, double value) {
  config::Quantity quantity;
  quantity.value = value;
  study.options[option][id] = Given{quantity, Origin::option};
}

}  // namespace scoville::cost

#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "evaluate/findings.hpp"
#include "evaluate/journal.hpp"
#include "evaluate/judge.hpp"
#include "evaluate/self_check.hpp"

namespace scoville::evaluate {

/// What other modules found, as it goes into the record.
struct CostPart {
  enum class State { not_asked, incomplete, done };
  State state = State::not_asked;
  text::Phrase why;     ///< incomplete: what is missing
  json::object object;  ///< docs/formats/cost.md
  std::string currency;
  struct PerSystem {
    std::string system;
    std::optional<double> per_mtok_out, low,
        high;  ///< money per million output tokens, and the interval of its throughput
    std::optional<double> per_year;
    bool is_list_price = false;  ///< a price that somebody asks: exact
  };
  bool is_blended = false;  ///< that is the price of any token, input and output alike
  std::vector<PerSystem> systems;
  text::Phrase method;                      ///< of the attribution
  text::Phrase break_even;                  ///< in a sentence; empty: there is none
  std::vector<text::Phrase> sensitivities;  ///< the largest first
};

struct ClaimPart {
  std::string id, verdict, evidence;
  text::Phrase narrow;  ///< the narrowest sentence that the evidence supports
};

/// A candidate's part of the decision.
struct CandidateRecord {
  matrix::Matrix matrix;
  std::vector<SelfCheck> self_check;
  std::vector<text::Phrase> risks;  ///< the largest first
  std::vector<text::Phrase> mix;    ///< at which mix of the workloads the other system is the faster one
};

/// What is kept of a decision, so that it can be read, doubted and repeated later.
struct Record {
  Plan plan;
  Agenda agenda;
  std::vector<StepResult> journal;
  Findings findings;
  std::vector<CandidateRecord> candidates;  ///< empty: a baseline was recorded, and nothing decided
  CostPart cost;
  std::vector<ClaimPart> claims;
  Beside beside;              ///< of the work breakdown
  json::object migration;     ///< docs/formats/migration.md; empty: not in the plan
  std::string inputs_hash;    ///< SHA-256 of the plan's text and of the ids of all that it rests on
  std::string date, expires;  ///< "2026-11-30"
  std::string version;
  int method_version = 0;
  bool is_dry = false;  ///< scripted endpoints: a rehearsal, nothing about these systems

  /// The best answer among the candidates; empty where there is none.
  const CandidateRecord* best() const;
};

/// Judges every candidate from what the record holds. Notes on what is not there are in the current language: call it
/// anew for another one.
void decide_all(Record& record);

/// The largest three: what blocks first, then what was not looked at, then what moves the cost most.
std::vector<text::Phrase> risks_of(const Plan& plan, const Findings& findings, const matrix::Matrix& matrix,
                                   const CostPart& cost);

/// The candidate's cost of a token ÷ the baseline's. The interval takes the worst corners of both throughputs; two list
/// prices are exact. Without a cost of both there is a note.
matrix::Estimate cost_ratio(const CostPart& cost, const std::string& base, const std::string& candidate);

/// Where the faster system changes with the share of one workload in all requests, the others keeping theirs alike.
/// What a request of a mix costs in time is the mean of 1 ÷ (requests/s within limits) by shares. Empty for one
/// workload, and where one system is ahead in any mix.
std::vector<text::Phrase> mix_flips(const Plan& plan, const Findings& findings, const std::string& candidate);

/// "2026-11-30" and 90 → "2027-02-28".
std::string day_after(const std::string& date, std::size_t days);

/// Over the text of the plan and everything found, so that the same inputs have the same hash.
std::string hash_of_inputs(const std::string& plan_text, const Findings& findings, int method_version);

}  // namespace scoville::evaluate

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "correctness/gate.hpp"
#include "event/fingerprint.hpp"

namespace scoville::correctness {

/// What an answer depends on, out of a fingerprint: model and weights, their precision, engine and version,
/// parallelism, devices and driver. By key, sorted; only what is known. Not the host, not the settings that only change
/// speed.
using AccuracyFacts = std::vector<std::pair<std::string, std::string>>;
AccuracyFacts accuracy_facts(const event::Fingerprint& system);

/// The key under which a check of two systems is stored (store::Finding::subject): the SHA-256 of each one's facts as
/// compact JSON, cut to 16 digits, the smaller first, "+" between. So it is the same whichever is named first. Facts
/// that only one of two fingerprints of a system knows make another key: see AccuracyGate::covers().
std::string accuracy_subject(const event::Fingerprint& one, const event::Fingerprint& other);
std::string accuracy_subject(const AccuracyFacts& one, const AccuracyFacts& other);

/// How two descriptions of a system stand to each other.
struct FactsMatch {
  std::vector<std::string> different;   ///< keys known on both sides, with other values: not that system
  std::vector<std::string> unverified;  ///< keys known on one side only
  bool is_same() const { return different.empty(); }
};
FactsMatch match(const AccuracyFacts& one, const AccuracyFacts& other);

/// What a stored check says, for who has to know whether two precisions may be compared.
struct AccuracyGate {
  std::string id, tasks_sha256;  ///< the latter empty: no tasks
  GateVerdict verdict = GateVerdict::not_measured;
  double target = 0;  ///< of the score's ratio; 0 where there were no tasks
  AccuracyFacts reference, candidate;

  /// Whether it was made of these two systems, in either order: a candidate that is as good as its reference may be
  /// compared with it from both sides. What only one side knows makes the match unverified, not wrong. Empty: it is
  /// about other systems.
  std::optional<FactsMatch> covers(const AccuracyFacts& one, const AccuracyFacts& other) const;
};

/// Reads docs/formats/correctness.md, as stored and as printed with --json. The error names the member at fault.
Result<AccuracyGate> accuracy_gate_from(const json::value& body);

}  // namespace scoville::correctness

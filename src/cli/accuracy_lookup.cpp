#include "cli/accuracy_lookup.hpp"

#include <algorithm>

#include "base/file.hpp"
#include "correctness/accuracy_gate.hpp"
#include "decide/fingerprint_groups.hpp"
#include "text/catalogue.hpp"

namespace scoville::cli {
namespace {

using correctness::AccuracyGate;
using correctness::GateVerdict;
using text::Msg;
using text::say;

decide::Accuracy verdict_of(const AccuracyGate& gate) {
  return gate.verdict == GateVerdict::pass   ? decide::Accuracy::passed
         : gate.verdict == GateVerdict::fail ? decide::Accuracy::failed
                                             : decide::Accuracy::unknown;
}

/// A check that does not know by itself in which precision it was made is taken only where the user says so.
bool knows_precision(const std::vector<std::string>& unverified) {
  return std::none_of(unverified.begin(), unverified.end(), [](const std::string& key) {
    return decide::is_precision(key) || key == "model.id" || key == "model.sha256" || key == "engine.name";
  });
}

Result<json::value> body_of(const store::RunStore* store, const std::string& name) {
  if (store) {
    const auto found = store->findings(kCorrectness);
    if (!found) return found.error();
    for (const store::Finding& each : *found) {
      const json::object* const body = each.body.if_object();
      const json::value* const tag = body ? body->if_contains("tag") : nullptr;
      if (each.id == name || (tag && tag->is_string() && tag->as_string() == name)) return each.body;
    }
  }
  const Result<std::string> text = read_file(name);
  if (!text) return Error{ErrorCode::invalid_argument, say(Msg::accuracy_not_found, name)};
  json::error_code fault;
  json::value body = json::parse(*text, fault);
  if (fault) return Error{ErrorCode::invalid_argument, say(Msg::accuracy_bad, name, fault.message())};
  return body;
}

}  // namespace

Result<KnownAccuracy> known_accuracy(const store::RunStore* store, const decide::Setup& base,
                                     const decide::Setup& candidate) {
  KnownAccuracy out;
  if (!store) return out;
  const auto found = store->findings(kCorrectness);
  if (!found) return found.error();
  const auto ours = correctness::accuracy_facts(base.system), theirs = correctness::accuracy_facts(candidate.system);
  for (const store::Finding& each : *found) {
    const Result<AccuracyGate> gate = correctness::accuracy_gate_from(each.body);
    if (!gate || verdict_of(*gate) == decide::Accuracy::unknown) continue;
    const auto match = gate->covers(ours, theirs);
    if (!match || !knows_precision(match->unverified)) continue;
    return KnownAccuracy{verdict_of(*gate), each.id, match->unverified};
  }
  return out;
}

Result<KnownAccuracy> named_accuracy(const store::RunStore* store, const std::string& name, const decide::Setup& base,
                                     const decide::Setup& candidate) {
  const Result<json::value> body = body_of(store, name);
  if (!body) return body.error();
  const Result<AccuracyGate> gate = correctness::accuracy_gate_from(*body);
  if (!gate) return Error{ErrorCode::invalid_argument, say(Msg::accuracy_bad, name, gate.error().message)};
  const auto match =
      gate->covers(correctness::accuracy_facts(base.system), correctness::accuracy_facts(candidate.system));
  if (!match) return Error{ErrorCode::invalid_argument, say(Msg::accuracy_of_others, name)};
  return KnownAccuracy{verdict_of(*gate), gate->id, match->unverified};
}

}  // namespace scoville::cli

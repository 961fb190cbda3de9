#include "correctness/accuracy_gate.hpp"

#include <algorithm>
#include <array>

#include "base/json_fields.hpp"
#include "base/sha256.hpp"

namespace scoville::correctness {
namespace {

constexpr std::size_t kKeyDigits = 16;
constexpr std::array<std::string_view, 19> kFacts{
    "engine.build",
    "engine.flags.dtype",
    "engine.flags.kv_cache_dtype",
    "engine.flags.quantization",
    "engine.flags.tensor_parallel_size",
    "engine.flags.tp_size",
    "engine.name",
    "engine.version",
    "model.dtype",
    "model.id",
    "model.quantisation",
    "model.revision",
    "model.sha256",
    "model.weight_version",
    "model.weights.dtype",
    "model.weights.quantisation",
    "model.weights.quantisation_bits",
    "model.weights.quantisation_scheme",
    "service.vendor",
};

bool is_fact(const event::FingerprintField& field) {
  const std::string_view key = field.key;
  if (field.status != event::FieldStatus::ok || !field.is_comparable) return false;
  if (std::binary_search(kFacts.begin(), kFacts.end(), key)) return true;
  return key.starts_with("driver.") || (key.starts_with("device.") && key.ends_with(".name"));
}

std::string key_of(const AccuracyFacts& facts) {
  json::object object;
  for (const auto& [key, value] : facts) object[key] = value;
  return sha256(compact(object)).substr(0, kKeyDigits);
}

/// Null: a member is missing or is not text.
std::optional<AccuracyFacts> facts_from(const json::value* arm) {
  const json::object* const object = arm ? arm->if_object() : nullptr;
  const json::value* const facts = object ? object->if_contains("accuracy_facts") : nullptr;
  if (!facts || !facts->is_object()) return std::nullopt;
  AccuracyFacts out;
  for (const auto& [key, value] : facts->get_object()) {
    if (!value.is_string()) return std::nullopt;
    out.emplace_back(key, value.get_string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

FactsMatch both(const FactsMatch& one, FactsMatch other) {
  other.different.insert(other.different.end(), one.different.begin(), one.different.end());
  other.unverified.insert(other.unverified.end(), one.unverified.begin(), one.unverified.end());
  for (std::vector<std::string>* keys : {&other.different, &other.unverified}) {
    std::sort(keys->begin(), keys->end());
    keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
  }
  return other;
}

}  // namespace

AccuracyFacts accuracy_facts(const event::Fingerprint& system) {
  AccuracyFacts facts;
  for (const event::FingerprintField& each : system.fields()) {
    if (is_fact(each)) facts.emplace_back(each.key, system.text(each.key));
  }
  return facts;
}

std::string accuracy_subject(const AccuracyFacts& one, const AccuracyFacts& other) {
  const std::string first = key_of(one), second = key_of(other);
  return std::min(first, second) + "+" + std::max(first, second);
}

std::string accuracy_subject(const event::Fingerprint& one, const event::Fingerprint& other) {
  return accuracy_subject(accuracy_facts(one), accuracy_facts(other));
}

FactsMatch match(const AccuracyFacts& one, const AccuracyFacts& other) {
  FactsMatch found;
  const auto value_in = [](const AccuracyFacts& facts, const std::string& key) -> const std::string* {
    for (const auto& [name, value] : facts) {
      if (name == key) return &value;
    }
    return nullptr;
  };
  for (const auto& [key, value] : one) {
    const std::string* const theirs = value_in(other, key);
    if (!theirs) found.unverified.push_back(key);
    if (theirs && *theirs != value) found.different.push_back(key);
  }
  for (const auto& [key, value] : other) {
    if (!value_in(one, key)) found.unverified.push_back(key);
  }
  return found;
}

std::optional<FactsMatch> AccuracyGate::covers(const AccuracyFacts& one, const AccuracyFacts& other) const {
  const FactsMatch straight = both(match(reference, one), match(candidate, other));
  const FactsMatch crossed = both(match(reference, other), match(candidate, one));
  const bool has_straight = straight.is_same(), has_crossed = crossed.is_same();
  if (has_straight && has_crossed) return straight.unverified.size() <= crossed.unverified.size() ? straight : crossed;
  if (has_straight) return straight;
  if (has_crossed) return crossed;
  return std::nullopt;
}

Result<AccuracyGate> accuracy_gate_from(const json::value& body) {
  const auto fail = [](std::string what) { return Error{ErrorCode::invalid_argument, std::move(what)}; };
  std::string schema;
  AccuracyGate gate;
  JsonIn in(body, "");
  in("schema", schema);
  in("id", gate.id);
  in.nested("tasks", [&](JsonIn& tasks) { tasks("sha256", gate.tasks_sha256); });
  in.nested("gate", [&](JsonIn& inner) {
    inner.named("verdict", gate.verdict, kGateVerdicts);
    inner("accuracy_target", gate.target);
  });
  if (Status read = in.status(); !read) return read.error();
  if (schema != "scoville.correctness/1") return fail("schema: expected scoville.correctness/1");
  const json::value* const arms = body.as_object().if_contains("arms");
  const json::array* const list = arms ? arms->if_array() : nullptr;
  if (!list || list->size() != 2) return fail("arms: expected two");
  for (std::size_t i = 0; i < 2; ++i) {
    std::optional<AccuracyFacts> facts = facts_from(&(*list)[i]);
    if (!facts) return fail("arms[" + std::to_string(i) + "].accuracy_facts: expected an object of texts");
    (i == 0 ? gate.reference : gate.candidate) = std::move(*facts);
  }
  return gate;
}

}  // namespace scoville::correctness

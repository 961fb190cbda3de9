#include "decide/gate.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "decide/gate_fields.hpp"
#include "decide/model_identity.hpp"
#include "decide/validity.hpp"

namespace scoville::decide {
namespace {

constexpr const char* kAccuracy = "accuracy";
constexpr const char* kPrefixCache = "prefix_cache";

bool names(const std::vector<std::string>& list, std::string_view key) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& each) {
    return key == each || (key.starts_with(each) && key.size() > each.size() && key[each.size()] == '.');
  });
}

bool is_exactly_in(const std::vector<std::string>& list, std::string_view key) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

/// Whether a field may differ because the comparison is about it. A prefix cache may be, if it is named.
bool may_differ(const GateField& field, const GateOptions& options) {
  if (field.key == kPrefixCache) return is_exactly_in(options.subject, field.key);
  if (field.field_class != FieldClass::subject) return false;
  return options.subject.empty() || names(options.subject, field.key);
}

bool differs(const Gate& gate, std::string_view key) {
  const GateField* const field = gate.find(key);
  return field && field->state == FieldState::different;
}

/// Different precisions need answers of equal worth; equal ones do not need the field.
void add_accuracy(const Arm& base, const Arm& candidate, const GateOptions& options, Gate& gate) {
  if (!differs(gate, "precision") && !is_other_precision_of(base.setup, candidate.setup)) return;
  GateField field{kAccuracy, FieldClass::must_equal, FieldState::different, "", "", false, false, true};
  if (const GateField* const precision = gate.find("precision")) {
    field.base = precision->base;
    field.candidate = precision->candidate;
  }
  if (options.accuracy == Accuracy::passed) {
    field.state = FieldState::equal;
    field.code = options.accuracy_id;
  } else {
    field.code = options.accuracy == Accuracy::failed ? "accuracy_failed" : "precision_without_accuracy";
  }
  gate.fields.push_back(std::move(field));
}

void sort_out(GateField& field, const GateOptions& options, Gate& gate) {
  field.is_declared = field.field_class != FieldClass::validity && names(options.subject, field.key);
  if (field.state == FieldState::unknown) {
    if (field.field_class != FieldClass::validity) gate.unverified.push_back(field.key);
    return;
  }
  if (field.state == FieldState::equal) return;
  if (field.field_class == FieldClass::record) {
    gate.noted.push_back(field.key);
  } else if (may_differ(field, options)) {
    gate.differs.push_back(field.key);
  } else if (field.field_class == FieldClass::normalise && !is_exactly_in(options.allow, field.key)) {
    gate.is_per_device = true;
    gate.differs.push_back(field.key);
  } else if (is_exactly_in(options.allow, field.key) && field.can_be_allowed) {
    field.is_allowed = true;
    gate.allowed.push_back(field.key);
  } else {
    gate.refused.push_back(field.key);
  }
}

Scope scope_of(const Gate& gate, const GateOptions& options) {
  if (!gate.unverified.empty()) return Scope::service;
  if (gate.differs.empty() && gate.allowed.empty()) return Scope::same;
  return gate.differs.size() == 1 && gate.allowed.empty() && !options.subject.empty() ? Scope::single : Scope::stack;
}

/// The flags that say on how many devices one model runs.
std::optional<int> parallel_degree(const event::Fingerprint& system) {
  constexpr std::array<std::array<const char*, 3>, 3> kDegrees{{{"tensor_parallel_size", "tp_size", "tp"},
                                                                {"pipeline_parallel_size", "pp_size", "pp"},
                                                                {"data_parallel_size", "dp_size", "dp"}}};
  std::optional<int> product;
  for (const auto& names : kDegrees) {
    for (const char* name : names) {
      const std::string value = system.text(std::string("engine.flags.") + name);
      int degree = 0;
      if (std::from_chars(value.data(), value.data() + value.size(), degree).ec != std::errc() || degree < 1) continue;
      product = product.value_or(1) * degree;
      break;
    }
  }
  return product;
}

std::optional<int> counted_devices(const event::Fingerprint& system) {
  std::optional<int> count;
  for (const event::FingerprintField& field : system.fields()) {
    if (!field.key.starts_with("device.") || !field.key.ends_with(".count")) continue;
    if (field.status != event::FieldStatus::ok) continue;
    json::error_code fault;
    const int each = field.value.to_number<int>(fault);
    if (!fault) count = count.value_or(0) + each;
  }
  return count;
}

/// Of "10.0.0.7:8000": "10.0.0.7"; of "[::1]:80": "[::1]".
std::string host_in(const std::string& peer) {
  const std::size_t colon = peer.rfind(':'), bracket = peer.rfind(']');
  const bool has_port = colon != std::string::npos && (bracket == std::string::npos || bracket < colon);
  return has_port ? peer.substr(0, colon) : peer;
}

}  // namespace

std::string_view name_of(FieldClass field_class) {
  constexpr std::array<std::string_view, 5> kNames{"must_equal", "subject", "normalise", "record", "validity"};
  return kNames[static_cast<std::size_t>(field_class)];
}

std::string_view name_of(FieldState state) {
  constexpr std::array<std::string_view, 3> kNames{"equal", "different", "unknown"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view name_of(GateResult result) {
  constexpr std::array<std::string_view, 3> kNames{"OK", "FLAG", "REFUSE"};
  return kNames[static_cast<std::size_t>(result)];
}

std::string_view name_of(Scope scope) {
  constexpr std::array<std::string_view, 4> kNames{"service", "stack", "single", "same"};
  return kNames[static_cast<std::size_t>(scope)];
}

const GateField* Gate::find(std::string_view key) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const GateField& each) { return each.key == key; });
  return found == fields.end() ? nullptr : &*found;
}

std::vector<std::string> allowable_keys() {
  std::vector<std::string> out;
  for (const FieldRule& each : field_rules()) {
    const bool can_refuse = each.field_class != FieldClass::record;
    if (can_refuse) out.emplace_back(each.key);
  }
  out.emplace_back(kAccuracy);
  for (const GateField& each : check_validity({}, {})) {
    if (each.can_be_allowed) out.push_back(each.key);
  }
  return out;
}

std::vector<std::string> subject_keys() {
  std::vector<std::string> out;
  for (const FieldRule& each : field_rules()) {
    if (each.field_class == FieldClass::subject || each.key == std::string_view(kPrefixCache))
      out.emplace_back(each.key);
  }
  return out;
}

Gate check(const Arm& base, const Arm& candidate, const GateOptions& options) {
  Gate gate;
  gate.fields = check_validity(base, candidate);
  for (const FieldRule& rule : field_rules()) {
    Reading reading = rule.read(base, candidate);
    gate.fields.push_back({rule.key, rule.field_class, reading.state, std::move(reading.base),
                           std::move(reading.candidate), false, false, true});
  }
  add_accuracy(base, candidate, options, gate);
  for (GateField& field : gate.fields) sort_out(field, options, gate);
  gate.scope = scope_of(gate, options);
  gate.result = !gate.refused.empty()                                                    ? GateResult::refuse
                : gate.unverified.empty() && gate.allowed.empty() && !gate.is_per_device ? GateResult::ok
                                                                                         : GateResult::flag;
  return gate;
}

std::optional<int> devices_of(const Setup& setup) {
  if (setup.devices) return setup.devices;
  if (const std::optional<int> degree = parallel_degree(setup.system)) return degree;
  const std::optional<int> counted = counted_devices(setup.system);
  return counted == 1 ? counted : std::nullopt;
}

bool is_one_machine(const Setup& base, const Setup& candidate) {
  const std::string ours = base.system.text("os.hostname"), theirs = candidate.system.text("os.hostname");
  if (!ours.empty() && !theirs.empty()) return ours == theirs;
  return !base.peer.empty() && host_in(base.peer) == host_in(candidate.peer) && base.client == candidate.client;
}

}  // namespace scoville::decide

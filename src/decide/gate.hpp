#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decide/arm.hpp"

namespace scoville::decide {

/// What a difference in a field means: docs/method.md, "Gate".
enum class FieldClass {
  must_equal,  ///< different: no comparison
  subject,     ///< what is being compared: may differ, if declared
  normalise,   ///< different: figures per device only
  record,      ///< different: said
  validity,    ///< of the runs themselves: "different" means that it is not as it must be
};
std::string_view name_of(FieldClass field_class);

enum class FieldState { equal, different, unknown };
std::string_view name_of(FieldState state);

/// One field, read on both sides.
struct GateField {
  std::string key;
  FieldClass field_class = FieldClass::record;
  FieldState state = FieldState::unknown;
  std::string base, candidate;  ///< what stands there; of fields that differ in part, only that part
  bool is_declared = false;     ///< the comparison is about it
  bool is_allowed = false;      ///< it would be refused, but for --allow
  bool can_be_allowed = true;
  std::string code = "";  ///< why, where the key does not say it all: precision_without_accuracy, accuracy_failed
};

enum class GateResult {
  ok,
  flag,    ///< compared, with something to be said
  refuse,  ///< not compared
};
std::string_view name_of(GateResult result);

/// What the verdict may speak of.
enum class Scope {
  service,  ///< something of the systems is unknown: one service against another, never a chip
  stack,    ///< all is known, several things differ or the subject is undeclared: one stack against another
  single,   ///< all is known, and one declared thing differs
  same,     ///< all is known, and nothing of the systems differs
};
std::string_view name_of(Scope scope);

struct Gate {
  GateResult result = GateResult::refuse;
  Scope scope = Scope::service;
  bool is_per_device = false;        ///< the arms have different numbers of devices
  std::vector<GateField> fields;     ///< all, in the order of docs/method.md
  std::vector<std::string> refused;  ///< keys
  std::vector<std::string> unverified;
  std::vector<std::string> allowed;  ///< would be refused, but were allowed
  std::vector<std::string> differs;  ///< of the subject
  std::vector<std::string> noted;    ///< to be recorded, and different

  const GateField* find(std::string_view key) const;
};

/// A system's answers were checked against the reference's: what differing precisions need.
enum class Accuracy { unknown, passed, failed };

struct GateOptions {
  std::vector<std::string> subject;  ///< keys; "device" takes device.power_cap along; empty: the whole stack
  std::vector<std::string> allow;    ///< keys
  Accuracy accuracy = Accuracy::unknown;
  std::string accuracy_id = "";  ///< of the check that says so
};

/// The keys that --allow may name: all but those that can never be allowed.
std::vector<std::string> allowable_keys();
/// The keys that --subject may name.
std::vector<std::string> subject_keys();

/// Field by field, before any figure is looked at.
Gate check(const Arm& base, const Arm& candidate, const GateOptions& options = {});

/// How many devices an arm used: said by the user, else the product of the engine's parallel degrees, else the one
/// device that there is. Empty: not known; a machine with eight does not say how many of them worked.
std::optional<int> devices_of(const Setup& setup);

/// Both arms ran on one machine, as far as that can be told. Two samples of one product differ among themselves, so
/// between machines the margin is wider.
bool is_one_machine(const Setup& base, const Setup& candidate);

}  // namespace scoville::decide

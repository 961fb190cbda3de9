#include <fmt/format.h>

#include "report/cells.hpp"
#include "report/comparison_words.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::Comparison;
using decide::FieldClass;
using decide::GateField;
using decide::GateResult;
using text::Msg;
using text::say;

std::string line(const std::string& sentence, std::size_t indent = 0) {
  return text::wrapped(sentence, kLineWidth, indent);
}

std::string why(const decide::Gate& gate, const GateField& field) {
  if (field.key == "runs.instrument" || field.key == "runs.client_bound") return say(Msg::compare_why_instrument);
  if (field.key == "runs.one_plan") return say(Msg::compare_why_one_plan);
  if (field.key == "accuracy")
    return say(field.code == "accuracy_failed" ? Msg::compare_why_accuracy_failed : Msg::compare_why_accuracy);
  if (field.key == "prompt_tokens" || field.key == "output_tokens")
    return say(asks_the_same(gate) ? Msg::compare_why_workload : Msg::compare_why_follows);
  if (field.key == "device.slice") return say(Msg::compare_why_slice);
  if (field.key == "harness") return say(Msg::compare_why_harness);
  if (field.field_class == FieldClass::validity) return say(Msg::compare_why_validity);
  if (field.field_class == FieldClass::subject) return say(Msg::compare_why_subject);
  return say(Msg::compare_why_must_equal);
}

/// Long values are cut to what a terminal shows: the JSON has them whole.
std::string shortened(const std::string& value) {
  constexpr std::size_t kMost = 30;
  return value.empty() ? kNone : text::shorten(value, kMost);
}

std::string refusal(const Comparison& all) {
  std::string out = say(Msg::compare_gate_refuse) + "\n\n";
  text::Table table({say(Msg::compare_column_field), all.base, all.candidate, say(Msg::compare_column_why)});
  for (const std::size_t column : {1, 2, 3}) table.flush_left(column);
  bool can_allow = false;
  for (const std::string& key : all.gate.refused) {
    const GateField& field = *all.gate.find(key);
    table.add_row({key, shortened(field.base), shortened(field.candidate), why(all.gate, field)});
    can_allow = can_allow || field.can_be_allowed;
  }
  out += table.render();
  if (all.gate.find("accuracy") && all.gate.find("accuracy")->state == decide::FieldState::different)
    out += "\n" + line(say(Msg::compare_how_accuracy));
  return can_allow ? out + "\n" + line(say(Msg::compare_how_to_allow)) : out;
}

/// "engine (engine.version 0.9.1 → engine.version 0.10.0), driver (…)".
std::string with_values(const decide::Gate& gate, const std::vector<std::string>& keys) {
  std::vector<std::string> out;
  for (const std::string& key : keys) {
    const GateField& field = *gate.find(key);
    out.push_back(fmt::format("{} ({} → {})", key, shortened(field.base), shortened(field.candidate)));
  }
  return joined(out);
}

}  // namespace

std::string gate_lines(const Comparison& all) {
  const decide::Gate& gate = all.gate;
  if (gate.result == GateResult::refuse) return refusal(all);
  std::string out = line(say(!gate.allowed.empty()           ? Msg::compare_gate_allowed
                             : gate.result == GateResult::ok ? Msg::compare_gate_ok
                                                             : Msg::compare_gate_flag));
  if (!gate.unverified.empty()) out += line("! " + say(Msg::compare_unverified, joined(gate.unverified)), 2);
  if (!gate.allowed.empty()) out += line("! " + say(Msg::compare_allowed, with_values(gate, gate.allowed)), 2);
  if (!gate.differs.empty()) out += line("  " + say(Msg::compare_differs, with_values(gate, gate.differs)), 4);
  if (!gate.noted.empty()) out += line("  " + say(Msg::compare_noted, joined(gate.noted)), 4);
  if (gate.is_per_device) out += line("! " + say(Msg::compare_per_device), 2);
  return out;
}

}  // namespace scoville::report

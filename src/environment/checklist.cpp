#include "environment/checklist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "text/catalogue.hpp"

namespace scoville::environment {
namespace {

using event::FieldStatus;
using event::Fingerprint;
using event::FingerprintField;
using text::Msg;
using text::say;

constexpr std::array<Row, 6> kRows{Row::driver, Row::runtime, Row::framework, Row::engine, Row::model, Row::topology};

bool ends_in(std::string_view key, std::initializer_list<std::string_view> last) {
  return std::find(last.begin(), last.end(), key.substr(key.rfind('.') + 1)) != last.end();
}

bool belongs(std::string_view key, Row row) {
  const auto below = [&](std::string_view prefix) { return key.starts_with(prefix); };
  switch (row) {
    case Row::driver:
      return below("driver.") || below("firmware.") || (below("device.") && ends_in(key, {"firmware", "vbios"}));
    case Row::runtime:
      return below("runtime.");
    case Row::framework:
      return below("framework.");
    case Row::engine:
      return below("engine.");
    case Row::model:
      return below("model.");
    case Row::topology:
      return below("topology.");
  }
  return false;
}

/// How many devices the tools found; empty text of the key means that none answered.
std::size_t device_count(const Fingerprint& print) {
  std::size_t count = 0;
  for (const FingerprintField& field : print.fields()) {
    if (!field.key.starts_with("device.") || !field.key.ends_with(".count")) continue;
    if (const std::int64_t* n = field.value.if_int64()) count += static_cast<std::size_t>(*n);
    if (const std::uint64_t* n = field.value.if_uint64()) count += static_cast<std::size_t>(*n);
  }
  return count;
}

/// "nvidia 580.65.06": the key without its row's word, and the first line of the value.
std::string phrase(const FingerprintField& field, const Fingerprint& print) {
  std::string value = print.text(field.key);
  return fmt::format("{} {}", field.key.substr(field.key.find('.') + 1), value.substr(0, value.find('\n')));
}

/// The frameworks and engines themselves before the libraries below them.
bool is_main(std::string_view key) {
  static const std::set<std::string_view> names{"framework.torch",
                                                "framework.torch-npu",
                                                "framework.torch-mlu",
                                                "framework.torch-musa",
                                                "framework.torch-xla",
                                                "framework.vllm",
                                                "framework.sglang",
                                                "framework.lmdeploy",
                                                "framework.tensorflow",
                                                "framework.jax",
                                                "framework.paddlepaddle",
                                                "framework.mindspore",
                                                "framework.intel-extension-for-pytorch",
                                                "framework.vllm-ascend"};
  return names.count(key) > 0;
}

/// The values of these keys that are known, hashes to twelve digits.
std::string values_of(std::initializer_list<const char*> keys, const Fingerprint& print) {
  std::string out;
  for (const char* key : keys) {
    std::string value = print.text(key);
    if (value.empty()) continue;
    const bool is_hash = std::string_view(key).ends_with("sha256") || std::string_view(key).ends_with("revision");
    out += (out.empty() ? "" : ", ") + (is_hash ? value.substr(0, 12) : value);
  }
  return out;
}

std::string engine_values(const Fingerprint& print) {
  return values_of({"engine.name", "engine.version", "engine.build"}, print);
}
std::string model_values(const Fingerprint& print) {
  return values_of({"model.id", "model.sha256", "model.revision", "model.quantisation", "model.dtype"}, print);
}

std::string known_detail(Row row, const Fingerprint& print) {
  if (row == Row::engine) return engine_values(print);
  if (row == Row::model) return model_values(print);
  if (row == Row::topology && device_count(print) == 1) return say(Msg::env_topology_one);
  if (row == Row::topology) {
    std::string vendors;
    for (const FingerprintField& field : print.fields()) {
      if (!belongs(field.key, row) || field.status != FieldStatus::ok) continue;
      vendors += (vendors.empty() ? "" : ", ") + field.key.substr(9);
    }
    return say(Msg::env_topology_known, device_count(print), vendors);
  }
  std::set<std::string> seen;
  std::string main, rest;
  for (const FingerprintField& field : print.fields()) {
    if (!belongs(field.key, row) || field.status != FieldStatus::ok) continue;
    std::string said = phrase(field, print);
    if (field.key.starts_with("device.")) {  // eight cards with one firmware are one phrase
      said = fmt::format("{} {}", field.key.substr(field.key.rfind('.') + 1), print.text(field.key));
    }
    if (!seen.insert(said).second) continue;
    std::string& list = row != Row::framework || is_main(field.key) ? main : rest;
    list += (list.empty() ? "" : ", ") + said;
  }
  return main.empty() ? rest : main;
}

/// The first complaint of a tool that is here and did not answer: that, not its absence, is why a row is unknown.
std::string trouble(const Fingerprint& print, Row row) {
  for (const FingerprintField& field : print.fields()) {
    if (field.status != FieldStatus::error && field.status != FieldStatus::denied) continue;
    if (belongs(field.key, row) || (row == Row::driver && field.key.starts_with("tool."))) return field.source;
  }
  return "";
}

std::string unknown_detail(Row row, const Fingerprint& print) {
  if (std::string said = trouble(print, row); !said.empty()) return said;
  switch (row) {
    case Row::driver:
      return say(Msg::env_unknown_driver);
    case Row::runtime:
      return say(Msg::env_unknown_runtime);
    case Row::framework:
      return say(Msg::env_unknown_framework);
    case Row::engine:
      return engine_values(print).empty() ? say(Msg::env_unknown_engine)
                                          : say(Msg::env_unknown_engine_version, engine_values(print));
    case Row::model:
      return model_values(print).empty() ? say(Msg::env_unknown_model)
                                         : say(Msg::env_unknown_model_hash, model_values(print));
    case Row::topology:
      return say(Msg::env_unknown_topology);
  }
  return "";
}

/// What identifies the row: python alone is no framework.
bool is_known(Row row, const Fingerprint& print) {
  if (row == Row::topology && device_count(print) == 1) return true;
  // A name does not stand still: an engine has a version, weights have a hash or a commit.
  const auto knows = [&](std::string_view key) { return !print.text(key).empty(); };
  if (row == Row::engine) return knows("engine.version") || knows("engine.build");
  if (row == Row::model) return knows("model.sha256") || knows("model.revision");
  return std::any_of(print.fields().begin(), print.fields().end(), [&](const FingerprintField& field) {
    return belongs(field.key, row) && field.status == FieldStatus::ok && field.key != "framework.python" &&
           field.key != "framework.numpy";
  });
}

/// What one fingerprint has to say of a key.
enum class Side { known, none, in_doubt, apart };

bool failed(const FingerprintField& field) {
  return field.status == FieldStatus::error || field.status == FieldStatus::denied;
}

/// What a tool would have told is not gone because the tool did not answer this time.
bool is_told_by_who_failed(const Fingerprint& print, std::string_view key) {
  if (key.starts_with("framework.")) {
    const FingerprintField* const python = print.find("framework.python");
    return python && failed(*python);
  }
  const auto below = [&](std::string_view prefix) { return key.starts_with(prefix); };
  if (!below("device.") && !below("driver.") && !below("firmware.") && !below("runtime.") && !below("topology.") &&
      !below("tool.")) {
    return false;
  }
  return std::any_of(print.fields().begin(), print.fields().end(),
                     [](const FingerprintField& field) { return field.key.starts_with("tool.") && failed(field); });
}

Side side(const Fingerprint& print, const std::string& key) {
  const FingerprintField* const field = print.find(key);
  if (field && !field->is_comparable) return Side::apart;
  if (field && field->status == FieldStatus::ok) return Side::known;
  if ((field && failed(*field)) || is_told_by_who_failed(print, key)) return Side::in_doubt;
  return Side::none;
}

}  // namespace

std::vector<std::string> changed_keys(const Fingerprint& print, const Fingerprint& base) {
  std::set<std::string> keys;
  for (const Fingerprint* each : {&print, &base}) {
    for (const FingerprintField& field : each->fields()) keys.insert(field.key);
  }
  std::vector<std::string> out;
  for (const std::string& key : keys) {
    const Side ours = side(print, key), theirs = side(base, key);
    if (ours == Side::apart || theirs == Side::apart || ours == Side::in_doubt || theirs == Side::in_doubt) continue;
    if (ours != theirs || (ours == Side::known && print.text(key) != base.text(key))) out.push_back(key);
  }
  return out;
}

std::vector<ChecklistRow> checklist(const Fingerprint& print, const Fingerprint* base) {
  const std::vector<std::string> differing = base ? changed_keys(print, *base) : std::vector<std::string>();
  std::vector<ChecklistRow> rows;
  for (const Row row : kRows) {
    ChecklistRow out{row, RowState::unknown, "", {}};
    std::copy_if(differing.begin(), differing.end(), std::back_inserter(out.changed),
                 [&](const std::string& key) { return belongs(key, row); });
    const bool is_row_known = is_known(row, print);
    if (is_row_known) out.state = RowState::fixed;
    if (!out.changed.empty()) out.state = RowState::changed;
    out.detail = is_row_known ? known_detail(row, print) : unknown_detail(row, print);
    rows.push_back(std::move(out));
  }
  return rows;
}

std::string_view name_of(Row row) {
  constexpr std::array<std::string_view, 6> kNames{"driver", "runtime", "framework", "engine", "model", "topology"};
  return kNames[static_cast<std::size_t>(row)];
}

std::string_view name_of(RowState state) {
  constexpr std::array<std::string_view, 3> kNames{"fixed", "unknown", "changed"};
  return kNames[static_cast<std::size_t>(state)];
}

}  // namespace scoville::environment

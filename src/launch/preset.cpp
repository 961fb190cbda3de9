#include "launch/preset.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "base/check.hpp"
#include "launch/command_words.hpp"
#include "text/catalogue.hpp"

namespace scoville::launch {

std::vector<std::pair<const char*, const char*>> embedded_presets();  // name of the file, text

namespace {

using text::Msg;
using text::say;

const std::vector<std::string> kKeys{"name",     "title", "version",   "command", "ready", "environment",
                                     "settings", "hints", "confirmed", "source",  "note"};

Error fault(const std::string& where, const std::string& key, const std::string& expected) {
  return {ErrorCode::invalid_argument, say(Msg::launch_preset_fault, where, key, expected)};
}

bool is_text(const YAML::Node& node) { return node && node.IsScalar() && !node.Scalar().empty(); }

/// A list of words; a single word is a list of one.
bool read_words(const YAML::Node& node, std::vector<std::string>& into) {
  if (is_text(node)) {
    into = {node.Scalar()};
    return true;
  }
  if (!node || !node.IsSequence() || node.size() == 0) return false;
  for (const YAML::Node& each : node) {
    if (!each.IsScalar()) return false;
    into.push_back(each.Scalar());
  }
  return true;
}

Status read_settings(const YAML::Node& node, const std::string& where, Preset& into) {
  if (!node) return Done{};
  if (!node.IsMap()) return fault(where, "settings", "{tp: --tensor-parallel-size}");
  for (const auto& pair : node) {
    const std::string name = pair.first.Scalar();
    const auto& known = setting_names();
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fault(where, "settings." + name, fmt::format("{}", fmt::join(known, ", ")));
    std::vector<std::string>& words = into.settings[name];
    if (!read_words(pair.second, words)) return fault(where, "settings." + name, "--flag, [--flag, \"{value}\"]");
    if (!has_place(words, "value")) words.push_back("{value}");
  }
  return Done{};
}

Status read_environment(const YAML::Node& node, const std::string& where, Preset& into) {
  if (!node) return Done{};
  if (!node.IsMap()) return fault(where, "environment", "{NAME: value}");
  for (const auto& pair : node) {
    if (!pair.second.IsScalar()) return fault(where, "environment." + pair.first.Scalar(), "NAME: value");
    into.environment[pair.first.Scalar()] = pair.second.Scalar();
  }
  return Done{};
}

Result<Preset> read_preset(const YAML::Node& root, const std::string& where) {
  if (!root.IsMap()) return fault(where, "–", "name, command");
  for (const auto& pair : root) {
    const std::string key = pair.first.Scalar();
    if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
      return fault(where, key, fmt::format("{}", fmt::join(kKeys, ", ")));
  }
  Preset out;
  if (!is_text(root["name"])) return fault(where, "name", "name: my-engine");
  out.name = root["name"].Scalar();
  out.title = is_text(root["title"]) ? root["title"].Scalar() : out.name;
  if (root["version"]) out.version = root["version"].as<std::int64_t>();
  if (!root["command"] || !root["command"].IsSequence() || !read_words(root["command"], out.command))
    return fault(where, "command", "[engine, --model, \"{model}\", --port, \"{port}\"]");
  if (root["ready"]) {
    if (!is_text(root["ready"]) || root["ready"].Scalar()[0] != '/') return fault(where, "ready", "/health");
    out.ready = root["ready"].Scalar();
  }
  if (Status read = read_environment(root["environment"], where, out); !read) return read.error();
  if (Status read = read_settings(root["settings"], where, out); !read) return read.error();
  out.confirmed = is_text(root["confirmed"]) ? root["confirmed"].Scalar() : "";
  if (root["source"] && !read_words(root["source"], out.sources)) return fault(where, "source", "[https://…]");
  return out;
}

}  // namespace

const std::vector<std::string>& setting_names() {
  static const std::vector<std::string> names{"tp",     "pp",       "dtype",    "max-len",
                                              "memory", "kv-dtype", "max-seqs", "quantization"};
  return names;
}

Result<Preset> parse_preset(const std::string& yaml, const std::string& where) {
  try {
    return read_preset(YAML::Load(yaml), where);
  } catch (const YAML::Exception& wrong) {
    return fault(where, fmt::format("{}:{}", wrong.mark.line + 1, wrong.mark.column + 1), wrong.msg);
  }
}

const std::vector<Preset>& built_in_presets() {
  static const std::vector<Preset> presets = [] {
    std::vector<Preset> out;
    for (const auto& [name, yaml] : embedded_presets()) {
      Result<Preset> parsed = parse_preset(yaml, name);
      SCOVILLE_CHECK(parsed.ok(), "every embedded preset can be read");
      out.push_back(*std::move(parsed));
    }
    std::sort(out.begin(), out.end(), [](const Preset& a, const Preset& b) { return a.name < b.name; });
    return out;
  }();
  return presets;
}

Result<Preset> find_preset(std::string_view name) {
  std::vector<std::string> names;
  for (const Preset& each : built_in_presets()) {
    if (each.name == name) return each;
    names.push_back(each.name);
  }
  return Error{ErrorCode::invalid_argument, say(Msg::expected_choice, fmt::format("{}, list", fmt::join(names, ", ")))};
}

Result<std::vector<std::string>> words_for(const Preset& preset, std::string_view setting, const std::string& value) {
  const auto found = preset.settings.find(setting);
  if (found != preset.settings.end()) return fill(found->second, {{"value", value}});
  std::vector<std::string> names;
  for (const auto& [name, words] : preset.settings) names.push_back(name);
  return Error{ErrorCode::invalid_argument, names.empty() ? say(Msg::launch_no_settings, preset.name)
                                                          : say(Msg::launch_unknown_setting, preset.name, setting,
                                                                fmt::format("{}", fmt::join(names, ", ")))};
}

Result<std::pair<std::string, std::string>> split_setting(std::string_view text) {
  const std::size_t mark = text.find('=');
  if (mark == 0 || mark == std::string_view::npos)
    return Error{ErrorCode::invalid_argument, say(Msg::launch_expected_setting)};
  return std::pair(std::string(text.substr(0, mark)), std::string(text.substr(mark + 1)));
}

}  // namespace scoville::launch

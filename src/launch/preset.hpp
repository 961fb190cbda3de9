#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace scoville::launch {

/// How an engine is started, as data: docs/formats/launch.md.
struct Preset {
  std::string name, title;
  std::int64_t version = 1;          ///< raised when what it starts changes
  std::vector<std::string> command;  ///< words with {model}, {host}, {port}
  std::string ready = "/health";
  std::map<std::string, std::string> environment;  ///< set for the engine
  /// A common name ("tp") → the engine's words, in which {value} stands for the value.
  std::map<std::string, std::vector<std::string>, std::less<>> settings;
  std::string confirmed;  ///< "run here", "documentation only"
  std::vector<std::string> sources;
};

/// The common names that a preset may map to flags of its engine.
const std::vector<std::string>& setting_names();

/// One preset from YAML. The error names `where`, the key and what was expected.
Result<Preset> parse_preset(const std::string& yaml, const std::string& where);

/// Those that this program was built with (data/launch/*.yaml), by name.
const std::vector<Preset>& built_in_presets();
/// One of them; the error lists all names.
Result<Preset> find_preset(std::string_view name);

/// The engine's words for a common setting; the error lists those that this preset knows.
Result<std::vector<std::string>> words_for(const Preset& preset, std::string_view setting, const std::string& value);

/// "NAME=VALUE", the name not empty.
Result<std::pair<std::string, std::string>> split_setting(std::string_view text);

}  // namespace scoville::launch

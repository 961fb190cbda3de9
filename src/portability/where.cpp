#include "portability/where.hpp"

#include <algorithm>
#include <iterator>

#include "portability/rules.hpp"

namespace scoville::portability {
namespace {

bool holds(std::string_view text, std::string_view what) { return text.find(what) != text.npos; }

bool is_import(const SourceLine& at) {
  std::string_view line = at.text.substr(at.begin, at.end - at.begin);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (at.language == Language::python) return line.starts_with("import ") || line.starts_with("from ");
  return line.starts_with("#") && holds(line.substr(0, line.find_first_of("<\"")), "include");
}

/// A command that installs packages, over all its lines.
bool installs(const SourceLine& at) {
  std::size_t from = at.begin;
  while (from > 1 && at.text[from - 2] == '\\') {
    const std::size_t before = at.text.rfind('\n', from - 2);
    from = before == at.text.npos ? 0 : before + 1;
  }
  const std::string_view command = at.text.substr(from, at.end - from);
  constexpr std::string_view kVerbs[] = {"pip install", "pip3 install", "conda install",   "mamba install", "uv add",
                                         "uv pip",      "apt install",  "apt-get install", "poetry add"};
  return std::any_of(std::begin(kVerbs), std::end(kVerbs), [&](std::string_view verb) { return holds(command, verb); });
}

bool is_dependency(const SourceLine& at, bool is_string) {
  switch (at.language) {
    case Language::requirements:
    case Language::toml:
      return true;
    case Language::python:
      return is_string && at.name == "setup.py";
    case Language::yaml:
      return at.name.starts_with("environment") || at.name.starts_with("conda") || installs(at);
    case Language::shell:
    case Language::dockerfile:
      return installs(at);
    default:
      return false;
  }
}

/// The key that a line of YAML begins with; empty: none.
std::string_view key_of(std::string_view line) {
  const std::size_t from = std::min(line.find_first_not_of(" \t-\"'"), line.size());
  const std::size_t colon = line.find(':', from);
  if (colon == line.npos || (colon + 1 < line.size() && line[colon + 1] != ' ')) return {};
  const std::string_view key = line.substr(from, colon - from);
  return key.find_first_of(" ,[{") == key.npos ? key : std::string_view{};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\"'";
  const std::size_t from = text.find_first_not_of(kAround);
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(kAround) + 1 - from);
}

}  // namespace

bool is_used_in_yaml(std::string_view line, const Span& span) {
  constexpr std::string_view kCommands[] = {"run", "command", "commands", "cmd", "args", "script", "entrypoint"};
  const std::string_view key = key_of(line);
  if (key.empty() || std::find(std::begin(kCommands), std::end(kCommands), key) != std::end(kCommands)) return true;
  const std::string_view before = trimmed(line.substr(0, span.begin)), after = trimmed(line.substr(span.end));
  if (after.starts_with(':') || after.starts_with('=')) return true;
  const bool begins = before.empty() || before.ends_with(':') || before.ends_with('-');
  const bool ends = after.empty() || after.starts_with(',') || after.starts_with('}') || after.starts_with('#');
  return begins && ends;
}

std::uint8_t where_of(const SourceLine& line, Part part) {
  if (part == kComment) return 0;
  std::uint8_t out = part == kString ? kInStrings : kInCode;
  if (is_import(line)) out |= kInImports;
  if (is_dependency(line, part == kString)) out |= kInDependencies;
  return out;
}

}  // namespace scoville::portability

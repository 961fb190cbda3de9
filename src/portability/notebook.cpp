#include <algorithm>

#include "base/json.hpp"
#include "portability/scan.hpp"
#include "text/catalogue/portability.hpp"

namespace scoville::portability {
namespace {

/// "source" of a cell: a text, or a list of its lines with their line feeds.
std::string source_of(const json::object& cell) {
  const json::value* const source = cell.if_contains("source");
  if (!source) return "";
  if (source->is_string()) return std::string(source->as_string());
  std::string out;
  if (const json::array* const lines = source->if_array())
    for (const json::value& each : *lines)
      if (each.is_string()) out += std::string_view(each.as_string());
  return out;
}

bool is_magic(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.starts_with("!") || line.starts_with("%");
}

/// The cell's Python with its shell lines blanked out, and the other way round: line numbers stay what they are.
struct Split {
  std::string python, shell;
};

Split split(const std::string& source) {
  if (source.starts_with("%%bash") || source.starts_with("%%sh"))
    return {std::string(static_cast<std::size_t>(std::count(source.begin(), source.end(), '\n')), '\n'), source};
  Split out;
  for (std::size_t from = 0; from < source.size();) {
    const std::size_t end = std::min(source.find('\n', from), source.size());
    const std::string line = source.substr(from, end - from);
    (is_magic(line) ? out.shell : out.python) += line;
    if (end < source.size()) {
      out.python += '\n';
      out.shell += '\n';
    }
    from = end + 1;
  }
  return out;
}

void add(Scan part, std::uint32_t cell, Scan& into) {
  for (Finding& each : part.findings) each.cell = cell;
  std::move(part.findings.begin(), part.findings.end(), std::back_inserter(into.findings));
  into.mentions.insert(into.mentions.end(), part.mentions.begin(), part.mentions.end());
  into.unread_lines += part.unread_lines;
}

}  // namespace

Result<Scan> scan_notebook(const Matcher& matcher, std::string_view name, const std::string& text) {
  json::error_code fault;
  const json::value root = json::parse(text, fault);
  const json::object* const object = fault ? nullptr : root.if_object();
  const json::value* const cells = object ? object->if_contains("cells") : nullptr;
  if (!cells || !cells->is_array())
    return Error{ErrorCode::invalid_argument, text::say(text::PortabilityMsg::no_notebook)};
  Scan out;
  std::uint32_t number = 0;
  for (const json::value& each : cells->as_array()) {
    ++number;
    const json::object* const cell = each.if_object();
    const json::value* const type = cell ? cell->if_contains("cell_type") : nullptr;
    if (!type || !type->is_string() || type->as_string() != "code") continue;
    const Split parts = split(source_of(*cell));
    Scan python = scan(matcher, Language::python, name, parts.python);
    out.lines += python.lines;
    add(std::move(python), number, out);
    add(scan(matcher, Language::shell, name, parts.shell), number, out);
  }
  return out;
}

}  // namespace scoville::portability

#include "cli/help.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <vector>

#include "text/width.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr std::size_t kColumn = 34, kWidth = 118;

struct Heading {
  Group group;
  Msg title;
};
constexpr std::array kHeadings{
    Heading{Group::target, Msg::help_target},     Heading{Group::launch, Msg::help_launch},
    Heading{Group::system, Msg::help_system},     Heading{Group::load, Msg::help_load},
    Heading{Group::prompts, Msg::help_prompts},   Heading{Group::requests, Msg::help_requests},
    Heading{Group::limits, Msg::help_limits},     Heading{Group::output, Msg::help_output},
    Heading{Group::none, Msg::help_this_command},
};

std::string line(const std::string& name, const std::string& value, const std::string& help,
                 const std::string& fallback) {
  const std::string left = "  " + name + (value.empty() ? "" : " " + value);
  const std::string gap = text::language() == text::Language::chinese ? "" : " ";  // its bracket is wide
  const std::string right = help + (fallback.empty() ? "" : gap + say(Msg::help_default, fallback));
  if (text::display_width(left) >= kColumn) return left + "\n" + std::string(kColumn, ' ') + right + "\n";
  return text::pad_right(left, kColumn) + right + "\n";
}

/// Words with commas between, broken into indented lines.
std::string wrapped(const std::vector<std::string>& words) {
  std::string out, row;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (4 + row.size() + 1 + word.size() > kWidth) out += "    " + std::exchange(row, "") + "\n";
    row += (row.empty() ? "" : " ") + word;
  }
  return row.empty() ? out : out + "    " + row + "\n";
}

std::string synonyms_of(const Parameters& parameters) {
  std::vector<std::string_view> order;
  std::map<std::string_view, std::string> names;
  for (const Synonym& each : parameters.synonyms()) {
    if (!names.contains(each.flag)) order.push_back(each.flag);
    std::string& list = names[each.flag];
    if (!list.empty()) list += ", ";
    list += std::string(each.names) + " (" + std::string(each.tool) + ")";
  }
  std::string out;
  for (const std::string_view flag : order) out += "  " + say(Msg::help_same_as, flag, names[flag]) + "\n";
  return out;
}

std::string others_of(const Parameters& parameters) {
  std::vector<std::string> idle, refused;
  for (const Parameter& each : parameters.all()) {
    if (each.group != Group::others) continue;
    (each.refusal ? refused : idle).push_back(each.name);
  }
  if (parameters.synonyms().empty() && idle.empty() && refused.empty()) return "";
  std::string out = "\n" + say(Msg::help_others) + "\n" + synonyms_of(parameters);
  if (!idle.empty()) out += "  " + say(Msg::help_idle) + "\n" + wrapped(idle);
  if (!refused.empty()) out += "  " + say(Msg::help_refused) + "\n" + wrapped(refused);
  return out;
}

}  // namespace

std::string help_of(Command& command) {
  std::string words, explained;
  for (const Positional& each : command.parameters().positionals()) {
    words += " " + each.name + (each.takes_many ? " …" : "");
    explained += line(each.name, "", say(each.help), "");
  }
  std::string out = fmt::format("{}\n\n{}\n  scoville {}{} [{}]\n", say(command.summary()), say(Msg::help_usage),
                                command.name(), words, say(Msg::help_flags));
  if (!explained.empty()) out += "\n" + explained;
  bool has_groups = false;
  for (const Heading& heading : kHeadings) {
    std::string lines;
    for (const Parameter& each : command.parameters().all()) {
      if (each.group == heading.group) lines += line(each.name, each.value, say(each.help), each.fallback);
    }
    if (heading.group == Group::none) {
      lines += line("--lang", "en|zh", say(Msg::help_lang), "") + line("-h, --help", "", say(Msg::help_help), "");
    }
    if (lines.empty()) continue;
    has_groups = has_groups || heading.group != Group::none;
    out += "\n" + (has_groups ? say(heading.title) + "\n" : "") + lines;
  }
  out += others_of(command.parameters());
  out += "\n" + say(Msg::help_examples) + "\n";
  for (const std::string& example : command.examples()) out += "  " + example + "\n";
  return out;
}

}  // namespace scoville::cli

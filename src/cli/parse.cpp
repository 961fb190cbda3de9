#include "cli/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <deque>
#include <map>

#include "base/version.hpp"
#include "cli/help.hpp"
#include "text/nearest.hpp"
#include "text/width.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

std::string version_text() {
  return fmt::format("scoville {} ({})\n{}\nmethod_version {}\n", version(), revision(), compiler(), kMethodVersion);
}

/// Flags that every command has.
void add_common(CLI::App& app, std::string& lang, bool& help) {
  app.set_help_flag();
  app.add_flag("-h,--help", help);
  app.add_option("--lang", lang);
}

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// CLI11's own words are English only: the kinds of fault are told in ours.
Error translated(const CLI::ParseError& fault, const std::string& command, const std::vector<std::string>& known) {
  const std::string hint = command.empty() ? "scoville --help" : "scoville " + command + " --help";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&fault)) {
    const std::string words = fault.what();
    return usage(say(Msg::flag_needs_value, words.substr(0, words.find_first_of(": ")), hint));
  }
  std::string words = fault.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&fault))
    words = words.substr(words.find_last_of(" :") + 1);  // the first comes last
  if (const std::string near = text::nearest(words, known); !near.empty())
    return usage(say(Msg::did_you_mean, words, near, hint));
  return usage(say(Msg::flag_unknown, words, hint));
}

/// A flag of ours, and the other tools' words for it, as CLI11 knows them.
struct Bound {
  const Parameter* parameter;
  CLI::Option* option;
  std::vector<std::pair<const Synonym*, CLI::Option*>> synonyms;
};

/// A value, and the word before it.
struct Given {
  std::string name, value;
};

using Notes = std::vector<std::pair<text::Msg, std::string>>;

void note(Notes& notes, const std::optional<text::Msg>& reason, const std::string& name) {
  if (!reason) return;
  for (auto& [known, names] : notes) {
    if (known != *reason) continue;
    names += ", " + name;
    return;
  }
  notes.emplace_back(*reason, name);
}

Result<std::vector<Given>> given_to(const Bound& bound, Notes& notes) {
  std::vector<Given> given;
  const Parameter& parameter = *bound.parameter;
  if (bound.option->count() > 0) {
    note(notes, parameter.note, parameter.name);
    if (parameter.value.empty())
      given.push_back({parameter.name, ""});
    else
      for (const std::string& value : bound.option->results()) given.push_back({parameter.name, value});
  }
  for (const auto& [synonym, option] : bound.synonyms) {
    if (option->count() == 0) continue;
    const std::string name(synonym->names);
    if (!parameter.is_repeatable && !given.empty() && given.front().name != name)
      return usage(say(Msg::flag_synonym_twice, given.front().name, name));
    note(notes, synonym->note, name);
    for (const std::string& value : option->results()) {
      const Result<std::string> ours = synonym->convert ? synonym->convert(value) : Result<std::string>(value);
      if (!ours) return usage(say(Msg::flag_bad_value, name, value, ours.error().message));
      given.push_back({name, *ours});
    }
  }
  return given;
}

Status take(const Bound& bound, Notes& notes) {
  const Parameter& parameter = *bound.parameter;
  const Result<std::vector<Given>> given = given_to(bound, notes);
  if (!given) return given.error();
  if (given->size() > 1 && !parameter.is_repeatable) return usage(say(Msg::flag_twice, given->front().name));
  for (const auto& [name, value] : *given) {
    if (parameter.refusal) {
      if (!parameter.harmless_value.empty() && value == parameter.harmless_value) continue;
      return usage(say(Msg::flag_refused, name, say(*parameter.refusal)));
    }
    if (const Status set = parameter.set(value); !set) {
      return usage(say(Msg::flag_bad_value, name, value, set.error().message));
    }
  }
  return Done{};
}

/// A command as CLI11 knows it.
struct BoundCommand {
  Command* command;
  CLI::App* app;
  std::string lang;
  std::vector<Bound> flags;
  std::vector<std::pair<const Positional*, CLI::Option*>> words;
};

void declare_flags(CLI::App& app, const Parameters& parameters, std::vector<Bound>& bound) {
  const auto option_for = [&](const std::string& names, const Parameter& like) {
    CLI::Option* option = like.value.empty() ? app.add_flag(names) : app.add_option(names);
    if (!like.value.empty())
      option->expected(1, like.takes_many ? -1 : 1)->take_all()->allow_extra_args(like.takes_many);
    return option;
  };
  for (const Parameter& each : parameters.all()) {
    Bound& one = bound.emplace_back(Bound{&each, option_for(each.name, each), {}});
    for (const Synonym& synonym : parameters.synonyms()) {
      if (each.name != synonym.flag && !each.name.ends_with("," + std::string(synonym.flag))) continue;
      one.synonyms.emplace_back(&synonym, option_for(std::string(synonym.names), each));
    }
  }
}

void declare(BoundCommand& bound) {
  const Parameters& parameters = bound.command->parameters();
  declare_flags(*bound.app, parameters, bound.flags);
  for (const Positional& each : parameters.positionals()) {
    CLI::Option* option = bound.app->add_option(each.name);
    option->expected(1, each.takes_many ? -1 : 1)->take_all()->allow_extra_args(each.takes_many);
    bound.words.emplace_back(&each, option);
  }
}

Status take_words(const BoundCommand& bound) {
  for (const auto& [word, option] : bound.words) {
    if (option->count() == 0)
      return usage(say(Msg::word_missing, word->name, "scoville " + bound.command->name() + " --help"));
    for (const std::string& value : option->results()) {
      if (const Status set = word->set(value); !set)
        return usage(say(Msg::flag_bad_value, word->name, value, set.error().message));
    }
  }
  return Done{};
}

Result<Parsed> take_all(const BoundCommand& bound) {
  Parsed parsed;
  Notes notes;
  for (const Bound& each : bound.flags) {
    if (Status taken = take(each, notes); !taken) return taken.error();
  }
  if (Status taken = take_words(bound); !taken) return taken.error();
  for (const auto& [reason, names] : notes) parsed.notes.push_back(names + ": " + say(reason));
  parsed.command = bound.command;
  return parsed;
}

using Commands = std::vector<std::unique_ptr<Command>>;

/// "runs" of "runs show"; empty for a command of one word.
std::string group_of(const std::string& name) {
  const std::size_t blank = name.find(' ');
  return blank == std::string::npos ? "" : name.substr(0, blank);
}

/// The command that argv names, "runs show", or as much of its name as is there, "runs"; empty: none.
std::string named(int argc, const char* const* argv, const Commands& commands) {
  const auto is_known = [&](const std::string& name) {
    return std::any_of(commands.begin(), commands.end(), [&](const auto& each) { return each->name() == name; });
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::string both = i + 1 < argc ? word + " " + argv[i + 1] : word;
    if (is_known(both)) return both;
    if (is_known(word)) return word;
    for (const auto& each : commands) {
      if (group_of(each->name()) == word) return word;
    }
  }
  return "";
}

/// What may stand where `chosen` went wrong: its flags, the second words of a group, the commands.
std::vector<std::string> known_words(const std::string& chosen, const Commands& commands) {
  std::vector<std::string> known;
  for (const auto& command : commands) {
    const std::string name = command->name();
    if (chosen.empty()) known.push_back(group_of(name).empty() ? name : group_of(name));
    if (!chosen.empty() && group_of(name) == chosen) known.push_back(name.substr(chosen.size() + 1));
    if (name != chosen) continue;
    for (const Parameter& each : command->parameters().all()) known.push_back(each.name);
    for (const Synonym& each : command->parameters().synonyms()) known.emplace_back(each.names);
  }
  return known;
}

/// A line of each command, or of those whose first word is `group`; empty where there are none.
std::string listed(const Commands& commands, const std::string& group) {
  std::string out;
  for (const auto& command : commands) {
    if (!group.empty() && group_of(command->name()) != group) continue;
    out += "  " + text::pad_right(command->name(), 18) + say(command->summary()) + "\n";
  }
  return out;
}

/// `chosen` is a group without one of its commands.
Result<Parsed> parsed_group(const std::string& group, bool wants_help, const Commands& commands) {
  if (!wants_help)
    return usage(say(Msg::group_missing, group, fmt::format("{}", fmt::join(known_words(group, commands), ", "))));
  Parsed parsed;
  parsed.output = overview(commands, group);
  return parsed;
}

}  // namespace

std::string overview(const Commands& commands, const std::string& group) {
  const std::string head = group.empty() ? say(Msg::overview_head) + "\n\n" : "";
  return head + listed(commands, group) + "\n" + say(Msg::overview_tail) + "\n";
}

void take_language(int argc, const char* const* argv) {
  constexpr std::string_view flag = "--lang";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word(argv[i]);
    if (word == flag && i + 1 < argc) text::set_language(text::language_from(argv[i + 1]));
    if (word.starts_with("--lang=")) text::set_language(text::language_from(word.substr(flag.size() + 1)));
  }
}

Result<Parsed> parse(int argc, const char* const* argv, const Commands& commands) {
  CLI::App app;
  bool wants_help = false, wants_version = false;
  std::string lang;
  add_common(app, lang, wants_help);
  app.add_flag("--version", wants_version);
  app.require_subcommand(0, 1);
  std::map<std::string, CLI::App*> groups;
  std::deque<BoundCommand> bound;  // CLI11 keeps the address of each lang
  for (const auto& command : commands) {
    const std::string name = command->name(), group = group_of(name);
    CLI::App*& parent = groups[group];
    for (const BoundCommand& each : bound) {  // "evaluate" beside "evaluate init"
      if (!group.empty() && each.command->name() == group) parent = each.app;
    }
    if (!parent) {
      parent = group.empty() ? &app : app.add_subcommand(group);
      if (!group.empty()) add_common(*parent, lang, wants_help);
    }
    CLI::App* own = parent->add_subcommand(group.empty() ? name : name.substr(group.size() + 1));
    bound.push_back({command.get(), own, "", {}, {}});
    add_common(*own, bound.back().lang, wants_help);
    declare(bound.back());
  }
  const std::string chosen = named(argc, argv, commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& fault) {
    return translated(fault, chosen, known_words(chosen, commands));
  }
  for (const BoundCommand& each : bound) {
    if (!each.lang.empty()) lang = each.lang;
  }
  if (!lang.empty() && lang != "en" && lang != "zh") {
    return usage(say(Msg::flag_bad_value, "--lang", lang, say(Msg::expected_choice, "en, zh")));
  }
  Parsed parsed;
  if (wants_version) {
    parsed.output = version_text();
    return parsed;
  }
  const BoundCommand* asked = nullptr;  // of "evaluate" and "evaluate init", both of which were parsed, the second
  for (const BoundCommand& each : bound) {
    if (each.app->parsed() && (!asked || !group_of(each.command->name()).empty())) asked = &each;
  }
  if (asked) {
    if (!wants_help) return take_all(*asked);
    const std::string beside = listed(commands, asked->command->name());
    parsed.output = help_of(*asked->command) + (beside.empty() ? "" : "\n" + beside);
    return parsed;
  }
  for (const auto& [group, parent] : groups) {
    if (!group.empty() && parent->parsed()) return parsed_group(group, wants_help, commands);
  }
  if (!wants_help) return usage(say(Msg::command_missing));
  parsed.output = overview(commands);
  return parsed;
}

}  // namespace scoville::cli

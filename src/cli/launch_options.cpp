#include "cli/launch_options.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/file.hpp"
#include "launch/command_words.hpp"
#include "launch/ready.hpp"
#include "text/table.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

constexpr Nanos kShortest = std::chrono::milliseconds(1);

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// "max-num-seqs=64" → --max-num-seqs 64, "enforce-eager" → --enforce-eager; a dash of the user's own stays.
std::vector<std::string> flag_words(std::string_view given) {
  const std::size_t mark = given.find('=');
  std::string name(given.substr(0, mark));
  if (!name.starts_with('-')) name.insert(0, "--");
  if (mark == std::string_view::npos) return {std::move(name)};
  return {std::move(name), std::string(given.substr(mark + 1))};
}

std::string home() {
  const char* const home = std::getenv("HOME");
  return home ? home : "";
}

}  // namespace

void LaunchOptions::declare(Parameters& parameters) {
  parameters.under(Group::launch);
  declare_words(parameters);
  parameters.add({"--ready", "PATH", Msg::flag_launch_ready, say(Msg::default_launch_ready),
                  [this](std::string_view given) -> Status {
                    if (!given.starts_with('/')) return usage(say(Msg::expected_path));
                    ready_ = given;
                    misplaced_.push_back("--ready");
                    return Done{};
                  }});
  const auto limit = [&](const char* name, Msg help, Nanos& target) {
    parameters.add({name, "DUR", help, fmt::format("{}s", to_seconds(target)),
                    [this, name, &target](std::string_view given) -> Status {
                      const std::optional<Nanos> span = parse_duration(given);
                      if (!span || *span < kShortest)
                        return usage(say(Msg::expected_duration, format_duration(kShortest)));
                      target = *span;
                      misplaced_.push_back(name);
                      return Done{};
                    }});
  };
  limit("--launch-timeout", Msg::flag_launch_timeout, ready_timeout_);
  limit("--stop-timeout", Msg::flag_stop_timeout, stop_timeout_);
  parameters.add({"--launch-log", "FILE", Msg::flag_launch_log, say(Msg::default_launch_log),
                  [this](std::string_view given) -> Status {
                    if (given.empty()) return usage(say(Msg::expected_text));
                    log_ = given;
                    misplaced_.push_back("--launch-log");
                    return Done{};
                  }});
  parameters.toggle("--launch-each", Msg::flag_launch_each, is_per_run_);
  parameters.under(Group::none);
}

void LaunchOptions::declare_words(Parameters& parameters) {
  parameters.add({"--launch", "COMMAND", Msg::flag_launch, "", [this](std::string_view given) -> Status {
                    auto words = launch::split_words(given, home());
                    if (!words) return words.error();
                    words_ = std::move(*words);
                    given_ = given;
                    ++ways_;
                    return Done{};
                  }});
  parameters.add({"--launch-preset", "NAME", Msg::flag_launch_preset, "",
                  [this](std::string_view given) { return take_preset(given); }});
  parameters.add({"--launch-preset-file", "FILE", Msg::flag_launch_preset_file, "",
                  [this](std::string_view given) { return take_file(given); }});
  const auto many = [&](const char* name, const char* value, Msg help, std::function<Status(std::string_view)> set) {
    Parameter one{name, value, help, "", [this, name, set = std::move(set)](std::string_view given) {
                    misplaced_.push_back(name);
                    return set(given);
                  }};
    one.is_repeatable = true;
    parameters.add(std::move(one));
  };
  many("--launch-arg", "NAME[=VALUE]", Msg::flag_launch_arg, [this](std::string_view given) -> Status {
    if (given.empty() || given.starts_with('=')) return usage(say(Msg::launch_expected_argument));
    for (std::string& word : flag_words(given)) arguments_.push_back(std::move(word));
    return Done{};
  });
  const auto pair_into = [](std::vector<std::pair<std::string, std::string>>& into) {
    return [&into](std::string_view given) -> Status {
      auto pair = launch::split_setting(given);
      if (!pair) return pair.error();
      into.push_back(std::move(*pair));
      return Done{};
    };
  };
  many("--launch-set", "NAME=VALUE", Msg::flag_launch_set, pair_into(sets_));
  many("--launch-env", "NAME=VALUE", Msg::flag_launch_env, pair_into(variables_));
}

Status LaunchOptions::take_preset(std::string_view given) {
  lists_ = given == "list";
  if (lists_) return Done{};
  Result<launch::Preset> found = launch::find_preset(given);
  if (!found) return found.error();
  preset_ = std::move(*found);
  ++ways_;
  return Done{};
}

Status LaunchOptions::take_file(std::string_view given) {
  const std::string path(given);
  Result<std::string> yaml = read_file(path);
  if (!yaml) return yaml.error();
  Result<launch::Preset> read = launch::parse_preset(*yaml, path);
  if (!read) return read.error();
  preset_ = std::move(*read);
  ++ways_;
  return Done{};
}

Status LaunchOptions::check_company() const {
  if (ways_ > 1) return usage(say(Msg::launch_one_of));
  if (!is_wanted() && !misplaced_.empty()) return usage(say(Msg::launch_only_with, misplaced_.front()));
  if (!is_wanted() && is_per_run_) return usage(say(Msg::launch_only_with, "--launch-each"));
  if (!sets_.empty() && !preset_) return usage(say(Msg::launch_set_needs_preset));
  return Done{};
}

Status LaunchOptions::make_words(const TargetOptions& target) {
  if (preset_) {
    words_ = preset_->command;
    for (const auto& [name, value] : sets_) {
      const Result<std::vector<std::string>> words = launch::words_for(*preset_, name, value);
      if (!words) return usage(say(Msg::flag_bad_value, "--launch-set", name + "=" + value, words.error().message));
      words_.insert(words_.end(), words->begin(), words->end());
    }
    environment_.assign(preset_->environment.begin(), preset_->environment.end());
  }
  words_.insert(words_.end(), arguments_.begin(), arguments_.end());
  environment_.insert(environment_.end(), variables_.begin(), variables_.end());
  if (ready_.empty()) ready_ = preset_ ? preset_->ready : "/health";
  if (launch::has_place(words_, "model") && target.model_id().empty()) return usage(say(Msg::launch_needs_model));
  return Done{};
}

Status LaunchOptions::vary(const std::vector<std::pair<std::string, std::string>>& settings) {
  if (!is_wanted() && !settings.empty()) return usage(say(Msg::sweep_launch_needed));
  std::map<std::string, std::string> values(settings.begin(), settings.end());
  for (const auto& [name, value] : settings) {
    const std::string place = "{" + name + "}";
    if (name == "host" || name == "port" || name == "model") return usage(say(Msg::sweep_launch_reserved, place));
    for (const auto& [given, unused] : sets_) {
      if (given == name) return usage(say(Msg::sweep_axis_and_flag, name, "--launch-set"));
    }
    if (preset_) continue;
    if (!launch::has_place(words_, name)) return usage(say(Msg::sweep_launch_no_place, place));
  }
  if (preset_) {
    sets_.insert(sets_.end(), settings.begin(), settings.end());
  } else {
    words_ = launch::fill(std::move(words_), values);
  }
  return Done{};
}

Status LaunchOptions::settle(TargetOptions& target, std::size_t repeats) {
  if (Status fits = check_company(); !fits) return fits;
  if (!is_wanted()) return Done{};
  if (is_per_run_ && repeats < 2) return usage(say(Msg::launch_each_needs_repeats));
  if (Status made = make_words(target); !made) return made;
  if (target.has_address()) return Done{};
  if (!launch::has_place(words_, "port")) return usage(say(Msg::launch_needs_address));
  const Result<std::uint16_t> port = launch::free_port();
  if (!port) return port.error();
  target.set_base_url(fmt::format("http://127.0.0.1:{}", *port));
  chooses_port_ = true;
  return Done{};
}

Result<std::string> LaunchOptions::log_path(const StoreOptions& store, const std::string& name) const {
  namespace fs = std::filesystem;
  if (!log_.empty()) return log_;
  std::error_code fault;
  fs::path folder = fs::temp_directory_path(fault);
  if (fault) folder = "/tmp";
  if (store.keeps()) {
    const Result<std::string> file = store.path();
    if (!file) return file.error();
    folder = fs::absolute(*file, fault).parent_path() / "logs";
    fs::create_directories(folder, fault);
    if (fault) return Error{ErrorCode::io, say(Msg::launch_log_fails, folder.string(), fault.message())};
  }
  return (folder / (store.keeps() ? name + ".log" : "scoville-" + name + ".log")).string();
}

json::object preset_json() {
  const auto texts = [](const std::vector<std::string>& list) {
    json::array out;
    for (const std::string& each : list) out.push_back(json::string(each));
    return out;
  };
  json::array presets;
  for (const launch::Preset& each : launch::built_in_presets()) {
    json::object environment, settings;
    for (const auto& [name, value] : each.environment) environment[name] = json::string(value);
    for (const auto& [name, words] : each.settings) settings[name] = texts(words);
    presets.push_back(json::object{{"name", each.name},
                                   {"title", each.title},
                                   {"version", each.version},
                                   {"command", texts(each.command)},
                                   {"ready", each.ready},
                                   {"environment", std::move(environment)},
                                   {"settings", std::move(settings)},
                                   {"confirmed", each.confirmed},
                                   {"sources", texts(each.sources)}});
  }
  return {{"presets", std::move(presets)}};
}

std::string preset_table() {
  text::Table table({say(Msg::column_preset), say(Msg::column_preset_command), say(Msg::column_preset_confirmed)});
  table.flush_left(1);
  table.flush_left(2);
  for (const launch::Preset& each : launch::built_in_presets()) {
    const bool was_run = each.confirmed == "run here";
    table.add_row(
        {each.name, launch::joined(each.command), say(was_run ? Msg::preset_run_here : Msg::preset_documented)});
  }
  return table.render();
}

}  // namespace scoville::cli

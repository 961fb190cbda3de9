#include "cli/sweep_words.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/sha256.hpp"
#include "environment/redaction.hpp"
#include "environment/secrets.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// How it is kept and shown, and which it is: no part of what is measured.
constexpr std::array<std::string_view, 6> kAside{"--json",         "--store",  "--no-store",
                                                 "--disable-tqdm", "--resume", "--show"};
/// May change without another run.
constexpr std::string_view kReading = "--at-user-rate";

bool is_aside(const std::string& flag) { return std::find(kAside.begin(), kAside.end(), flag) != kAside.end(); }

/// Rather one harmless value hashed than one key stored.
bool may_hold_secret(const std::string& flag, const std::string& value) {
  if (flag == "--header" || flag == "--proxy") return true;
  if (flag == "--launch-env" && environment::is_secret_variable(value.substr(0, value.find('=')))) return true;
  if (flag == "--launch-arg" && environment::is_secret_name(value.substr(0, value.find('=')))) return true;
  std::vector<std::string> words;
  for (const std::string_view each : split(value, " ")) words.emplace_back(each);
  return environment::masked_arguments(words) != words || environment::without_secrets(value) != value;
}

/// As it is stored: the value, or what tells that it is the same.
std::string kept_form(const std::string& flag, const std::string& value) {
  return may_hold_secret(flag, value) ? "sha256:" + sha256(value) : value;
}

using Values = std::map<std::string, std::vector<std::string>>;

Values read(const json::array& stored) {
  Values out;
  for (const json::value& each : stored) {
    const json::object* const object = each.if_object();
    const json::value* const flag = object ? object->if_contains("flag") : nullptr;
    const json::value* const value = object ? object->if_contains("value") : nullptr;
    if (flag && value && flag->is_string() && value->is_string())
      out[std::string(flag->as_string())].emplace_back(value->as_string());
  }
  return out;
}

std::string joined(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& each : values) out += (out.empty() ? "" : ", ") + each;
  return out.empty() ? "–" : out;
}

bool is_hash(const std::string& value) { return value.starts_with("sha256:"); }

}  // namespace

void SweepWords::record(const Parameters& declared, Parameters& parameters) {
  declared_ = declared.all();
  for (const Parameter& each : declared_) {
    Parameter remembered = each;
    remembered.set = [this, name = each.name, set = each.set](std::string_view value) -> Status {
      if (Status done = set(value); !done) return done;
      given_.emplace_back(name, value);
      return Done{};
    };
    parameters.add(std::move(remembered));
  }
}

bool SweepWords::has(const std::string& flag) const {
  return std::any_of(given_.begin(), given_.end(), [&](const auto& each) { return each.first == flag; });
}

std::string SweepWords::value(const std::string& flag) const {
  std::string out;
  for (const auto& [name, value] : given_) {
    if (name == flag) out = value;
  }
  return out;
}

json::array SweepWords::to_json() const {
  json::array out;
  for (const auto& [flag, value] : given_) {
    if (is_aside(flag)) continue;
    out.push_back(json::object{{"flag", flag}, {"value", kept_form(flag, value)}});
  }
  return out;
}

Status SweepWords::go_on_with(const json::array& stored, const std::string& sweep) {
  const auto usage = [](std::string sentence) { return Error{ErrorCode::invalid_argument, std::move(sentence)}; };
  const Values before = read(stored), now = read(to_json());
  for (const auto& [flag, values] : now) {
    if (flag == kReading) continue;
    const auto then = before.find(flag);
    if (then == before.end()) return usage(say(Msg::sweep_changed, sweep, say(Msg::sweep_changed_new, flag)));
    if (then->second == values) continue;
    return usage(
        say(Msg::sweep_changed, sweep, say(Msg::sweep_changed_value, flag, joined(then->second), joined(values))));
  }
  for (const Parameter& each : declared_) {
    const auto then = before.find(each.name);
    if (then == before.end() || now.contains(each.name)) continue;
    for (const std::string& value : then->second) {
      if (is_hash(value)) return usage(say(Msg::sweep_secret_again, each.name));
      if (Status set = each.set(value); !set)
        return usage(say(Msg::flag_bad_value, each.name, value, set.error().message));
      given_.emplace_back(each.name, value);
    }
  }
  return Done{};
}

}  // namespace scoville::cli

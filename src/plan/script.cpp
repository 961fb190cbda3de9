#include "plan/script.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "base/duration.hpp"

namespace scoville::plan {
namespace {

using text::Msg;
using text::say;

constexpr std::array<ScriptKey, 36> kKeys{{
    {"ttft", &Script::ttft, Msg::script_ttft},
    {"itl", &Script::itl, Msg::script_itl},
    {"tokens", &Script::tokens, Msg::script_tokens, 0, 1'000'000},
    {"ttft_dist", &Script::ttft_dist, Msg::script_ttft_dist},
    {"itl_dist", &Script::itl_dist, Msg::script_itl_dist},
    {"jitter", &Script::jitter, Msg::script_jitter},
    {"prefill", &Script::prefill, Msg::script_prefill},
    {"seed", &Script::seed, Msg::script_seed},
    {"slots", &Script::slots, Msg::script_slots},
    {"queue", &Script::queue, Msg::script_queue},
    {"queue_status", &Script::queue_status, Msg::script_queue_status, 400, 599},
    {"chunk", &Script::chunk, Msg::script_chunk, 1, 1000},
    {"merge", &Script::merge, Msg::script_merge, 1, 1000},
    {"reasoning", &Script::reasoning, Msg::script_reasoning},
    {"role_chunk", &Script::role_chunk, Msg::script_role_chunk},
    {"done", &Script::done, Msg::script_done},
    {"emit", &Script::emit, Msg::script_emit},
    {"finish", &Script::finish, Msg::script_finish},
    {"usage", &Script::usage, Msg::script_usage},
    {"cached", &Script::cached, Msg::script_cached},
    {"ping", &Script::ping, Msg::script_ping},
    {"model", &Script::model, Msg::script_model},
    {"template", &Script::template_tokens, Msg::script_template, 0, 1'000'000},
    {"bos", &Script::bos, Msg::script_bos, 0, 1'000'000},
    {"context", &Script::context, Msg::script_context, 1, 1'000'000'000},
    {"tokenize", &Script::tokenize, Msg::script_tokenize},
    {"stall_at", &Script::stall_at, Msg::script_stall_at},
    {"stall_for", &Script::stall_for, Msg::script_stall_for},
    {"error_rate", &Script::error_rate, Msg::script_error_rate},
    {"error_status", &Script::error_status, Msg::script_error_status, 400, 599},
    {"error_at", &Script::error_at, Msg::script_error_at},
    {"close_after", &Script::close_after, Msg::script_close_after},
    {"reset_after", &Script::reset_after, Msg::script_reset_after},
    {"keep_alive", &Script::keep_alive, Msg::script_keep_alive},
    {"stream_ignored", &Script::stream_ignored, Msg::script_stream_ignored},
    {"html", &Script::html, Msg::script_html},
}};

/// The written names of an enumeration, in its order.
constexpr std::array<std::string_view, 4> names_of(Spread) {
  return {"constant", "exponential", "uniform", "lognormal"};
}
constexpr std::array<std::string_view, 5> names_of(UsageStyle) {
  return {"right", "none", "wrong", "continuous", "zero"};
}
constexpr std::array<std::string_view, 4> names_of(FinishStyle) { return {"natural", "stop", "length", "none"}; }

template <class Number>
bool read_number(std::string_view text, Number& out) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && rest == text.data() + text.size();
}

/// Reads, describes and writes a value of each kind; `key` holds the range of a count.
struct Kind {
  const ScriptKey& key;

  bool read(std::string_view text, Nanos& out) const {
    const auto span = parse_duration(text);
    if (span) out = *span;
    return span.has_value();
  }
  bool read(std::string_view text, std::uint64_t& out) const {
    return read_number(text, out) && out >= key.least && out <= key.most;
  }
  bool read(std::string_view text, std::optional<std::uint64_t>& out) const { return read(text, out.emplace()); }
  bool read(std::string_view text, std::optional<double>& out) const {
    return read_number(text, out.emplace()) && *out >= 0 && *out <= 1;
  }
  bool read(std::string_view text, bool& out) const {
    out = text == "yes" || text == "true";
    return out || text == "no" || text == "false";
  }
  bool read(std::string_view text, std::string& out) const {
    out = text;
    return !out.empty();
  }
  template <class Enum>
  bool read(std::string_view text, Enum& out) const {
    const auto names = names_of(Enum{});
    const auto found = std::find(names.begin(), names.end(), text);
    out = static_cast<Enum>(found - names.begin());
    return found != names.end();
  }

  std::string expected(Nanos) const { return say(Msg::script_expects_duration); }
  std::string expected(std::uint64_t) const {
    return key.most == UINT64_MAX ? say(Msg::script_expects_count_from, key.least)
                                  : say(Msg::script_expects_count, key.least, key.most);
  }
  std::string expected(const std::optional<std::uint64_t>&) const { return expected(std::uint64_t{}); }
  std::string expected(const std::optional<double>&) const { return say(Msg::script_expects_share); }
  std::string expected(bool) const { return say(Msg::script_expects_yes_no); }
  std::string expected(const std::string&) const { return say(Msg::script_expects_name); }
  template <class Enum>
  std::string expected(Enum) const {
    return say(Msg::script_expects_one_of, fmt::to_string(fmt::join(names_of(Enum{}), ", ")));
  }

  std::string written(Nanos value) const {
    return value < std::chrono::seconds(1) ? fmt::format("{}ms", to_millis(value))
                                           : fmt::format("{}s", to_seconds(value));
  }
  std::string written(std::uint64_t value) const { return fmt::to_string(value); }
  template <class Value>
  std::string written(const std::optional<Value>& value) const {
    return value ? fmt::to_string(*value) : "-";
  }
  std::string written(bool value) const { return value ? "yes" : "no"; }
  std::string written(const std::string& value) const { return value.empty() ? "-" : value; }
  template <class Enum>
  std::string written(Enum value) const {
    return std::string(names_of(value)[static_cast<std::size_t>(value)]);
  }
};

class Reader {
 public:
  Status set(std::string_view name, std::string_view value) {
    const auto key = std::ranges::find(kKeys, name, &ScriptKey::name);
    if (key == kKeys.end()) {
      std::string names;
      for (const ScriptKey& each : kKeys) names.append(names.empty() ? "" : ", ").append(each.name);
      return bad(say(Msg::script_unknown_key, name, names));
    }
    if (!seen_.insert(key->name).second) return bad(say(Msg::script_key_twice, name));
    const auto read = [&](auto field) { return Kind{*key}.read(value, script_.*field); };
    if (!std::visit(read, key->field)) return bad(say(Msg::script_bad_value, name, value, key->expected()));
    return Done{};
  }

  static Error bad(std::string message) { return {ErrorCode::invalid_argument, std::move(message)}; }
  const Script& script() const { return script_; }

 private:
  Script script_;
  std::set<std::string_view> seen_;
};

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Error in_line(const std::string& origin, const YAML::Mark& mark, std::string message) {
  return Reader::bad(say(Msg::script_in_line, origin, mark.line + 1, message));
}

}  // namespace

std::string ScriptKey::expected() const {
  return std::visit([&](auto member) { return Kind{*this}.expected(Script{}.*member); }, field);
}

std::string ScriptKey::default_text() const {
  return std::visit([&](auto member) { return Kind{*this}.written(Script{}.*member); }, field);
}

std::span<const ScriptKey> script_keys() { return kKeys; }

Result<Script> parse_script(std::string_view text) {
  Reader reader;
  while (!trim(text).empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = trim(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) return Reader::bad(say(Msg::script_no_equals, pair));
    Status status = reader.set(trim(pair.substr(0, equals)), trim(pair.substr(equals + 1)));
    if (!status) return std::move(status.error());
  }
  return reader.script();
}

Result<Script> parse_script_yaml(const std::string& yaml, const std::string& origin) {
  try {
    const YAML::Node root = YAML::Load(yaml);
    if (!root.IsMap() && !root.IsNull()) return in_line(origin, root.Mark(), say(Msg::script_not_mapping));
    Reader reader;
    for (const auto& pair : root) {
      const YAML::Mark mark = pair.first.Mark();
      if (!pair.first.IsScalar() || !pair.second.IsScalar()) return in_line(origin, mark, say(Msg::script_not_scalar));
      const Status status = reader.set(pair.first.Scalar(), pair.second.Scalar());
      if (!status) return in_line(origin, mark, status.error().message);
    }
    return reader.script();
  } catch (const YAML::Exception& error) {
    return in_line(origin, error.mark, error.msg);
  }
}

}  // namespace scoville::plan

#include "environment/engine_args.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

#include "environment/redaction.hpp"
#include "environment/root.hpp"
#include "environment/secrets.hpp"
#include "text/catalogue.hpp"

namespace scoville::environment {
namespace {

constexpr std::array<std::string_view, 28> kIncidental{"port",
                                                       "host",
                                                       "uds",
                                                       "nccl_port",
                                                       "dist_init_addr",
                                                       "served_model_name",
                                                       "log_level",
                                                       "log_requests",
                                                       "random_seed",
                                                       "seed",
                                                       "model",
                                                       "model_path",
                                                       "tokenizer",
                                                       "tokenizer_path",
                                                       "download_dir",
                                                       "file_storage_path",
                                                       "num_gpu_blocks",
                                                       "num_cpu_blocks",
                                                       "instance_id",
                                                       "engine_id",
                                                       "root_path",
                                                       "master_port",
                                                       "engine",
                                                       "m",
                                                       "alias",
                                                       "a",
                                                       "server_name",
                                                       "server_port"};

enum class Flags { only_long, short_too };

/// "-1" is a number, "-" stands for a stream.
bool is_flag(std::string_view word, Flags which) {
  if (word.size() > 2 && word.starts_with("--")) return true;
  return which == Flags::short_too && word.size() > 1 && word[0] == '-' &&
         std::isalpha(static_cast<unsigned char>(word[1])) != 0;
}

event::Fingerprint flags_of(const std::vector<std::string>& arguments, std::string_view source, Flags which) {
  event::Fingerprint out;
  for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
    if (!is_flag(arguments[i], which)) continue;
    const std::string_view word = arguments[i];
    const std::size_t mark = word.find('=');
    const std::string key = flag_key(word.substr(0, mark));
    if (is_secret_name(key)) continue;
    json::value value = true;
    if (mark != std::string_view::npos) {
      value = flag_value(word.substr(mark + 1));
    } else {
      std::string values;
      while (i + 1 < arguments.size() && !is_flag(arguments[i + 1], which) && arguments[i + 1] != "--") {
        values += (values.empty() ? "" : " ") + arguments[++i];
      }
      if (!values.empty()) value = flag_value(values);
    }
    out.add("engine.flags." + key, std::move(value), std::string(source), !is_incidental_flag(key));
  }
  return out;
}

}  // namespace

std::string flag_key(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    out += std::isalnum(byte) || c == '.' ? static_cast<char>(std::tolower(byte)) : '_';
  }
  return out;
}

json::value flag_value(std::string_view text) {
  if (text == "True" || text == "true") return true;
  if (text == "False" || text == "false") return false;
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto read = std::from_chars(text.data(), end, whole); read.ec == std::errc() && read.ptr == end)
    return whole;
  double number = 0;
  if (const auto read = std::from_chars(text.data(), end, number);
      read.ec == std::errc() && read.ptr == end && std::isfinite(number)) {
    return number;
  }
  return json::value(text);
}

Result<std::pair<std::string, std::string>> parse_engine_arg(std::string_view text) {
  const std::size_t mark = text.find('=');
  std::string key = flag_key(text.substr(0, mark));
  if (mark == std::string_view::npos || key.empty()) {
    return Error{ErrorCode::invalid_argument, text::say(text::Msg::expected_engine_arg)};
  }
  return std::pair(std::move(key), std::string(text.substr(mark + 1)));
}

event::Fingerprint engine_arg_fields(const std::vector<std::pair<std::string, std::string>>& arguments) {
  event::Fingerprint out;
  for (const auto& [key, value] : arguments) {
    const json::value held = is_secret_name(key) ? json::value(kMasked) : masked(flag_value(value));
    out.add("engine.flags." + key, held, "--engine-arg", !is_incidental_flag(key));
  }
  return out;
}

event::Fingerprint command_line_flags(const std::vector<std::string>& arguments, std::string_view source) {
  return flags_of(arguments, source, Flags::only_long);
}

event::Fingerprint launch_fields(const std::vector<std::string>& words,
                                 const std::vector<std::pair<std::string, std::string>>& environment) {
  const std::vector<std::string> shown = masked_arguments(words);
  event::Fingerprint out = flags_of(shown, "--launch", Flags::short_too);
  for (const auto& [name, value] : environment) {
    const std::string held =
        is_secret_name(name) || is_secret_variable(name) ? std::string(kMasked) : masked_arguments({value}).front();
    out.add("engine.env." + key_part(name), json::value(held), "--launch-env", !is_place_variable(name));
  }
  out.add("engine.launch.command", json::array(shown.begin(), shown.end()), "--launch", false);
  return out;
}

bool is_incidental_flag(std::string_view key) {
  return key.ends_with("_file") || std::find(kIncidental.begin(), kIncidental.end(), key) != kIncidental.end();
}

}  // namespace scoville::environment

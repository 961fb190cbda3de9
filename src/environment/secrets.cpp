#include "environment/secrets.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace scoville::environment {
namespace {

constexpr std::array<std::string_view, 7> kHarmless{"tokens",    "tokenizer", "tokenize", "tokenization",
                                                    "key_value", "keyframe",  "token_id"};
constexpr std::array<std::string_view, 7> kTelling{"key",        "token",  "secret",       "password",
                                                   "credential", "passwd", "authorization"};
/// Beginnings of the keys that well-known services hand out.
constexpr std::array<std::string_view, 6> kKeyPrefixes{"sk-", "hf_", "ghp_", "glpat-", "nvapi-", "gsk_"};

std::string lower_snake(std::string_view name) {
  std::string out;
  for (const char c : name) {
    out += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

bool looks_like_key(std::string_view text) {
  return text.size() >= 16 && std::any_of(kKeyPrefixes.begin(), kKeyPrefixes.end(),
                                          [&](std::string_view prefix) { return text.starts_with(prefix); });
}

/// "http://user:pass@host" → "http://***@host".
void mask_userinfo(std::string& text) {
  const std::size_t scheme = text.find("://");
  if (scheme == std::string::npos) return;
  const std::size_t host = scheme + 3;
  const std::size_t at = text.substr(0, text.find_first_of("/?#", host)).rfind('@');
  if (at != std::string::npos && at >= host) text.replace(host, at - host, kMasked);
}

/// What may hide in one argument, whatever stands before it.
void mask_within(std::string& argument) {
  mask_userinfo(argument);
  if (const std::size_t bearer = lower_snake(argument).find("bearer "); bearer != std::string::npos) {
    argument.replace(bearer + 7, std::string::npos, kMasked);
  }
  if (looks_like_key(argument)) argument = kMasked;
  if (argument.starts_with('{') || argument.starts_with('[')) {
    json::error_code fault;
    const json::value held = json::parse(argument, fault);
    if (!fault && masked(held) != held) argument = compact(masked(held));
  }
}

}  // namespace

bool is_secret_name(std::string_view name) {
  std::string rest = lower_snake(name);
  for (const std::string_view word : kHarmless) {
    for (std::size_t at = rest.find(word); at != std::string::npos; at = rest.find(word))
      rest.replace(at, word.size(), "#");
  }
  return std::any_of(kTelling.begin(), kTelling.end(),
                     [&](std::string_view word) { return rest.find(word) != std::string::npos; });
}

json::value masked(const json::value& value) {
  if (const json::array* items = value.if_array()) {
    json::array out;
    for (const json::value& each : *items) out.push_back(masked(each));
    return out;
  }
  if (const json::object* members = value.if_object()) {
    json::object out;
    for (const auto& [key, held] : *members) {
      out[key] = is_secret_name(key) && !held.is_null() ? json::value(kMasked) : masked(held);
    }
    return out;
  }
  const json::string* text = value.if_string();
  if (text && looks_like_key(std::string_view(*text))) return json::value(kMasked);
  return value;
}

std::vector<std::string> masked_arguments(std::vector<std::string> arguments) {
  bool hides_values = false;
  for (std::string& each : arguments) {
    const bool is_flag = each.size() > 1 && each.starts_with('-');
    const std::size_t mark = each.find('=');
    const bool is_name = mark != std::string::npos && each.find_first_of(" \t\n\"'{}") > mark;
    if (!is_flag && hides_values) {
      each = kMasked;
      continue;
    }
    if (is_flag) hides_values = mark == std::string::npos && is_secret_name(each);
    if (is_name && is_secret_name(std::string_view(each).substr(0, mark))) {
      each.replace(mark + 1, std::string::npos, kMasked);
    } else if (is_flag && is_name) {
      std::string value = each.substr(mark + 1);
      mask_within(value);
      each.replace(mark + 1, std::string::npos, value);
    } else {
      mask_within(each);
    }
  }
  return arguments;
}

}  // namespace scoville::environment

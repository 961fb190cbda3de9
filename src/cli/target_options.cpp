#include "cli/target_options.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.hpp"
#include "base/json.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

bool is_token(std::string_view name) {
  return !name.empty() && name.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "!#$%&'*+-.^_`|~") == std::string_view::npos;
}

bool has_control(std::string_view text) {
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return true;
  }
  return false;
}

/// "Name: value" as HTTP writes it, or "name=value" as vLLM's flag does.
Result<std::pair<std::string, std::string>> parse_header(std::string_view given) {
  const std::size_t mark = given.find_first_of(":=");
  if (mark == std::string_view::npos) return usage(say(Msg::expected_header));
  const std::string_view name = given.substr(0, mark);
  std::string_view value = given.substr(mark + 1);
  while (value.starts_with(' ')) value.remove_prefix(1);
  if (!is_token(name) || has_control(value)) return usage(say(Msg::expected_header));
  return std::pair(std::string(name), std::string(value));
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

void TargetOptions::declare(Parameters& parameters) {
  using namespace std::chrono_literals;
  parameters.text("--base-url", "URL", Msg::flag_base_url, base_url_);
  parameters.text("--host", "NAME", Msg::flag_host, host_);
  parameters.count("--port", Msg::flag_port, port_, 1, 65535);
  parameters.text("--endpoint", "PATH", Msg::flag_endpoint, endpoint_);
  parameters.text("--model", "NAME", Msg::flag_model, shape.model);
  parameters.choice("--dialect", Msg::flag_dialect,
                    {"openai", "openai-completions", "ollama-chat", "ollama-generate", "tgi", "triton"}, "openai",
                    [this](std::size_t place) { shape.dialect = static_cast<plan::Dialect>(place); });
  parameters.text("--api-key-file", "FILE", Msg::flag_key_file, key_file_);
  parameters.add({"--header", "NAME:VALUE", Msg::flag_header, "",
                  [this](std::string_view given) -> Status {
                    auto header = parse_header(given);
                    if (!header) return header.error();
                    shape.headers.push_back(std::move(*header));
                    return Done{};
                  },
                  true});
  parameters.text("--extra-body", "JSON", Msg::flag_extra_body, shape.extra_body);
  parameters.toggle("--ignore-eos", Msg::flag_ignore_eos, shape.ignore_eos);
  parameters.number("--temperature", Msg::flag_temperature, shape.temperature, 0, 100);
  parameters.number("--top-p", Msg::flag_top_p, shape.top_p, 0, 1);
  parameters.choice(
      "--max-tokens-field", Msg::flag_max_tokens_field, {"max_tokens", "max_completion_tokens"}, "max_tokens",
      [this](std::size_t place) { shape.max_tokens_field = place == 0 ? "max_tokens" : "max_completion_tokens"; });
  parameters.toggle("--no-include-usage", Msg::flag_no_include_usage, shape.include_usage, false);
  parameters.text("--cacert", "FILE", Msg::flag_cacert, wire.tls.ca_file);
  parameters.toggle("--insecure", Msg::flag_insecure, wire.tls.verify, false);
  parameters.text("--cert", "FILE", Msg::flag_cert, wire.tls.cert_file);
  parameters.text("--key", "FILE", Msg::flag_key, wire.tls.key_file);
  parameters.text("--proxy", "URL", Msg::flag_proxy, wire.proxy);
  parameters.duration("--timeout", Msg::flag_timeout, timeouts.request, 1ms);
  parameters.duration("--idle-timeout", Msg::flag_idle_timeout, timeouts.idle, 1ms);
  parameters.duration("--token-idle-timeout", Msg::flag_token_idle_timeout, timeouts.token_idle, 1ms);
  parameters.duration("--connect-timeout", Msg::flag_connect_timeout, timeouts.connect, 1ms);
}

Status TargetOptions::settle() {
  wire.connect_timeout = timeouts.connect;
  if (base_url_.empty() && !host_.empty()) {
    const bool is_six = host_.find(':') != std::string::npos && host_[0] != '[';
    base_url_ = fmt::format("http://{}:{}", is_six ? "[" + host_ + "]" : host_, port_ ? port_ : 8000);
  } else if (base_url_.empty() && port_ != 0) {
    base_url_ = fmt::format("http://127.0.0.1:{}", port_);
  }
  if (base_url_.empty()) return usage(say(Msg::base_url_missing));
  if (!wire.tls.key_file.empty() && wire.tls.cert_file.empty()) return usage(say(Msg::key_without_cert));
  if (!endpoint_.empty() && endpoint_[0] != '/') {
    return usage(say(Msg::flag_bad_value, "--endpoint", endpoint_, say(Msg::expected_path)));
  }
  if (!shape.extra_body.empty()) {
    json::error_code fault;
    const json::value body = json::parse(shape.extra_body, fault);
    if (fault || !body.is_object()) {
      return usage(say(Msg::flag_bad_value, "--extra-body", shape.extra_body, say(Msg::expected_json_object)));
    }
  }
  if (!key_file_.empty()) {
    Result<std::string> key = read_file(key_file_);
    if (!key) return usage(say(Msg::flag_bad_value, "--api-key-file", key_file_, key.error().message));
    shape.api_key = trimmed(std::move(*key));
    if (shape.api_key.empty() || has_control(shape.api_key)) {
      return usage(say(Msg::flag_bad_value, "--api-key-file", key_file_, say(Msg::expected_key)));
    }
  } else if (const char* key = std::getenv("OPENAI_API_KEY")) {
    shape.api_key = trimmed(key);
    if (has_control(shape.api_key)) return usage(say(Msg::key_unusable));
  }
  return Done{};
}

Result<wire::Url> TargetOptions::base() const { return wire::parse_url(base_url_); }

Result<wire::Url> TargetOptions::generation_url(const load::Dialect& dialect) const {
  Result<wire::Url> url = base();
  if (!url) return url;
  return wire::join_api_path(*url, endpoint_.empty() ? dialect.path(shape) : endpoint_);
}

}  // namespace scoville::cli

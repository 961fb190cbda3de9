#include "cli/target_options.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/file.hpp"
#include "cli/backends.hpp"

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
  parameters.under(Group::target);
  parameters.text("--base-url", "URL", Msg::flag_base_url, base_url_);
  parameters.text("--host", "NAME", Msg::flag_host, host_);
  parameters.count("--port", Msg::flag_port, port_, 1, 65535);
  declare_beside_url(parameters);
}

void TargetOptions::declare_beside_url(Parameters& parameters) {
  using namespace std::chrono_literals;
  parameters.under(Group::target);
  parameters.text("--endpoint", "PATH", Msg::flag_endpoint, endpoint_);
  parameters.text("--model", "NAME", Msg::flag_model, model_);
  parameters.text("--served-model-name", "NAME", Msg::flag_served_model, served_name_);
  declare_dialect(parameters);
  parameters.add({"--backend", "NAME", Msg::flag_backend, "", [this](std::string_view given) -> Status {
                    if (!dialect_of_backend(given)) return usage(say(Msg::expected_choice, backend_names()));
                    backend_ = given;
                    return Done{};
                  }});
  parameters.text("--api-key-file", "FILE", Msg::flag_key_file, key_file_);
  declare_connection(parameters);
  declare_sampling(parameters);
  parameters.under(Group::limits);
  parameters.duration("--timeout", Msg::flag_timeout, timeouts.request, 1ms);
  parameters.duration("--idle-timeout", Msg::flag_idle_timeout, timeouts.idle, 1ms);
  parameters.duration("--token-idle-timeout", Msg::flag_token_idle_timeout, timeouts.token_idle, 1ms);
  parameters.under(Group::none);
}

void TargetOptions::declare_shared(Parameters& parameters) {
  using namespace std::chrono_literals;
  parameters.under(Group::target);
  parameters.text("--endpoint", "PATH", Msg::flag_endpoint, endpoint_);
  declare_dialect(parameters);
  declare_connection(parameters);
  parameters.under(Group::requests);
  declare_extra_body(parameters);
  declare_max_tokens_field(parameters);
  parameters.under(Group::limits);
  parameters.duration("--timeout", Msg::flag_timeout, timeouts.request, 1ms);
  parameters.under(Group::none);
}

TargetOptions TargetOptions::for_arm(std::string url, std::string model, std::string key_file) const {
  TargetOptions arm = *this;
  arm.base_url_ = std::move(url);
  arm.model_ = std::move(model);
  arm.key_file_ = std::move(key_file);
  return arm;
}

void TargetOptions::declare_dialect(Parameters& parameters) {
  const auto& names = plan::dialect_names();
  parameters.choice("--dialect", Msg::flag_dialect, {names.begin(), names.end()}, "openai", [this](std::size_t place) {
    shape.dialect = static_cast<plan::Dialect>(place);
    has_dialect_ = true;
  });
}

void TargetOptions::declare_connection(Parameters& parameters) {
  using namespace std::chrono_literals;
  Parameter header{"--header", "NAME:VALUE", Msg::flag_header, "", [this](std::string_view given) -> Status {
                     auto parsed = parse_header(given);
                     if (!parsed) return parsed.error();
                     shape.headers.push_back(std::move(*parsed));
                     return Done{};
                   }};
  header.is_repeatable = header.takes_many = true;
  parameters.add(std::move(header));
  parameters.text("--cacert", "FILE", Msg::flag_cacert, wire.tls.ca_file);
  parameters.toggle("--insecure", Msg::flag_insecure, wire.tls.verify, false);
  parameters.text("--cert", "FILE", Msg::flag_cert, wire.tls.cert_file);
  parameters.text("--key", "FILE", Msg::flag_key, wire.tls.key_file);
  parameters.text("--proxy", "URL", Msg::flag_proxy, wire.proxy);
  parameters.duration("--connect-timeout", Msg::flag_connect_timeout, timeouts.connect, 1ms);
}

void TargetOptions::declare_extra_body(Parameters& parameters) {
  parameters.add({"--extra-body", "JSON", Msg::flag_extra_body, "",
                  [this](std::string_view given) -> Status {
                    json::error_code fault;
                    const json::value body = json::parse(given, fault);
                    if (fault || !body.is_object()) return usage(say(Msg::expected_json_object));
                    for (const auto& [name, value] : body.get_object()) extra_[name] = value;
                    return Done{};
                  },
                  true});
}

void TargetOptions::declare_max_tokens_field(Parameters& parameters) {
  parameters.choice(
      "--max-tokens-field", Msg::flag_max_tokens_field, {"max_tokens", "max_completion_tokens"}, "max_tokens",
      [this](std::size_t place) { shape.max_tokens_field = place == 0 ? "max_tokens" : "max_completion_tokens"; });
}

void TargetOptions::declare_sampling(Parameters& parameters) {
  parameters.under(Group::requests);
  declare_extra_body(parameters);
  parameters.toggle("--ignore-eos", Msg::flag_ignore_eos, shape.ignore_eos);
  parameters.number("--temperature", Msg::flag_temperature, shape.temperature, 0, 100);
  parameters.number("--top-p", Msg::flag_top_p, shape.top_p, 0, 1);
  const auto member = [&](const char* flag, const char* name, Msg help, double least, double most) {
    parameters.add({flag, "X", help, "", [this, name, least, most](std::string_view given) -> Status {
                      const Result<double> value = parse_number(given, least, most);
                      if (!value) return value.error();
                      sampling_[name] = *value;
                      return Done{};
                    }});
  };
  parameters.add({"--top-k", "N", Msg::flag_top_k, "", [this](std::string_view given) -> Status {
                    if (given == "-1") {  // vLLM's word for all
                      sampling_["top_k"] = -1;
                      return Done{};
                    }
                    const Result<std::size_t> value = parse_count(given, 0, 1000000);
                    if (!value) return value.error();
                    sampling_["top_k"] = *value;
                    return Done{};
                  }});
  member("--min-p", "min_p", Msg::flag_min_p, 0, 1);
  member("--frequency-penalty", "frequency_penalty", Msg::flag_frequency_penalty, -2, 2);
  member("--presence-penalty", "presence_penalty", Msg::flag_presence_penalty, -2, 2);
  member("--repetition-penalty", "repetition_penalty", Msg::flag_repetition_penalty, 1e-3, 100);
  parameters.count("--logprobs", Msg::flag_logprobs, logprobs_, 1, 1000);
  declare_max_tokens_field(parameters);
  parameters.toggle("--no-include-usage", Msg::flag_no_include_usage, shape.include_usage, false);
}

Status TargetOptions::settle() {
  wire.connect_timeout = timeouts.connect;
  shape.model = served_name_.empty() ? model_ : served_name_;
  if (Status address = settle_address(); !address) return address;
  if (Status dialect = settle_dialect(); !dialect) return dialect;
  if (Status body = settle_extra_body(); !body) return body;
  return settle_key();
}

Status TargetOptions::settle_address() {
  if (base_url_.empty() && !host_.empty()) {
    const bool is_six = host_.find(':') != std::string::npos && host_[0] != '[';
    base_url_ = fmt::format("http://{}:{}", is_six ? "[" + host_ + "]" : host_, port_ ? port_ : 8000);
  } else if (base_url_.empty() && (port_ != 0 || !backend_.empty())) {  // as vLLM's client has it
    base_url_ = fmt::format("http://127.0.0.1:{}", port_ ? port_ : 8000);
  }
  if (base_url_.empty()) return usage(say(Msg::base_url_missing));
  if (!wire.tls.key_file.empty() && wire.tls.cert_file.empty()) return usage(say(Msg::key_without_cert));
  if (!endpoint_.empty() && endpoint_[0] != '/') {
    return usage(say(Msg::flag_bad_value, "--endpoint", endpoint_, say(Msg::expected_path)));
  }
  // EvalScope's --url names the whole path of a generation: the rest of the API lies beside it.
  for (const std::string_view path : {"/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/embeddings"}) {
    if (!endpoint_.empty() || !base_url_.ends_with(path)) continue;
    endpoint_ = path;
    base_url_.resize(base_url_.size() - path.size());
  }
  return Done{};
}

Status TargetOptions::follow_batch(const std::string& file, const std::string& url, const std::string& model) {
  const std::optional<plan::Dialect> asked = dialect_of_path(url);
  const bool is_said = has_dialect_ || !backend_.empty() || !endpoint_.empty();
  const bool is_text = asked == plan::Dialect::openai || asked == plan::Dialect::openai_completions;
  if (!is_text || (is_said && shape.dialect != *asked)) return usage(say(Msg::batch_needs_openai, file, url));
  shape.dialect = *asked;
  if (shape.model.empty()) shape.model = model;
  return Done{};
}

Status TargetOptions::can_limit(std::string_view flag, std::string_view latency) const {
  if (plan::makes_tokens(shape.dialect) || latency == "e2e") return Done{};
  return usage(say(Msg::limit_needs_tokens, flag, latency, plan::name_of(shape.dialect)));
}

Status TargetOptions::settle_dialect() {
  if (has_dialect_ && !backend_.empty()) return usage(say(Msg::dialect_and_backend));
  if (has_dialect_) return Done{};
  if (!backend_.empty()) shape.dialect = *dialect_of_backend(backend_);
  if (const auto said = dialect_of_path(endpoint_)) shape.dialect = *said;
  return Done{};
}

std::string TargetOptions::backend() const {
  return backend_.empty() ? std::string(backend_of(shape.dialect)) : backend_;
}

Status TargetOptions::settle_extra_body() {
  if (logprobs_ != 0 && shape.dialect == plan::Dialect::openai) {
    sampling_["logprobs"] = true;
    sampling_["top_logprobs"] = logprobs_;
  } else if (logprobs_ != 0 && shape.dialect == plan::Dialect::openai_responses) {
    sampling_["include"] = json::array{"message.output_text.logprobs"};
    sampling_["top_logprobs"] = logprobs_;
  } else if (logprobs_ != 0) {
    sampling_["logprobs"] = logprobs_;
  }
  if (!sampling_.empty() && !is_openai(shape.dialect)) {
    return usage(say(Msg::sampling_needs_openai, plan::name_of(shape.dialect)));
  }
  for (const auto& [name, value] : extra_) sampling_[name] = value;
  if (!sampling_.empty()) shape.extra_body = compact(sampling_);
  return Done{};
}

Status TargetOptions::settle_key() {
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

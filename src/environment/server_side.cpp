#include "environment/server_side.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "base/clock.hpp"
#include "environment/hosted_apis.hpp"
#include "environment/server_answers.hpp"

namespace scoville::environment {
namespace {

using event::FieldStatus;

/// One path: who has it, and who reads its answer.
struct Path {
  std::string_view path;
  std::string_view engines;  ///< blank-separated; a server known to be another one is not asked
  void (*read)(const json::value&, std::string_view, ServerFacts&);
  std::string_view instead_of;  ///< asked only where this path had no answer
};

/// In the order of detection. An engine that no row names is asked for its models and /metrics.
constexpr std::array<Path, 9> kPaths{{
    {"/version", "vllm tensorrt-llm", &read_version, ""},
    {"/server_info?config_format=json", "vllm sglang tensorrt-llm", &read_server_info, ""},
    {"/get_server_info", "sglang", &read_server_info, "/server_info?config_format=json"},
    {"/model_info", "sglang", &read_model_info, ""},
    {"/get_model_info", "sglang", &read_model_info, "/model_info"},
    {"/props", "llama.cpp", &read_props, ""},
    {"/info", "tgi mindie", &read_info, ""},
    {"/api/version", "ollama", &read_ollama_version, ""},
    {"/api/tags", "ollama", &read_ollama_tags, ""},
}};

/// What every measurement wants to know; a path not asked could not have told it.
struct Wanted {
  std::string_view key;
  std::string_view paths;  ///< blank-separated
};
constexpr std::array<Wanted, 10> kWanted{{
    {"engine.name", "/v1/models /version /server_info?config_format=json /props /info /api/version /metrics"},
    {"engine.version", "/version /server_info?config_format=json /get_server_info /props /info /api/version"},
    {"model.id", "/v1/models /info /api/tags"},
    {"model.context_length", "/v1/models /server_info?config_format=json /props /info"},
    {"model.path", "/server_info?config_format=json /get_server_info /model_info /get_model_info /props"},
    {"model.revision", "/server_info?config_format=json /info /api/tags"},
    {"model.dtype", "/server_info?config_format=json /get_server_info /info"},
    {"model.quantisation", "/v1/models /server_info?config_format=json /get_server_info /props /api/tags"},
    {"model.parameters", "/v1/models /api/show"},
    {"model.kv_cache_tokens", "/server_info?config_format=json /get_server_info /metrics"},
}};

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

std::string_view without_query(std::string_view path) { return path.substr(0, path.find('?')); }

FieldStatus status_of(const Result<wire::Response>& answer) {
  if (!answer) return FieldStatus::error;
  const int status = answer->head.status;
  if (status == 200) return FieldStatus::ok;
  if (status == 401 || status == 403 || status == 407) return FieldStatus::denied;
  // No such path, no such method, or not switched on: the server has it not. The rest is a server in trouble.
  return status < 500 && status != 408 && status != 429 ? FieldStatus::absent : FieldStatus::error;
}

/// One conversation with a server.
class Interview {
 public:
  Interview(const Get& get, const Post& post, const ServerQuestion& question)
      : get_(get), post_(post), clock_(question.clock ? question.clock : &now), end_(clock_() + question.budget) {
    facts_.model = question.model;
  }

  void ask_models() { ask_json("/v1/models", &read_models); }

  void ask_own_paths() {
    for (const Path& each : kPaths) {
      if (!facts_.engine.empty() && !has_word(each.engines, facts_.engine)) continue;
      if (!each.instead_of.empty() && asked_[std::string(each.instead_of)] == FieldStatus::ok) continue;
      ask_json(each.path, each.read);
    }
    if (facts_.engine == "ollama" && post_ && !facts_.model.empty()) {
      take(
          "/api/show",
          [&] {
            return post_("/api/show", compact(json::object{{"model", facts_.model}}));
          },
          [&](const std::string& body) { return read_json(body, "/api/show", &read_ollama_show); });
    }
    if (facts_.engine != "ollama") {
      take(
          "/metrics", [&] { return get_("/metrics"); },
          [&](const std::string& body) {
            if (body.starts_with('[')) return read_json(body, "/metrics", &read_iteration_stats);
            read_metrics(body, "/metrics", facts_);
            return true;
          });
    }
  }

  event::Fingerprint finish() {
    for (const Wanted& each : kWanted) {
      if (!facts_.fields.find(each.key)) explain(each);
    }
    return std::move(facts_.fields);
  }

 private:
  using Reader = void (*)(const json::value&, std::string_view, ServerFacts&);

  void ask_json(std::string_view path, Reader read) {
    take(
        path, [&] { return get_(path); },
        [&](const std::string& body) { return read_json(body, without_query(path), read); });
  }

  bool read_json(const std::string& body, std::string_view source, Reader read) {
    json::error_code fault;
    const json::value answer = json::parse(body, fault);
    if (!fault) read(answer, source, facts_);
    return !fault;
  }

  /// Asks, unless the time is up; `read` says whether the body was what it should be.
  template <class Ask, class Read>
  void take(std::string_view path, Ask ask, Read read) {
    FieldStatus& status = asked_[std::string(path)];
    status = FieldStatus::error;
    if (clock_() >= end_) return;
    const Result<wire::Response> answer = ask();
    status = status_of(answer);
    if (!answer) return;
    if (status == FieldStatus::ok) {
      // A page in HTML with status 200 is a front end that knows no such path.
      const bool is_page = answer->head.content_type.starts_with("text/html");
      if (is_page || !read(answer->body)) status = is_page ? FieldStatus::absent : FieldStatus::error;
    }
    read_server_header(answer->head.server, facts_);
  }

  void explain(const Wanted& wanted) {
    FieldStatus worst = FieldStatus::absent;
    std::string sources;
    for (const auto& [path, status] : asked_) {
      if (!has_word(wanted.paths, path)) continue;
      if (status != FieldStatus::ok) worst = std::max(worst, status);
      sources += (sources.empty() ? "" : " ") + std::string(without_query(path));
    }
    facts_.fields.miss(std::string(wanted.key), worst, sources.empty() ? "not asked" : sources);
  }

  const Get& get_;
  const Post& post_;
  std::function<Instant()> clock_;
  Instant end_;
  ServerFacts facts_;
  std::map<std::string, FieldStatus> asked_;
};

}  // namespace

event::Fingerprint observe_server(const Get& get, const Post& post, const ServerQuestion& question) {
  const std::string_view vendor = hosted_vendor(question.host);
  Interview interview(get, post, question);
  interview.ask_models();
  if (vendor.empty()) interview.ask_own_paths();
  event::Fingerprint out = interview.finish();
  out.add("service.hosted", !vendor.empty(), "host name");
  if (!vendor.empty()) out.add("service.vendor", json::value(vendor), "host name");
  return out;
}

}  // namespace scoville::environment

#pragma once

#include <memory>
#include <string>

#include "base/json.hpp"
#include "cli/parameter.hpp"
#include "load/dialect.hpp"
#include "plan/bench_plan.hpp"
#include "wire/target.hpp"

namespace scoville::cli {

/// The flags that say which server is asked, and how: shared by every command that sends requests.
class TargetOptions {
 public:
  void declare(Parameters& parameters);
  /// All but those that name the server: for who is told of several.
  void declare_beside_url(Parameters& parameters);
  /// For commands that ask several servers in the same way: all but address, model and key, which for_arm() sets, and
  /// sampling, which is not the user's to choose there.
  void declare_shared(Parameters& parameters);
  /// The same flags for one of these servers. `model` empty: the first that it lists; `key_file` empty: OPENAI_API_KEY.
  TargetOptions for_arm(std::string url, std::string model, std::string key_file) const;

  /// Reads the key and --extra-body, and checks what one flag alone cannot. Call once, before the rest.
  Status settle();

  /// Takes dialect and model from a file of whole requests, where no flag says another. After settle().
  Status follow_batch(const std::string& file, const std::string& url, const std::string& model);

  /// An error where the requests of this dialect have no such latency ("ttft"). After settle().
  Status can_limit(std::string_view flag, std::string_view latency) const;

  /// Base URL, parsed.
  Result<wire::Url> base() const;
  /// The URL of a generation request: base joined with --endpoint or the dialect's own path.
  Result<wire::Url> generation_url(const load::Dialect& dialect) const;

  const std::string& endpoint() const { return endpoint_; }
  /// The kind of server as vLLM's client calls it: --backend, else the name of the dialect there.
  std::string backend() const;
  /// --model; with --served-model-name another name is sent. Empty: not given.
  const std::string& model_id() const { return model_; }
  /// Whether a flag says where the server is.
  bool has_address() const { return !base_url_.empty() || !host_.empty() || port_ != 0; }
  void set_base_url(std::string url) { base_url_ = std::move(url); }
  void set_model(std::string name) { model_ = std::move(name); }

  plan::RequestShape shape;
  plan::Timeouts timeouts;
  wire::TargetOptions wire;
  Nanos ready_timeout = std::chrono::seconds(60);  ///< for a server that is still loading
  bool waits_for_connection = false;

 private:
  void declare_dialect(Parameters& parameters);
  void declare_connection(Parameters& parameters);
  void declare_extra_body(Parameters& parameters);
  void declare_max_tokens_field(Parameters& parameters);
  void declare_sampling(Parameters& parameters);
  Status settle_address();
  Status settle_dialect();
  Status settle_extra_body();
  Status settle_key();

  std::string base_url_, host_, endpoint_, key_file_, model_, served_name_, backend_;
  std::size_t port_ = 0, logprobs_ = 0;
  bool has_dialect_ = false;
  json::object sampling_;  ///< members of the body that some flag sets
  json::object extra_;     ///< those of --extra-body, which win
};

}  // namespace scoville::cli

#pragma once

#include <memory>
#include <string>

#include "cli/parameter.hpp"
#include "load/dialect.hpp"
#include "plan/bench_plan.hpp"
#include "wire/target.hpp"

namespace scoville::cli {

/// The flags that say which server is asked, and how: shared by every command that sends requests.
class TargetOptions {
 public:
  void declare(Parameters& parameters);

  /// Reads the key and --extra-body, and checks what one flag alone cannot. Call once, before the rest.
  Status settle();

  /// Base URL, parsed.
  Result<wire::Url> base() const;
  /// The URL of a generation request: base joined with --endpoint or the dialect's own path.
  Result<wire::Url> generation_url(const load::Dialect& dialect) const;

  const std::string& endpoint() const { return endpoint_; }
  void set_base_url(std::string url) { base_url_ = std::move(url); }

  plan::RequestShape shape;
  plan::Timeouts timeouts;
  wire::TargetOptions wire;
  Nanos ready_timeout = std::chrono::seconds(60);  ///< for a server that is still loading
  bool waits_for_connection = false;

 private:
  std::string base_url_, host_, endpoint_, key_file_;
  std::size_t port_ = 0;
};

}  // namespace scoville::cli

#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include "base/child.hpp"
#include "cli/load_options.hpp"

namespace scoville::cli {

/// A folder of its own below the system's temporary one, removed in the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  /// Empty where none could be made.
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Our own endpoint, scripted or with the reference model, as a process of its own, which ends with this.
class BuiltInEndpoint {
 public:
  struct Options {
    std::string script;
    bool uses_tls = false;   ///< with a certificate that nobody else has signed
    bool is_quiet = false;   ///< its own words are not shown
    std::string model = "";  ///< instead of a script: `serve --model`
    std::string device = "cpu";
    Nanos patience = std::chrono::seconds(10);  ///< until it listens
  };
  /// Started and listening. `folder` must outlive it. An error is a complete sentence.
  static Result<BuiltInEndpoint> start(const TemporaryFolder& folder, const Options& options);

  /// As a client is told: "http://127.0.0.1:40123".
  const std::string& url() const { return url_; }

 private:
  BuiltInEndpoint(Child process, std::string url) : process_(std::move(process)), url_(std::move(url)) {}

  Child process_;
  std::string url_;
};

/// Gives `load` these of its flags, as a command line would.
Status settle_with(LoadOptions& load, std::initializer_list<std::pair<std::string, std::string>> flags);

}  // namespace scoville::cli

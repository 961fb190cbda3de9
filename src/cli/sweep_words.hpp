#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "cli/parameter.hpp"

namespace scoville::cli {

/// The words of a command line that can be stored and said again: an experiment that is gone on with must be the one
/// that was begun. Values that may hold a key are kept as their hash alone.
class SweepWords {
 public:
  /// Adds `declared` to `parameters`, so that each value given is also remembered. Must outlive their use.
  void record(const Parameters& declared, Parameters& parameters);

  bool has(const std::string& flag) const;
  std::string value(const std::string& flag) const;  ///< the last one; empty: not given
  /// What was given of the plan; flags that say where it is kept, and how it is shown, apart.
  json::array to_json() const;

  /// Sets what `stored` says and this command line does not. An error where both say something, and not the same.
  /// `sweep`: its id, for the message.
  Status go_on_with(const json::array& stored, const std::string& sweep);

 private:
  std::vector<Parameter> declared_;
  std::vector<std::pair<std::string, std::string>> given_;
};

}  // namespace scoville::cli

#pragma once

#include <optional>
#include <string>

#include "cli/parameter.hpp"
#include "store/run_store.hpp"

namespace scoville::cli {

/// The flags that say where runs are kept.
class StoreOptions {
 public:
  /// For commands that measure: --store, --no-store, --tag.
  void declare_for_writing(Parameters& parameters);
  /// For commands that look: --store.
  void declare(Parameters& parameters);
  void keep_nothing() { keeps_ = false; }

  bool keeps() const { return keeps_; }
  const std::string& tag() const { return tag_; }
  void set_tag(std::string tag) { tag_ = std::move(tag); }

  /// The file that --store names, else runs.db below XDG_DATA_HOME or ~/.local/share; an error where neither is known.
  Result<std::string> path() const;
  Result<store::RunStore> open() const;
  Result<store::RunStore> open_for_reading() const;

 private:
  std::string file_, tag_;
  bool keeps_ = true;
};

}  // namespace scoville::cli

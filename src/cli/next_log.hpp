#pragma once

#include <string>

#include "base/result.hpp"
#include "cli/command.hpp"
#include "migration/log.hpp"
#include "migration/plan.hpp"

namespace scoville::cli {

/// What the commands of `next` share: the log of an adoption, the plan of its work, the day.
class NextLog {
 public:
  void declare(Parameters& parameters);
  /// Of the commands that add an entry.
  void declare_date(Parameters& parameters);

  /// A log that is not there yet is empty.
  Result<migration::Log> read() const;
  Result<migration::Plan> plan() const;
  /// Of the flag, or today (UTC).
  std::string date() const;

  /// Checks the entry against the log, adds it there and to the file, and says where the adoption stands now.
  Exit add(migration::Entry entry) const;
  /// Says where it stands.
  Exit show(const migration::Log& log) const;

  static Exit refuse(const Error& error);

 private:
  std::string file_ = "scoville-next.jsonl", plan_, date_;
  bool as_json_ = false;
};

}  // namespace scoville::cli

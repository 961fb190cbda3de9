#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "trace/byte_source.hpp"
#include "trace/table.hpp"

namespace scoville::trace {

/// What the lines of an engine's or a framework's log mean: data/log_phrases.yaml, which is built in. Without state:
/// threads may share it.
class Phrases {
 public:
  static const Phrases& built_in();
  static Result<Phrases> parse(const std::string& yaml, const std::string& where);

  struct Held;
  const Held& held() const { return *held_; }

 private:
  explicit Phrases(std::shared_ptr<const Held> held) : held_(std::move(held)) {}
  std::shared_ptr<const Held> held_;
};

/// Reads a log line by line; a line says what it says whatever its prefixes (time, rank, level). What a log repeats of
/// a user's prompt is never looked at: everything behind the word that begins it.
class LogReader {
 public:
  explicit LogReader(const Phrases& phrases = Phrases::built_in());
  ~LogReader();
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  void take(std::string_view line);
  /// Rows and findings so far. Operators of the log: fallbacks and unsupported ones; whatever worked is not in a log.
  OperatorTable table() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The table of a whole log, gzip too.
Result<OperatorTable> read_engine_log(const std::string& path, const Phrases& phrases = Phrases::built_in());

}  // namespace scoville::trace

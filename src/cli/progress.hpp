#pragma once

#include <cstdint>
#include <string>

#include "base/units.hpp"
#include "plan/bench_plan.hpp"
#include "run/runner.hpp"

namespace scoville::cli {

/// Live progress on standard error: one line rewritten on a terminal, after the first two seconds; a plain line every
/// 10 s elsewhere.
class LiveLine {
 public:
  LiveLine();
  ~LiveLine();

  /// Whether it is time for another line: a line need not be made before.
  bool is_due() const;
  void show(const std::string& line);

 private:
  bool is_terminal_, has_line_ = false;
  Instant next_;
};

/// How a load stands.
class ProgressLine {
 public:
  explicit ProgressLine(const plan::LoadPlan& plan) : plan_(plan) {}
  void show(const run::Progress& progress);

 private:
  const plan::LoadPlan& plan_;
  LiveLine line_;
};

/// How far the hashing of weights has come.
class HashingLine {
 public:
  /// False: it is to end, for somebody wants to stop.
  bool show(std::uint64_t bytes_done, std::uint64_t bytes_in_all);

 private:
  LiveLine line_;
};

}  // namespace scoville::cli

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operators/question.hpp"
#include "probe/reason.hpp"

namespace scoville::operators {

/// How the call of one case ended.
enum class Ending {
  ran,
  refused,  ///< it threw
  absent,   ///< the framework's build has no such operator, dtype or schema
  crash,
  timeout,
  oom,
  skipped,  ///< not asked, or the probe could not say: the message has why
};
std::string_view name_of(Ending ending);

/// A call within the operator that brought tensors to the CPU.
struct HostCall {
  std::string call, inside;
  std::int64_t bytes = 0, calls = 0;
};

/// What is known of one case. Judged are only those that ran.
struct CaseResult {
  Case what;
  Ending ending = Ending::skipped;
  std::string message;
  std::string called;               ///< the name under which it was found
  std::optional<double> rel_l2;     ///< nullopt: no floating results, or no reference
  std::optional<double> tolerance;  ///< that it was held against; nullopt: it was not
  std::int64_t mismatched = 0, nan = 0;
  bool shape_differs = false;
  std::string no_reference;  ///< why its numbers could not be judged; empty: they were
  std::string result_device;
  std::vector<HostCall> host_calls;  ///< within the operator
  std::int64_t host_bytes = 0;
  std::vector<std::string> warnings;
  std::string strict_refusal;  ///< what it said when it was not allowed to fall back; empty: it ran, or was not asked
  std::optional<std::int64_t> time_ns;

  bool is_wrong = false;      ///< numbers, shape or whole numbers differ from the reference
  bool is_elsewhere = false;  ///< the result lies on another device
  bool by_trace = false, by_warning = false, by_strict = false;  ///< signs that it is computed on the CPU

  bool falls_back() const { return by_trace || by_warning || by_strict; }
  bool is_good() const { return ending == Ending::ran && !is_wrong && !is_elsewhere && !falls_back(); }
};

/// Relative L2 that results of this dtype may have (docs/formats/operators.md); nullopt for whole numbers.
std::optional<double> tolerance_for(const std::string& dtype, Tolerance tolerance);

/// The precision that such an error of fp32 looks like, "tf32 or fp16" or "bf16"; empty: like none.
std::string looks_like(const std::string& dtype, double rel_l2);

/// A probe's row, judged. `device`: where results belong; `warns`: what warnings of a fallback hold.
CaseResult judge(const Operator& op, const Case& what, const json::object& row, const std::string& device,
                 const std::vector<std::string>& warns);

/// A case that got no row, for this fault.
CaseResult without_row(const Case& what, const probe::Fault& fault);

}  // namespace scoville::operators

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "evidence/external_result.hpp"
#include "numerics/signature.hpp"

namespace scoville::evidence {

/// What msProbe (Ascend's MindStudio Probe) compared: whole tensors, statistics of them, checksums; or two dumps of
/// statistics (dump.json), which we hold against each other.
enum class ProbedBy { tensors, statistics, checksums, dumps };
std::string_view name_of(ProbedBy by);

/// One tensor of an API or module: "Functional.linear.3.forward.output.0".
struct ProbedTensor {
  std::string name, dtype, shape;
  std::optional<double> rel_l2;             ///< EucDist ÷ Bench l2norm
  std::optional<double> cosine, max_abs;    ///< as the file says
  std::optional<double> max_relative;       ///< as the file says: of single elements, without a floor
  std::optional<double> norm_change;        ///< |norm − bench norm| ÷ bench norm
  std::optional<double> within_thousandth;  ///< share of elements with a relative error below 0.1 %
  numerics::Look look = numerics::Look::unknown;
  std::string result, message;  ///< theirs
  bool is_over = false;         ///< by their result where there is one, else by what bf16 lets pass
};

struct ProbedRun {
  ProbedBy by = ProbedBy::tensors;
  std::vector<SourceFile> files;
  std::vector<ProbedTensor> tensors;  ///< in the order of the file: that in which they were computed
  /// Place in `tensors`; outputs before inputs: an input that is off was some output before.
  std::optional<std::size_t> first_over() const;
};

bool is_msprobe_csv(std::string_view text);
/// compare_result_*.csv, or the sheet of an .xlsx saved as CSV. The error names the line.
Result<ProbedRun> read_msprobe_csv(std::string_view text);

/// dump.json: statistics of every API or module of one side.
bool is_msprobe_dump(const json::value& value);
Result<ProbedRun> compare_msprobe_dumps(const json::value& device, const json::value& bench);

}  // namespace scoville::evidence

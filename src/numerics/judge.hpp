#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/baseline.hpp"
#include "numerics/logits.hpp"
#include "numerics/signature.hpp"
#include "numerics/tensor_view.hpp"
#include "text/catalogue.hpp"

namespace scoville::numerics {

/// What one probe wrote: the manifest, and its tensors by name (empty: there is no such tensor).
struct Side {
  Manifest manifest;
  std::function<std::optional<TensorView>(const std::string&)> tensor;
};

/// A part of the model, judged over all sequences: each figure is that of the sequence that fares worst.
struct PartJudgement {
  std::string part;
  std::optional<Distance> isolated;     ///< it got the reference's input
  std::optional<Distance> cumulative;   ///< it got what the parts before it made
  std::optional<std::uint64_t> ulp;     ///< of the judged one, where both sides are fp32
  Look look = Look::unknown;            ///< of the judged one
  std::optional<Precision> rounded_to;  ///< every value of it fits this, and the reference's do not
  bool is_over = false;
  std::string mismatch;  ///< shapes that differ, or a tensor that cannot be read; empty: none
  std::vector<HostRun> host_runs;

  /// Which one decides: the isolated one where there is one.
  const std::optional<Distance>& judged() const { return isolated ? isolated : cumulative; }
};

struct GreedyMatch {
  std::string sequence;
  std::size_t matched = 0, of = 0;
};

/// A variant of reduced weights against the unreduced run on the same device.
struct VariantJudgement {
  std::string name, fault;
  std::optional<LogitAgreement> agreement;
};

enum class Outcome { ok, differs, cannot_tell };
std::string_view name_of(Outcome outcome);

/// For people; name_of(Look) is the code.
text::Msg words_of(Look look);

/// Why: the code of a verdict.
enum class Cause {
  nothing_found,
  other_weights,      ///< cannot tell: not the same model
  other_inputs,       ///< cannot tell: not the same sequences
  nothing_in_common,  ///< cannot tell: no part of one is a part of the other
  shape,
  part,            ///< a part is over the tolerance
  host_runs,       ///< operators ran on the CPU
  nondeterminism,  ///< the same input twice differs by more than the tolerance
  batch,           ///< within a batch the results differ by more than the tolerance
  logits           ///< each part passes, and the answers are further apart than is let pass
};
std::string_view name_of(Cause cause);

struct Verdict {
  Outcome outcome = Outcome::cannot_tell;
  Cause cause = Cause::nothing_in_common;
  std::string part;  ///< the guilty one; empty: none alone
  text::Phrase sentence;
};

/// What the user lets pass.
struct Rules {
  std::optional<Precision> tolerance;  ///< instead of that of the lower precision of the two
  bool allows_host_runs = false;
};

struct Judgement {
  Manifest reference, test;
  Precision judged_by = Precision::fp32;
  std::vector<PartJudgement> parts;
  std::optional<std::size_t> first_over;  ///< place in parts
  std::optional<double> growth;           ///< cumulative relative L2 of the last layer ÷ that of the first
  std::optional<LogitAgreement> logits;
  std::vector<GreedyMatch> greedy;
  std::vector<VariantJudgement> variants;
  Verdict verdict;
  std::vector<text::Phrase> doubts;
};

/// Holds what one device computed against what another, or the same, computed before.
Judgement judge(const Side& reference, const Side& test, const Rules& rules);

/// Variants against the plain run of the same side; what a side says without any other.
std::vector<VariantJudgement> judge_variants(const Side& side);
/// What is to be said of a run by itself: not deterministic, ran on the host, planted.
std::vector<text::Phrase> doubts_of(const Manifest& manifest);

}  // namespace scoville::numerics

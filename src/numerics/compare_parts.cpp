#include "numerics/compare_parts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace scoville::numerics {
namespace {

/// Two tensors of the same name, read.
struct Pair {
  std::vector<double> reference, test;
  bool are_fp32 = false;
};

enum class Found { both, missing, mismatch };

Found read_pair(const Side& reference, const std::string& name, const Side& test, const std::string& test_name,
                Pair& out, std::string& mismatch) {
  const std::optional<TensorView> r = reference.tensor(name), t = test.tensor(test_name);
  if (!r || !t) return Found::missing;
  if (r->shape != t->shape) {
    mismatch = shape_words(r->shape) + " / " + shape_words(t->shape);
    return Found::mismatch;
  }
  Result<std::vector<double>> values = values_of(*r), others = values_of(*t);
  if (!values || !others) {
    mismatch = values ? others.error().message : values.error().message;
    return Found::mismatch;
  }
  out = {std::move(*values), std::move(*others), r->dtype == "F32" && t->dtype == "F32"};
  return Found::both;
}

/// Infinite where the figure is unknown or something is not finite on one side only.
double badness(const Distance& distance) {
  return distance.unlike > 0 || !distance.rel_l2 ? HUGE_VAL : *distance.rel_l2;
}

/// What a layer adds to the residual stream, on both sides, where the input of the isolated pass is known: an error
/// shows in it at full size, while the sum with the input hides most of it.
std::optional<Distance> distance_of_update(const Pair& pair, const Side& reference, const std::string& input) {
  const std::optional<TensorView> found = reference.tensor(input);
  Result<std::vector<double>> given = found ? values_of(*found) : Result<std::vector<double>>(Error{});
  if (!given || given->size() != pair.test.size()) return std::nullopt;
  std::vector<double> reference_added = pair.reference, test_added = pair.test;
  for (std::size_t i = 0; i < given->size(); ++i) {
    reference_added[i] -= (*given)[i];
    test_added[i] -= (*given)[i];
  }
  return distance(reference_added, test_added, {});
}

/// A part's figures over the sequences read so far; of several runs the judged one leaves look and ULP.
class Pool {
 public:
  Pool(PartJudgement& part, const Tolerance& tolerance, std::optional<Distance>& into, bool is_judged)
      : part_(part), tolerance_(tolerance), into_(into), is_judged_(is_judged) {}

  /// `update`: what the part added alone, where that is known.
  void add(const Pair& pair, const std::function<std::optional<Distance>()>& update) {
    const Distance found = distance(pair.reference, pair.test, tolerance_.torch_default.value_or(Closeness{}));
    if (is_judged_) judge(pair, found, update);
    if (!into_ || badness(found) > badness(*into_)) into_ = found;
  }

 private:
  void judge(const Pair& pair, const Distance& found, const std::function<std::optional<Distance>()>& update) {
    const bool is_over = !passes(found, tolerance_);
    part_.is_over = part_.is_over || is_over;
    if (pair.are_fp32) part_.ulp = std::max(part_.ulp.value_or(0), largest_ulp(pair.reference, pair.test));
    if (into_ && badness(found) <= badness(*into_)) return;
    const std::optional<Precision> format = format_of(pair.test);
    part_.rounded_to =
        !found.is_bitwise() && format != format_of(pair.reference) && format != Precision::fp32 ? format : std::nullopt;
    const std::optional<Distance> added = is_over && !part_.rounded_to ? update() : std::nullopt;
    part_.look = look_of(added.value_or(found));
  }

  PartJudgement& part_;
  const Tolerance& tolerance_;
  std::optional<Distance>& into_;
  bool is_judged_;
};

bool has_isolated(const Side& test, const std::string& part) {
  return std::any_of(test.manifest.sequences.begin(), test.manifest.sequences.end(), [&](const Sequence& each) {
    return test.tensor(tensor_name(each.name, part, "isolated")).has_value();
  });
}

PartJudgement compare_part(const Side& reference, const Side& test, const Part& of, const Tolerance& tolerance) {
  PartJudgement out;
  const std::string& part = out.part = of.name;
  const bool is_isolated = has_isolated(test, part), adds = part.starts_with("layer.") && !of.input.empty();
  const auto unknown = [] { return std::optional<Distance>(); };
  Pool isolated(out, tolerance, out.isolated, true), cumulative(out, tolerance, out.cumulative, !is_isolated);
  for (const Sequence& each : test.manifest.sequences) {
    const std::string name = tensor_name(each.name, part);
    Pair pair;
    if (read_pair(reference, name, test, name, pair, out.mismatch) == Found::both) cumulative.add(pair, unknown);
    const std::string alone = tensor_name(each.name, part, "isolated");
    if (!is_isolated || read_pair(reference, name, test, alone, pair, out.mismatch) != Found::both) continue;
    isolated.add(pair, [&] {
      return adds ? distance_of_update(pair, reference, tensor_name(each.name, of.input)) : std::nullopt;
    });
  }
  for (const HostRun& each : test.manifest.host_runs) {
    if (each.part == part) out.host_runs.push_back(each);
  }
  return out;
}

bool is_layer(const PartJudgement& part) { return part.part.starts_with("layer."); }

std::optional<std::vector<std::int64_t>> tokens_of(const Side& side, const std::string& sequence, const char* what) {
  const std::optional<TensorView> found = side.tensor(tensor_name(sequence, what));
  if (!found) return std::nullopt;
  Result<std::vector<std::int64_t>> tokens = integers_of(*found);
  return tokens ? std::optional(std::move(*tokens)) : std::nullopt;
}

}  // namespace

std::vector<PartJudgement> compare_parts(const Side& reference, const Side& test, const Tolerance& tolerance) {
  std::vector<PartJudgement> out;
  for (const Part& part : test.manifest.parts) {
    const auto& theirs = reference.manifest.parts;
    const bool is_common =
        std::any_of(theirs.begin(), theirs.end(), [&](const Part& p) { return p.name == part.name; });
    if (is_common) out.push_back(compare_part(reference, test, part, tolerance));
  }
  return out;
}

std::optional<LogitAgreement> compare_logits(const Side& reference, const Side& test, const std::string& run) {
  LogitComparison comparison;
  for (const Sequence& each : reference.manifest.sequences) {
    Pair pair;
    std::string mismatch;
    const std::string name = tensor_name(each.name, "logits");
    if (read_pair(reference, name, test, tensor_name(each.name, "logits", run), pair, mismatch) != Found::both)
      continue;
    const std::size_t vocabulary = static_cast<std::size_t>(reference.tensor(name)->shape.back());
    const auto tokens = tokens_of(reference, each.name, "tokens").value_or(std::vector<std::int64_t>{});
    comparison.add({pair.reference, vocabulary}, {pair.test, vocabulary}, tokens);
  }
  return comparison.result();
}

std::vector<GreedyMatch> compare_greedy(const Side& reference, const Side& test) {
  std::vector<GreedyMatch> out;
  for (const Sequence& each : reference.manifest.sequences) {
    const auto ours = tokens_of(reference, each.name, "greedy"), theirs = tokens_of(test, each.name, "greedy");
    if (ours && theirs) out.push_back({each.name, match_length(*ours, *theirs), ours->size()});
  }
  return out;
}

std::optional<double> growth_of(const std::vector<PartJudgement>& parts) {
  const auto first = std::find_if(parts.begin(), parts.end(), is_layer);
  const auto last = std::find_if(parts.rbegin(), parts.rend(), is_layer);
  if (first == parts.end() || &*first == &*last) return std::nullopt;
  const auto size = [](const PartJudgement& part) { return part.cumulative ? part.cumulative->rel_l2.value_or(0) : 0; };
  if (size(*first) == 0) return std::nullopt;
  return size(*last) / size(*first);
}

}  // namespace scoville::numerics

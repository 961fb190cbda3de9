#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "claim/claim.hpp"
#include "text/catalogue/claim.hpp"

namespace scoville::claim {

/// One of the twenty things without which a performance claim is not complete.
struct Point {
  int number = 0;           ///< 1 to 20
  std::string_view id;      ///< "precision"
  text::ClaimMsg title;     ///< "precision of weights, activations, KV cache; sparsity"
  text::ClaimMsg question;  ///< as it is put to whoever made the claim
  int weight = 1;           ///< 1 to 5: how much a decision hangs on it
  /// Fields that answer it, all of them; of "a|b" one is enough. "ratio" and the like stand for members of the claim.
  std::vector<std::string_view> needs;
};
std::span<const Point> points();

enum class PointVerdict {
  present,
  missing,
  mismatched,  ///< said, and not the same for both systems
  not_asked,   ///< about a comparator, of a claim that compares nothing
};
std::string_view name_of(PointVerdict verdict);

struct PointState {
  const Point* point = nullptr;
  PointVerdict verdict = PointVerdict::missing;
  int weight = 1;                  ///< power and price weigh most where the claim is about them
  std::vector<std::string> lacks;  ///< keys that would answer it
};

/// The twenty, in their order.
std::vector<PointState> checklist(const Claim& claim);
/// Those that are missing, the weightiest first.
std::vector<const PointState*> missing(const std::vector<PointState>& states);

/// A field in which the two systems are known to differ.
struct Mismatch {
  std::string key, subject, comparator;
  FieldClass field_class = FieldClass::must_equal;
  bool is_blocking = false;  ///< the two may not be compared with it
};
std::vector<Mismatch> mismatches(const Claim& claim);

/// What keeps a claim from meaning anything definite: keys of metric, subject, comparator and workload. A compound
/// metric is undefined without its parts: performance per watt without a boundary, a price without a basis.
std::vector<std::string> undefined(const Claim& claim);

/// It is about power, or about money.
bool is_about_power(const Claim& claim);
bool is_about_price(const Claim& claim);

}  // namespace scoville::claim

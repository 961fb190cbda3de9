#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probe/figures.hpp"

namespace scoville::probe {

/// How much a device loses where shapes are not those that it was built for.
///
/// Each share is a rate ÷ the best rate of its family: products of nearly the same size (a round one, and what lies
/// beside it), attention of the same lengths with other head sizes or fewer key heads. 1: shapes do not matter.
struct Specialisation {
  std::string dtype;
  std::string kind;  ///< "gemm" or "attention"
  std::size_t shapes = 0;
  double median = 0;
  double p5 = 0;      ///< of the shares; of fewer than 20 shapes between the smallest and the next
  std::string worst;  ///< the shape of the smallest share
  double least = 0;
};

/// Points whose label is "off tile", each with those of its family: the "square" ones whose m is within 1 in 16 of its
/// own, and one another. Types with fewer than two such shapes are left out.
std::vector<Specialisation> gemm_specialisation(const std::vector<GemmPoint>& points);
/// All points of a type; a family has batch, lengths and causality in common.
std::vector<Specialisation> attention_specialisation(const std::vector<AttentionPoint>& points);

}  // namespace scoville::probe

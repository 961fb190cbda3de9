#include "compare_results.hpp"

#include <algorithm>
#include <cmath>

namespace scoville::torch_probe {
namespace {

struct Sums {
  double difference = 0, reference = 0, most = 0;
  bool any = false;
};

at::Tensor wide(const at::Tensor& tensor) {
  at::Tensor host = tensor.detach().to(at::kCPU);
  if (host.is_complex()) host = at::view_as_real(host.to(at::kComplexDouble).resolve_conj());
  return host.to(at::kDouble).contiguous();
}

bool is_measured(const at::Tensor& tensor) { return tensor.is_floating_point() || tensor.is_complex(); }

void add(const at::Tensor& result, const at::Tensor& reference, bool magnitudes, Sums& sums, Distance& distance) {
  at::Tensor got = wide(result), right = wide(reference);
  if (got.sizes() != right.sizes()) {
    distance.shape_differs = true;
    return;
  }
  if (!is_measured(result) && !is_measured(reference)) {
    distance.mismatched += got.ne(right).sum().item<std::int64_t>();
    return;
  }
  if (magnitudes) {
    got = got.abs();
    right = right.abs();
  }
  sums.any = true;
  const double* g = got.data_ptr<double>();
  const double* r = right.data_ptr<double>();
  for (std::int64_t i = 0; i < got.numel(); ++i) {
    if (!std::isfinite(r[i])) {
      if (!(g[i] == r[i] || (std::isnan(g[i]) && std::isnan(r[i])))) ++distance.mismatched;
    } else if (!std::isfinite(g[i])) {
      ++distance.nan;
    } else {
      const double by = std::abs(g[i] - r[i]);
      sums.difference += by * by;
      sums.reference += r[i] * r[i];
      sums.most = std::max(sums.most, by);
    }
  }
}

void close(const Sums& sums, Distance& distance) {
  if (!sums.any) return;
  const double difference = std::sqrt(sums.difference), reference = std::sqrt(sums.reference);
  distance.rel_l2 = reference > 0 ? difference / reference : difference;
  distance.max_abs = sums.most;
}

}  // namespace

Distance distance(const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& reference, bool magnitudes) {
  Distance distance;
  Sums sums;
  if (results.size() != reference.size()) distance.shape_differs = true;
  for (std::size_t i = 0; i < std::min(results.size(), reference.size()); ++i) {
    if (results[i].defined() != reference[i].defined()) distance.shape_differs = true;
    if (results[i].defined() && reference[i].defined()) add(results[i], reference[i], magnitudes, sums, distance);
  }
  close(sums, distance);
  return distance;
}

Distance distance_kept_or_dropped(const at::Tensor& result, const at::Tensor& input) {
  const at::Tensor got = wide(result), twice = wide(input) * 2;
  Distance distance;
  if (got.sizes() != twice.sizes()) {
    distance.shape_differs = true;
    return distance;
  }
  const at::Tensor dropped = got.eq(0);
  Sums sums;
  add(got, twice.masked_fill(dropped, 0), false, sums, distance);
  close(sums, distance);
  const double share = got.numel() ? dropped.sum().item<double>() / static_cast<double>(got.numel()) : 0.5;
  if (share < 0.3 || share > 0.7) distance.mismatched = dropped.sum().item<std::int64_t>();
  return distance;
}

}  // namespace scoville::torch_probe

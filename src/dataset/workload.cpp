#include "dataset/workload.hpp"

#include <algorithm>

namespace scoville::dataset {

bool has_times(const Workload& workload) {
  return !workload.chains.empty() &&
         std::all_of(workload.chains.begin(), workload.chains.end(), [](const auto& each) { return each.at; });
}

Nanos span_of(const Workload& workload) {
  return has_times(workload) ? *workload.chains.back().at - *workload.chains.front().at : Nanos::zero();
}

std::uint64_t requests_of(const Workload& workload) {
  std::uint64_t requests = 0;
  for (const WorkloadChain& chain : workload.chains) requests += chain.turns.size();
  return requests;
}

void settle_times(Workload& workload) {
  if (!has_times(workload)) return;
  auto& chains = workload.chains;
  Nanos latest = *chains.front().at;
  for (const WorkloadChain& chain : chains) {
    workload.unsorted += *chain.at < latest;
    latest = std::max(latest, *chain.at);
  }
  if (workload.unsorted > 0) {
    std::stable_sort(chains.begin(), chains.end(), [](const auto& a, const auto& b) { return *a.at < *b.at; });
  }
  const Nanos first = *chains.front().at;
  for (WorkloadChain& chain : chains) *chain.at -= first;
}

}  // namespace scoville::dataset

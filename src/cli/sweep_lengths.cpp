#include "cli/sweep_lengths.hpp"

#include <map>

#include "base/rng.hpp"

namespace scoville::cli {

dataset::Workload length_workload(const std::vector<std::uint32_t>& lengths, std::size_t each,
                                  std::uint32_t output_tokens, std::uint64_t seed) {
  dataset::Workload out;
  for (std::size_t round = 0; round < each; ++round) {
    std::vector<std::uint32_t> order = lengths;
    Rng rng(seed, round);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
    for (const std::uint32_t tokens : order) {
      dataset::WorkloadChain chain;
      chain.turns = {{Nanos::zero(), tokens, output_tokens}};
      out.chains.push_back(std::move(chain));
    }
  }
  return out;
}

report::ShapesView shapes_of(const Measured& measured, std::size_t each) {
  report::ShapesView out;
  out.url = measured.subject.url;
  out.model = measured.shape.model;
  out.run = measured.subject.run_id;
  out.instrument = analyse::name_of(measured.analysis.instrument.verdict);
  out.is_client_limited = measured.analysis.instrument.verdict == analyse::Verdict::bottleneck;
  out.requests = each;
  std::map<std::uint32_t, decide::LengthSample> samples;
  for (const event::RequestRecord& record : measured.result.records) {
    const std::int64_t tokens = record.prompt_tokens.value_or(0);  // as the engine counts them
    if (!record.succeeded() || tokens <= 0 || !record.first_token || !record.zero()) continue;
    decide::LengthSample& sample = samples[static_cast<std::uint32_t>(tokens)];
    sample.tokens = static_cast<std::uint32_t>(tokens);
    sample.ttft_s.push_back(to_seconds(*record.first_token - *record.zero()));
  }
  std::vector<decide::LengthSample> all;
  for (auto& [tokens, sample] : samples) all.push_back(std::move(sample));
  out.lengths = decide::judge_lengths(all, out.alpha);
  return out;
}

}  // namespace scoville::cli

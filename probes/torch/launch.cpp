#include <algorithm>

#include "base/clock.hpp"
#include "bench.hpp"
#include "questions.hpp"
#include "tensors.hpp"

namespace scoville::torch_probe {
namespace {

constexpr std::size_t kDepth = 500;  // operations in a queue that no backend known fills up at

/// Host time of one operation until the call returns, while the device still works: the queue is emptied before and
/// after, outside the time.
probe::Timing enqueue(const Bench& bench, const std::function<void()>& call, const at::Tensor& watched) {
  const probe::TimingPlan plan = bench.plan();
  const auto begin = scoville::now();
  std::vector<double> samples;
  double first = 0;
  while (samples.size() < plan.most_samples) {
    bench.synchronise(watched);
    const auto before = scoville::now();
    for (std::size_t i = 0; i < kDepth; ++i) call();
    const auto after = scoville::now();
    const double each = static_cast<double>((after - before).count()) / static_cast<double>(kDepth);
    if (first == 0) {
      first = each;  // warms up
      continue;
    }
    samples.push_back(each);
    if (samples.size() >= std::max<std::size_t>(3, plan.least_samples) && after - begin >= plan.warm_up) {
      const probe::Timing seen = probe::summarize(samples);
      if (seen.iqr < 2 * plan.steady * seen.median) break;
    }
    if (samples.size() >= 3 && after - begin >= plan.most_time) break;
  }
  bench.synchronise(watched);
  probe::Timing timing = probe::summarize(samples);
  timing.calls_per_sample = kDepth;
  timing.first_call = first;
  timing.is_steady = timing.iqr < 2 * plan.steady * timing.median;
  return timing;
}

}  // namespace

probe::Answer launch(const probe::Question& question, probe::Speaker& speaker) {
  Bench bench(question);
  at::Tensor left = gaussian({16}, bench.seed()).to(bench.device()), right = left.clone(), out = at::empty_like(left);
  const auto call = [&] { at::add_out(out, left, right); };
  const auto waited = [&] {
    call();
    bench.synchronise(out);
  };
  const auto row = [&](const char* kind, const std::function<void(json::object&)>& measure) {
    tell(speaker, {{"kind", kind}, {"operation", "aten::add.out"}}, measure);
  };
  row("enqueue", [&](json::object& into) {
    into["hot"] = probe::timing_json(enqueue(bench, call, out));
    bench.note_threads(into);
  });
  row("pipelined", [&](json::object& into) { bench.time(call, out, into); });
  row("roundtrip", [&](json::object& into) { bench.time(waited, out, into); });
  return json::object{{"device", bench.device().str()}};
}

}  // namespace scoville::torch_probe

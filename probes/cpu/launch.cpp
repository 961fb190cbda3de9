#include "asked.hpp"
#include "handlers.hpp"
#include "matmul.hpp"
#include "threads.hpp"

namespace scoville::cpu_probe {
namespace {

/// Threads meet and part, nothing else.
void empty_region() {
#pragma omp parallel
  { asm volatile("" : : : "memory"); }
}

}  // namespace

/// A CPU has no queue that work is put into. What comes near it: the threads' meeting, and oneDNN's smallest product.
probe::Answer launch(const probe::Question& question, probe::Speaker& speaker) {
  const Threads threads = use_threads(question);
  const AskedTiming timing = asked_timing(question);
  json::object region{{"kind", "parallel_region"}};
  put_threads(region, threads);
  put_times(region, {empty_region}, timing);
  speaker.row(std::move(region));

  Matmul product({"", 16, 16, 16, 1}, Type::fp32, 1);
  json::object smallest{{"kind", "roundtrip"}, {"kernel", product.kernel()}};
  put_threads(smallest, threads);
  put_times(smallest, {[&] {
              product.run();
              product.wait();
            }},
            timing);
  speaker.row(std::move(smallest));
  return json::object{};
}

}  // namespace scoville::cpu_probe

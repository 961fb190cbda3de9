#include "run/in_memory.hpp"

#include <deque>

namespace scoville::run {
namespace {

/// One thread's records; no other thread touches it before the join.
class MemorySink final : public event::RecordSink {
 public:
  void take(event::RequestRecord record) override { records.push_back(std::move(record)); }
  void take_part(event::RequestRecord) override {}
  std::vector<event::RequestRecord> records;
};

}  // namespace

Result<RunResult> run_in_memory(const RunInputs& inputs, const std::atomic<bool>& stop) {
  std::deque<MemorySink> sinks(inputs.plan.all_threads());
  Result<RunResult> result = run_load(
      inputs, [&](unsigned thread) -> event::RecordSink& { return sinks[thread]; }, stop, [](const Progress&) {});
  if (!result) return result;
  for (MemorySink& sink : sinks) {
    for (event::RequestRecord& record : sink.records) result->add(std::move(record));
  }
  result->sort();
  return result;
}

}  // namespace scoville::run

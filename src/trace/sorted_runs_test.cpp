#include "trace/sorted_runs.hpp"

#include <doctest/doctest.h>

namespace scoville::trace {
namespace {

TEST_CASE("records come back in order, however they were added, and as often as asked") {
  std::vector<std::array<std::uint64_t, 3>> all;
  SortedRuns<3> runs;
  std::uint64_t state = 1;
  for (int i = 0; i < 100000; ++i) {  // three batches and a part
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    all.push_back({state >> 60, state >> 7, ~state});
    runs.add(all.back());
  }
  runs.close();
  std::sort(all.begin(), all.end());
  CHECK(runs.size() == all.size());
  for (int turn = 0; turn < 2; ++turn) {
    SortedRuns<3>::Reader reader(runs);
    std::size_t wrong = 0;
    for (const auto& right : all) {
      const auto* const record = reader.next();
      REQUIRE(record);
      if (*record != right) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK(reader.next() == nullptr);
    CHECK(reader.next() == nullptr);
  }
}

TEST_CASE("nothing was added: nothing comes") {
  SortedRuns<2> runs;
  runs.close();
  SortedRuns<2>::Reader reader(runs);
  CHECK(reader.next() == nullptr);
}

}  // namespace
}  // namespace scoville::trace

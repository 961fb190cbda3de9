#include "dataset/workload_file_write.hpp"

#include <doctest/doctest.h>

namespace scoville::dataset {

TEST_CASE("a request is a line of its own, a conversation lists its turns, and what is not known is left out") {
  Workload workload;
  workload.block_tokens = 64;
  WorkloadChain alone;
  alone.at = Nanos(1'500'250'000);
  alone.turns = {{Nanos(0), 812, 64}};
  alone.blocks = {1, 2};
  alone.model = std::string("m");
  WorkloadChain talk;
  talk.turns = {{Nanos(0), 10, 20}, {Nanos(1'500'000'000), 40, 0}};
  workload.chains = {alone, talk};
  CHECK(workload_lines(workload, "a.jsonl") ==
        "{\"format\":\"scoville.workload/1\",\"block_tokens\":64,\"source\":\"a.jsonl\"}\n"
        "{\"at_ms\":1500.25,\"input_tokens\":812,\"output_tokens\":64,\"blocks\":[1,2],\"model\":\"m\"}\n"
        "{\"turns\":[{\"input_tokens\":10,\"output_tokens\":20},"
        "{\"think_ms\":1500,\"input_tokens\":40,\"output_tokens\":0}]}\n");
}

}  // namespace scoville::dataset

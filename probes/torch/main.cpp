#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include "about.hpp"
#include "correctness/correctness.hpp"
#include "devices.hpp"
#include "explain.hpp"
#include "model/engine_main.hpp"
#include "operator.hpp"
#include "probe/host.hpp"
#include "questions.hpp"
#include "readiness.hpp"
#include "stack.hpp"

namespace {

/// OpenMP reads how to wait before main() begins: the program starts once more with that said.
void settle_openmp(char** words) {
  if (!scoville::torch_probe::has_fighting_pools()) return;
  setenv("GOMP_SPINCOUNT", "0", 1);
  execv("/proc/self/exe", words);  // where that fails it goes on as it is, and its stack says so
}

}  // namespace

/// A probe of any device that a libtorch reaches (docs/formats/probe.md). `--load LIB`: an out-of-tree backend, first.
/// `engine …`: the reference model, answering requests for text.
int main(int count, char** words) {
  using namespace scoville;
  if (count > 1 && std::strcmp(words[1], "engine") == 0) return torch_probe::model::engine_main(count - 1, words + 1);
  settle_openmp(words);  // before anything is loaded that would have to be loaded again
  for (const std::string& failure : torch_probe::load_own_backends()) std::cerr << failure << "\n";
  try {
    for (int i = 1; i < count; ++i) {
      if (std::strcmp(words[i], "--load") == 0 && i + 1 < count) {
        torch_probe::load_backend(words[++i]);
      } else {
        std::cerr << "usage: scoville-torch [--load LIB]…\n";
        return 2;
      }
    }
  } catch (const std::invalid_argument& wrong) {
    std::cerr << "scoville-torch: " << wrong.what() << "\n";
    return 1;
  }
  torch_probe::use_threads(0);
  probe::Host host;
  host.describe(torch_probe::describe);
  host.explain(torch_probe::explain);
  host.on("readiness", torch_probe::answer_readiness);
  host.on("correctness", torch_probe::answer_correctness);
  host.on("operator", torch_probe::answer_operator);
  host.on("gemm", torch_probe::gemm);
  host.on("bandwidth", torch_probe::bandwidth);
  host.on("copy", torch_probe::copy);
  host.on("launch", torch_probe::launch);
  host.on("attention", torch_probe::attention);
  host.on("capacity", torch_probe::capacity);
  host.on("dynamic_shapes", torch_probe::dynamic_shapes);
  return host.serve();
}

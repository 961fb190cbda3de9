#include <cstdlib>
#include <cstring>
#include <iostream>
#include <stdexcept>

#include "about.hpp"
#include "correctness/correctness.hpp"
#include "devices.hpp"
#include "explain.hpp"
#include "operator.hpp"
#include "probe/host.hpp"

/// A probe of any device that a libtorch reaches (docs/formats/probe.md). `--load LIB`: an out-of-tree backend, first.
int main(int count, char** words) {
  using namespace scoville;
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
  host.on("correctness", torch_probe::answer_correctness);
  host.on("operator", torch_probe::answer_operator);
  return host.serve();
}

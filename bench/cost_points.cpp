// How long 10,000 points of a sensitivity take: the saving of an option at as many values of one input, and the whole
// of `scoville cost` without its printing.
//
//   cost_points examples/cost/t_be_1_demand.yaml

#include <chrono>
#include <cstdio>

#include "cost/outcome.hpp"
#include "cost/resolve.hpp"

using namespace scoville;

namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("cost_points STUDY.yaml\n", stderr), 2;
  const Result<config::Node> root = config::Node::load(argv[1]);
  if (!root) return std::fprintf(stderr, "%s\n", root.error().message.c_str()), 1;
  const cost::Study study = cost::read_study(*root);
  cost::Outcome outcome;
  const cost::Resolved resolved = cost::resolve(study, outcome);
  if (!outcome.is_complete() || resolved.model.plants.size() < 2)
    return std::fputs("two complete options\n", stderr), 1;

  constexpr std::size_t kPoints = 10000;
  std::vector<double> values(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) values[i] = 0.8 + 0.4 * static_cast<double>(i) / kPoints;
  const cost::Lever lever{cost::In::perf_scale, {1}, false, 1, 0.8, 1.2};
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<double> savings = cost::along(resolved.model, 1, lever, values, cost::saving_figure);
  const double points = seconds_since(begin);
  double sum = 0;
  for (const double each : savings) sum += each;

  const auto whole_begin = std::chrono::steady_clock::now();
  const Result<cost::Outcome> whole = cost::work_out(study);
  const double whole_took = seconds_since(whole_begin);
  if (!whole) return 1;
  std::printf("%zu points: %.2f ms (%.0f ns each; mean saving %.0f)\n", kPoints, 1e3 * points, 1e9 * points / kPoints,
              sum / kPoints);
  std::printf("the whole study: %.2f ms\n", 1e3 * whole_took);
  return 0;
}

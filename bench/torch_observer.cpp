// What the fallback detector costs an operator: the same small calls with and without it, alternating in one run.
//   torch_observer [ROUNDS]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "observer.hpp"

namespace {

constexpr int kCalls = 20000;

double microseconds_per_call(const at::Tensor& a, const at::Tensor& b) {
  const auto from = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) at::add(a, b);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count() / kCalls;
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

}  // namespace

int main(int count, char** words) {
  const int rounds = count > 1 ? std::atoi(words[1]) : 21;
  at::set_num_threads(1);
  const at::NoGradGuard no_gradients;
  const at::Tensor a = at::ones({8}), b = at::ones({8});
  microseconds_per_call(a, b);
  std::vector<double> plain, observed;
  for (int round = 0; round < rounds; ++round) {
    plain.push_back(microseconds_per_call(a, b));
    // The worst case: every operator has inputs on the watched device.
    const scoville::torch_probe::Observer observer(c10::DeviceType::CPU);
    observed.push_back(microseconds_per_call(a, b));
  }
  const double without = median(plain), with = median(observed);
  std::printf("{\"plain_us\": %.3f, \"observed_us\": %.3f, \"cost_us\": %.3f, \"ratio\": %.3f}\n", without, with,
              with - without, with / without);
  return 0;
}

// The built-in CPU probe against bare loops on the same machine, threads and sizes, turn by turn in one run: oneDNN's
// matmul with every layout left to it, and a STREAM triad as plain as it is written. Prints a JSON object of ratios
// (probe ÷ bare; 1: nothing lost).
#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dnnl.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "matmul.hpp"
#include "stream_kernels.hpp"

namespace {

using dnnl::memory;
using scoville::cpu_probe::Matmul;
using scoville::cpu_probe::Type;
using Clock = std::chrono::steady_clock;

double seconds(const std::function<void()>& call, int times) {
  const auto begin = Clock::now();
  for (int i = 0; i < times; ++i) call();
  return std::chrono::duration<double>(Clock::now() - begin).count() / times;
}

/// Turn by turn, so that what else this machine does falls on both; the least time of each, and their ratio of rates.
struct Pair {
  double ours = 1e300, bare = 1e300;
  double ratio() const { return bare / ours; }
};
Pair race(const std::function<void()>& ours, const std::function<void()>& bare, int times, int turns) {
  Pair pair;
  ours();
  bare();
  for (int i = 0; i < turns; ++i) {
    pair.ours = std::min(pair.ours, seconds(ours, times));
    pair.bare = std::min(pair.bare, seconds(bare, times));
  }
  return pair;
}

class BareMatmul {
 public:
  BareMatmul(memory::dim size, memory::data_type in, memory::data_type out) {
    const auto any = memory::format_tag::any;
    const dnnl::matmul::primitive_desc description(
        dnnl::matmul::desc({{size, size}, in, any}, {{size, size}, in, any}, {{size, size}, out, any}), engine_);
    primitive_ = dnnl::matmul(description);
    for (const auto& [argument, desc] :
         {std::pair{DNNL_ARG_SRC, description.src_desc()}, std::pair{DNNL_ARG_WEIGHTS, description.weights_desc()},
          std::pair{DNNL_ARG_DST, description.dst_desc()}}) {
      memory held(desc, engine_);
      auto* const bytes = static_cast<unsigned char*>(held.get_data_handle());
      for (std::size_t i = 0; i < desc.get_size(); ++i) bytes[i] = static_cast<unsigned char>(i * 37 % 61);
      arguments_.emplace(argument, held);
    }
  }
  void run() {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }

 private:
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::matmul primitive_;
  std::unordered_map<int, memory> arguments_;
};

void race_products(bool& is_first) {
  const std::array types{std::tuple{"fp32", Type::fp32, memory::data_type::f32, memory::data_type::f32},
                         std::tuple{"bf16", Type::bf16, memory::data_type::bf16, memory::data_type::bf16},
                         std::tuple{"int8", Type::int8, memory::data_type::s8, memory::data_type::s32}};
  for (const auto& [name, type, in, out] : types) {
    for (const std::size_t size : {1024, 2048}) {
      try {
        Matmul ours({"", size, size, size, 1}, type, 1);
        BareMatmul bare(static_cast<memory::dim>(size), in, out);
        const Pair pair = race(
            [&] {
              ours.run();
              ours.wait();
            },
            [&] { bare.run(); }, 1, 60);
        std::printf("%s\"gemm_%s_%zu\": {\"ratio\": %.4f, \"gflops\": %.1f}", is_first ? "" : ", ", name, size,
                    pair.ratio(), 2e-9 * static_cast<double>(size * size * size) / pair.ours);
        is_first = false;
      } catch (const dnnl::error&) {  // a processor without it
      }
    }
  }
}

/// As STREAM has it, compiled as the rest is, arrays first touched by the threads that use them.
__attribute__((optimize("O3"))) void bare_triad(double* a, const double* b, const double* c, std::ptrdiff_t count) {
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t i = 0; i < count; ++i) a[i] = b[i] + 0.4 * c[i];
}

void our_triad(double* a, const double* b, const double* c, std::size_t count, bool is_non_temporal) {
  const auto& kernels = scoville::cpu_probe::stream_kernels();
#pragma omp parallel
  {
    const auto all = static_cast<std::size_t>(omp_get_num_threads()),
               me = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t from = count / 8 * me / all * 8, to = count / 8 * (me + 1) / all * 8;
    kernels.triad[is_non_temporal](a + from, b + from, c + from, 0.4, to - from);
  }
}

void race_triad() {
  constexpr std::size_t kCount = (128 << 20) / sizeof(double);
  auto a = scoville::cpu_probe::make_array<double>(kCount), b = scoville::cpu_probe::make_array<double>(kCount),
       c = scoville::cpu_probe::make_array<double>(kCount);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < kCount; ++i) a[i] = 0, b[i] = 1, c[i] = 2;
  for (const bool is_non_temporal : {false, true}) {
    const Pair pair = race([&] { our_triad(a.get(), b.get(), c.get(), kCount, is_non_temporal); },
                           [&] { bare_triad(a.get(), b.get(), c.get(), static_cast<std::ptrdiff_t>(kCount)); }, 1, 60);
    std::printf(", \"triad_%s\": {\"ratio\": %.4f, \"gb_s\": %.1f}", is_non_temporal ? "non_temporal" : "regular",
                pair.ratio(), 3e-9 * sizeof(double) * kCount / pair.ours);
  }
}

}  // namespace

int main() {
  bool is_first = true;
  std::printf("{\"threads\": %d, ", omp_get_max_threads());
  race_products(is_first);
  race_triad();
  std::printf("}\n");
}

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "attend.hpp"
#include "base/clock.hpp"
#include "bench.hpp"
#include "named_call.hpp"
#include "questions.hpp"
#include "tensors.hpp"

namespace scoville::torch_probe {
namespace {

struct Preset {
  const char* name;
  std::int64_t hidden, heads, inner, layers;
};
constexpr std::array kPresets{Preset{"tiny", 256, 4, 1024, 2}, Preset{"small", 1024, 16, 4096, 2},
                              Preset{"1b", 2048, 32, 8192, 1}, Preset{"8b", 4096, 32, 14336, 1}};

const Preset& preset_named(const std::string& name) {
  for (const Preset& each : kPresets) {
    if (name == each.name) return each;
  }
  throw std::invalid_argument("model: tiny, small, 1b or 8b expected");
}

/// A few layers of attention and MLP: enough of a model for a backend to compile what it compiles for one.
class Layers {
 public:
  Layers(const Preset& preset, at::ScalarType type, const c10::Device& device, std::uint64_t seed) : preset_(preset) {
    for (std::int64_t i = 0; i < preset.layers; ++i) {
      const auto weight = [&](std::int64_t rows, std::int64_t columns) {
        const double scale = 1 / std::sqrt(static_cast<double>(columns));
        return (gaussian({rows, columns}, ++seed) * scale).to(type).to(device);
      };
      layers_.push_back({weight(3 * preset.hidden, preset.hidden), weight(preset.hidden, preset.hidden),
                         weight(preset.inner, preset.hidden), weight(preset.hidden, preset.inner)});
    }
  }

  at::Tensor forward(at::Tensor x) const {
    for (const Layer& layer : layers_) {
      x = x + at::linear(attend(at::linear(normal(x), layer.qkv)), layer.out);
      x = x + at::linear(at::silu(at::linear(normal(x), layer.up)), layer.down);
    }
    return x;
  }

 private:
  struct Layer {
    at::Tensor qkv, out, up, down;
  };
  at::Tensor normal(const at::Tensor& x) const { return at::layer_norm(x, {preset_.hidden}); }

  at::Tensor attend(const at::Tensor& qkv) const {
    const std::int64_t length = qkv.size(1);
    const auto parts = qkv.view({1, length, 3, preset_.heads, preset_.hidden / preset_.heads}).permute({2, 0, 3, 1, 4});
    const at::Tensor seen = scaled_dot_product(parts[0], parts[1], parts[2]);
    return seen.transpose(1, 2).reshape({1, length, preset_.hidden});
  }

  const Preset& preset_;
  std::vector<Layer> layers_;
};

double nanos_of(const Bench& bench, const Layers& layers, const at::Tensor& input) {
  const Instant begin = scoville::now();
  bench.synchronise(layers.forward(input));
  return static_cast<double>((scoville::now() - begin).count());
}

at::Tensor input_of(const Bench& bench, const Preset& preset, std::int64_t length, at::ScalarType type,
                    std::uint64_t more) {
  const at::Tensor drawn = gaussian({1, length, preset.hidden}, bench.seed() + more).to(type).to(bench.device());
  bench.synchronise(drawn);
  return drawn;
}

/// First time at this length, then the median of what follows.
json::object row_at(const Bench& bench, const Layers& layers, const at::Tensor& input, int pass) {
  constexpr int kRepeats = 5;
  const double first = nanos_of(bench, layers, input);
  std::array<double, kRepeats> again{};
  for (double& each : again) each = nanos_of(bench, layers, input);
  std::sort(again.begin(), again.end());
  return {{"pass", pass},
          {"length", input.size(1)},
          {"first_ns", first},
          {"steady_ns", again[kRepeats / 2]},
          {"compilations", nullptr}};
}

}  // namespace

probe::Answer dynamic_shapes(const probe::Question& question, probe::Speaker& speaker) {
  Bench bench(question);
  const Preset& preset = preset_named(question.text("model", "tiny"));
  const at::ScalarType type = type_of(precision_named(question.text("dtype", "fp32")));
  const std::vector<std::int64_t> lengths = sizes_in(question, "lengths", {});
  if (lengths.empty()) throw std::invalid_argument("lengths: a list of whole numbers expected");
  const Layers layers(preset, type, bench.device(), bench.seed());
  std::int64_t warm = 1;  // a length that is not asked about: libraries load, threads start
  while (std::find(lengths.begin(), lengths.end(), warm) != lengths.end()) ++warm;
  row_at(bench, layers, input_of(bench, preset, warm, type, 0), 0);
  const double passes = question.number("passes", 2);
  if (!(passes >= 1 && passes <= 100)) throw std::invalid_argument("passes: a number between 1 and 100 expected");
  for (int pass = 1; pass <= passes; ++pass) {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const std::size_t done = static_cast<std::size_t>(pass - 1) * lengths.size() + i;
      speaker.progress(done, static_cast<std::size_t>(passes) * lengths.size(), "length " + std::to_string(lengths[i]));
      speaker.row(row_at(bench, layers, input_of(bench, preset, lengths[i], type, 100 * done), pass));
    }
  }
  return json::object{{"device", bench.device().str()}, {"model", preset.name}, {"threads", bench.threads()}};
}

}  // namespace scoville::torch_probe

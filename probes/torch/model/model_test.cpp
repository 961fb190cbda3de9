#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "model/engine.hpp"
#include "model/transformer.hpp"
#include "torch_test.hpp"

namespace scoville::torch_probe::model {
namespace {

const c10::Device kCpu(c10::DeviceType::CPU);

at::Tensor numbers(std::vector<double> values, at::IntArrayRef shape) {
  return at::tensor(values, at::TensorOptions(at::kDouble)).view(shape);
}

at::Tensor ids_of(const std::vector<std::int64_t>& ids) {
  return at::tensor(ids, at::TensorOptions(at::kLong)).view({1, static_cast<std::int64_t>(ids.size())});
}

double furthest(const at::Tensor& a, const at::Tensor& b) { return (a - b).abs().max().item<double>(); }

Config small_config() {
  Config made = preset("tiny").value();
  made.vocab = 50, made.hidden = 16, made.layers = 2, made.heads = 4, made.kv_heads = 2, made.head_dim = 4,
  made.intermediate = 24;
  made.eos.clear();
  return made;
}

TEST_CASE("RMSNorm divides by the root of the mean square") {
  // Of (3, 4): √12.5 = 3.5355339; weights 1 and 2.
  const at::Tensor normed = rms_norm(numbers({3, 4}, {1, 2}), numbers({1, 2}, {2}), 0);
  CHECK(normed[0][0].item<double>() == doctest::Approx(0.84852814).epsilon(1e-8));
  CHECK(normed[0][1].item<double>() == doctest::Approx(2.26274170).epsilon(1e-8));
}

TEST_CASE("a rotation turns element i with element i + d/2 by position · theta^(−2i/d)") {
  Config config = small_config();  // d = 4, theta 10000: frequencies 1 and 0.01
  const Step step = prepare_step(config, at::full({1, 1}, 3, at::TensorOptions(at::kLong)), kCpu, at::kDouble);
  const at::Tensor turned = rotate(numbers({1, 2, 3, 4}, {1, 1, 1, 4}), step.cos, step.sin).view({4});
  CHECK(turned[0].item<double>() == doctest::Approx(1 * std::cos(3.0) - 3 * std::sin(3.0)));
  CHECK(turned[2].item<double>() == doctest::Approx(3 * std::cos(3.0) + 1 * std::sin(3.0)));
  CHECK(turned[1].item<double>() == doctest::Approx(2 * std::cos(0.03) - 4 * std::sin(0.03)));
}

TEST_CASE("Llama 3's scaling leaves fast rotations, divides slow ones, blends between") {
  Config config = preset("8b").value();
  const at::Tensor scaled = rope_frequencies(config);
  config.rope_scaling.reset();
  const at::Tensor plain = rope_frequencies(config);
  CHECK(scaled[0].item<double>() == 1.0);                                             // 1304 turns in 8192 places
  CHECK(scaled[63].item<double>() == doctest::Approx(plain[63].item<double>() / 8));  // less than one turn
  // Element 32: 500000^-0.5 = 0.00141421; turns 8192 · f / 2π = 1.84383; smooth (1.84383 − 1) / 3 = 0.281277.
  CHECK(scaled[32].item<double>() == doctest::Approx(0.00141421356 * (0.281277 + 0.718723 / 8)).epsilon(1e-5));
}

/// Attention by loops: out of queries, keys, values as they lie, each [heads][tokens][d].
double naive_attention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t head,
                       std::int64_t token, std::int64_t element) {
  const std::int64_t d = q.size(-1), kv = head / (q.size(1) / k.size(1));
  double total = 0, sum = 0;
  for (std::int64_t t = 0; t <= token; ++t) {
    double dot = 0;
    for (std::int64_t i = 0; i < d; ++i) dot += q[0][head][token][i].item<double>() * k[0][kv][t][i].item<double>();
    const double weight = std::exp(dot / std::sqrt(static_cast<double>(d)));
    total += weight;
    sum += weight * v[0][kv][t][element].item<double>();
  }
  return sum / total;
}

TEST_CASE("grouped-query attention is what loops over its definition give") {
  const Config config = small_config();
  Transformer model(config, kCpu, at::kDouble, 5);
  const LayerWeights& w = model.weights_of(0);
  const std::int64_t tokens = 3;
  const at::Tensor x = seeded_weights(config, 9)->get("x", {1, tokens, config.hidden}).to(at::kDouble) * 50;
  const Step step = model.step(at::arange(tokens, at::TensorOptions(at::kLong)).view({1, tokens}));
  const at::Tensor joint = at::linear(x, w.qkv).view({1, tokens, 8, 4}).transpose(1, 2);
  const at::Tensor q = rotate(joint.narrow(1, 0, 4), step.cos, step.sin);
  const at::Tensor k = rotate(joint.narrow(1, 4, 2), step.cos, step.sin), v = joint.narrow(1, 6, 2);
  at::Tensor seen = at::empty({1, tokens, 16}, at::kDouble);
  for (std::int64_t i = 0; i < 16; ++i) {
    for (std::int64_t t = 0; t < tokens; ++t) seen[0][t][i] = naive_attention(q, k, v, i / 4, t, i % 4);
  }
  CHECK(furthest(attention(config, w, 0, x, step), at::linear(seen, w.output)) < 1e-12);
}

TEST_CASE("SwiGLU is down(silu(gate) · up)") {
  LayerWeights w;
  w.gate_up = numbers({1, 0, 0, 1}, {2, 2});  // gate = x0, up = x1
  w.down = numbers({2}, {1, 1});
  const double silu = 1.5 / (1 + std::exp(-1.5));
  CHECK(mlp(w, numbers({1.5, 4}, {1, 2})).item<double>() == doctest::Approx(2 * silu * 4));
}

TEST_CASE("seeded weights are these, on any machine") {
  const Config config = preset("tiny").value();
  const auto source = seeded_weights(config, 1);
  const at::Tensor w = source->get("model.layers.0.mlp.up_proj.weight", {384, 128});
  CHECK(w.std().item<double>() == doctest::Approx(0.02).epsilon(0.02));
  CHECK(std::abs(w.mean().item<double>()) < 5 * 0.02 / std::sqrt(384.0 * 128));
  const at::Tensor o = source->get("model.layers.0.self_attn.o_proj.weight", {128, 128});
  CHECK(o.std().item<double>() == doctest::Approx(0.02 / std::sqrt(8.0)).epsilon(0.03));
  CHECK(source->get("model.norm.weight", {4}).equal(at::ones({4})));
  CHECK_FALSE(source->get("a.weight", {8}).equal(source->get("b.weight", {8})));
  CHECK_FALSE(source->get("a.weight", {8}).equal(seeded_weights(config, 2)->get("a.weight", {8})));
  CHECK(source->sha256() != seeded_weights(config, 2)->sha256());
  // Worked out by an independent program (Python's whole numbers).
  const at::Tensor first = source->get("model.embed_tokens.weight", {320, 128}).view({-1});
  CHECK(first[0].item<float>() == 0.007936099544167519f);
  CHECK(first[1].item<float>() == -0.01340531650930643f);
}

TEST_CASE("decoding with the cache gives what the whole sequence gives") {
  Transformer model(preset("tiny").value(), kCpu, at::kFloat, 3);
  const std::vector<std::int64_t> ids{256, 72, 101, 108, 108, 111, 33, 10};
  const at::Tensor whole = model.forward(ids_of(ids));
  const KvCache cache(model.config(), 3, 100, kCpu, at::kFloat);
  const auto long_ints = at::TensorOptions(at::kLong);
  // Three at once, then one by one, in slot 2 of three.
  at::Tensor seen =
      model.head(model.hidden_states(ids_of({256, 72, 101}), at::arange(3, long_ints).view({1, 3}), {&cache, 2}));
  CHECK(furthest(seen, whole.narrow(1, 0, 3)) < 1e-4);
  for (std::int64_t i = 3; i < 8; ++i) {
    seen = model.head(
        model.hidden_states(ids_of({ids[static_cast<std::size_t>(i)]}), at::full({1, 1}, i, long_ints), {&cache, 2}));
    CHECK(furthest(seen, whole.narrow(1, i, 1)) < 1e-4);
  }
}

TEST_CASE("one layer at a time is the same model") {
  const Config config = preset("tiny").value();
  Transformer all(config, kCpu, at::kFloat, 3), one(config, kCpu, at::kFloat, 3, Transformer::Residence::one_layer);
  CHECK(all.forward(ids_of({1, 2, 3})).equal(one.forward(ids_of({1, 2, 3}))));
}

TEST_CASE("hooks see every part in order and may change it; an edit changes a layer's weights") {
  const Config config = preset("tiny").value();
  Transformer model(config, kCpu, at::kFloat, 3);
  const at::Tensor plain = model.forward(ids_of({1, 2, 3}));
  std::vector<std::string> parts;
  model.set_hook([&](const std::string& part, at::Tensor value) {
    parts.push_back(part);
    return part == "layer.1" ? value.to(at::kBFloat16).to(at::kFloat) : value;
  });
  CHECK(furthest(model.forward(ids_of({1, 2, 3})), plain) > 0);
  CHECK(parts == std::vector<std::string>{"embed", "layer.0", "layer.1", "layer.2", "layer.3", "logits"});
  Transformer edited(config, kCpu, at::kFloat, 3, Transformer::Residence::all, [](std::int64_t layer, LayerWeights& w) {
    if (layer == 2) w.down = w.down * 2;
  });
  CHECK(furthest(edited.forward(ids_of({1, 2, 3})), plain) > 0);
}

TEST_CASE("bf16 stays near fp32") {
  const Config config = preset("tiny").value();
  Transformer high(config, kCpu, at::kFloat, 3), low(config, kCpu, at::kBFloat16, 3);
  const at::Tensor a = high.forward(ids_of({1, 2, 3, 4})), b = low.forward(ids_of({1, 2, 3, 4})).to(at::kFloat);
  CHECK((a - b).norm().item<double>() / a.norm().item<double>() < 0.03);
  CHECK((a - b).norm().item<double>() > 0);
}

/// Collects what an engine tells.
struct Heard final : EngineSink {
  std::map<std::uint64_t, std::vector<std::int64_t>> tokens;
  std::map<std::uint64_t, std::string> how;
  void token(std::uint64_t id, const TokenMade& made) override { tokens[id].push_back(made.token); }
  void ended(std::uint64_t id, const char* why, const std::string&, std::int64_t, std::int64_t made) override {
    how[id] = why;
    CHECK(made == static_cast<std::int64_t>(tokens[id].size()));
  }
  void flush() override {}
};

Generate request(std::uint64_t id, std::int64_t tokens, std::int64_t prompt) {
  Generate made;
  made.id = id;
  made.max_tokens = tokens;
  made.ignore_eos = true;
  for (std::int64_t i = 0; i < prompt; ++i)
    made.prompt.push_back(32 + (i * 7 + static_cast<std::int64_t>(id) * 13) % 90);
  return made;
}

TEST_CASE("a request's tokens do not depend on what else is decoded, nor on how its prompt is cut") {
  Transformer model(preset("tiny").value(), kCpu, at::kFloat, 3);
  const auto tokenizer = byte_tokenizer();
  const auto run = [&](const EngineLimits& limits, const std::vector<Generate>& requests, bool one_by_one) {
    Heard heard;
    Engine engine(model, *tokenizer, limits, heard);
    for (const Generate& each : requests) {
      engine.submit(each);
      while (one_by_one && !engine.is_idle()) engine.step();
    }
    while (!engine.is_idle()) engine.step();
    return heard;
  };
  std::vector<Generate> requests;
  for (std::uint64_t id = 0; id < 7; ++id)
    requests.push_back(
        request(id, 3 + static_cast<std::int64_t>(id * 5 % 11), 5 + static_cast<std::int64_t>(id * 17 % 40)));
  requests[3].sampling = {0.8, 0.9, 42};
  const Heard alone = run({1, 128, 512}, requests, true), together = run({3, 128, 512}, requests, false);
  const Heard in_pieces = run({4, 128, 9}, requests, false);
  CHECK(alone.tokens == together.tokens);
  CHECK(alone.tokens == in_pieces.tokens);
  CHECK(alone.tokens.at(2).size() == 13);
  CHECK(alone.how.at(2) == "length");
}

TEST_CASE("a cancelled request ends, the others go on, and its slot serves the next") {
  Transformer model(preset("tiny").value(), kCpu, at::kFloat, 3);
  const auto tokenizer = byte_tokenizer();
  Heard heard;
  Engine engine(model, *tokenizer, {2, 128, 512}, heard);
  for (std::uint64_t id = 0; id < 3; ++id) engine.submit(request(id, 20, 10));
  for (int i = 0; i < 3; ++i) engine.step();
  CHECK(engine.waiting() == 1);
  engine.cancel(0);
  engine.cancel(99);
  while (!engine.is_idle()) engine.step();
  CHECK(heard.how == std::map<std::uint64_t, std::string>{{0, "cancelled"}, {1, "length"}, {2, "length"}});
  CHECK(heard.tokens.at(2).size() == 20);
}

TEST_CASE("an answer ends with the context") {
  Transformer model(preset("tiny").value(), kCpu, at::kFloat, 3);
  const auto tokenizer = byte_tokenizer();
  Heard heard;
  Engine engine(model, *tokenizer, {1, 30, 512}, heard);
  engine.submit(request(0, 0, 10));
  while (!engine.is_idle()) engine.step();
  CHECK(heard.tokens.at(0).size() == 20);
}

}  // namespace
}  // namespace scoville::torch_probe::model

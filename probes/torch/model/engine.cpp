#include "model/engine.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace scoville::torch_probe::model {
namespace {

at::Tensor whole_numbers(const std::vector<std::int64_t>& values, at::IntArrayRef shape) {
  return at::tensor(values, at::TensorOptions(at::kLong)).view(shape);
}

/// The `count` likeliest tokens and their log-probabilities.
std::vector<std::pair<std::int64_t, float>> likeliest(const at::Tensor& logits, std::int64_t count) {
  std::vector<std::pair<std::int64_t, float>> made;
  if (count == 0) return made;
  const at::Tensor logs = at::log_softmax(logits.flatten(), -1);
  const auto [values, places] = logs.topk(std::min(count, logs.numel()));
  for (std::int64_t i = 0; i < values.numel(); ++i) {
    made.emplace_back(places[i].item<std::int64_t>(), values[i].item<float>());
  }
  return made;
}

}  // namespace

Engine::Engine(Transformer& model, const Tokenizer& tokenizer, const EngineLimits& limits, EngineSink& sink)
    : model_(model),
      tokenizer_(tokenizer),
      limits_(limits),
      sink_(sink),
      cache_(model.config(), limits.max_batch, limits.context, model.device(), model.dtype()),
      allowed_(tokenizer.answers()),
      eos_(model.config().eos) {
  if (!allowed_.empty()) allowed_.insert(allowed_.end(), eos_.begin(), eos_.end());
}

void Engine::submit(Generate request) { waiting_.push_back(std::move(request)); }

void Engine::cancel(std::uint64_t id) {
  const auto waits =
      std::find_if(waiting_.begin(), waiting_.end(), [&](const Generate& each) { return each.id == id; });
  if (waits != waiting_.end()) {
    sink_.ended(id, "cancelled", "", static_cast<std::int64_t>(waits->prompt.size()), 0);
    waiting_.erase(waits);
    return;
  }
  for (const auto& each : running_) {
    if (each->request.id == id) end(*each, "cancelled");
  }
  drop_ended();
}

void Engine::step() {
  const at::NoGradGuard no_grad;
  admit();
  prefill();
  sink_.flush();
  decode();
  sink_.flush();
}

/// Requests that decode. They stand before those that still read.
std::int64_t Engine::decoding() const {
  return std::count_if(running_.begin(), running_.end(), [](const auto& each) { return each->made > 0; });
}

std::int64_t Engine::free_slot() const {
  std::int64_t slot = 0;
  const auto is_taken = [&](const auto& each) { return each->slot == slot; };
  while (std::any_of(running_.begin(), running_.end(), is_taken)) ++slot;
  return slot;
}

void Engine::admit() {
  while (!waiting_.empty() && static_cast<std::int64_t>(running_.size()) < limits_.max_batch) {
    Generate request = std::move(waiting_.front());
    waiting_.pop_front();
    const std::int64_t room = limits_.context - static_cast<std::int64_t>(request.prompt.size());
    auto made = std::make_unique<Sequence>(Sequence{{}, Sampler(request.sampling, allowed_), {}});
    made->slot = free_slot();
    made->limit = request.max_tokens > 0 ? std::min(request.max_tokens, room) : room;
    made->request = std::move(request);
    running_.push_back(std::move(made));
  }
}

/// The oldest prompt first; what is left of the budget goes to the next.
void Engine::prefill() {
  std::int64_t budget = limits_.prefill_tokens;
  for (std::size_t i = static_cast<std::size_t>(decoding()); i < running_.size() && budget > 0; ++i) {
    budget -= read_piece(*running_[i], budget);
  }
  drop_ended();
}

/// Reads up to `budget` tokens of a prompt; the last of them brings the first token of the answer. Returns how many.
std::int64_t Engine::read_piece(Sequence& sequence, std::int64_t budget) {
  const std::vector<std::int64_t>& prompt = sequence.request.prompt;
  const std::int64_t left = static_cast<std::int64_t>(prompt.size()) - sequence.read, count = std::min(left, budget);
  const auto begin = prompt.begin() + sequence.read;
  const at::Tensor ids = whole_numbers({begin, begin + count}, {1, count});
  const at::Tensor positions =
      at::arange(sequence.read, sequence.read + count, at::TensorOptions(at::kLong)).view({1, count});
  const at::Tensor hidden = model_.hidden_states(ids, positions, {&cache_, sequence.slot});
  sequence.read += count;
  if (count == left) take(sequence, model_.head(hidden.narrow(1, count - 1, 1)).to(at::kCPU, at::kFloat));
  return count;
}

void Engine::decode() {
  const std::int64_t rows = decoding();
  if (rows == 0) return;
  std::vector<std::int64_t> ids, positions;
  for (std::int64_t i = 0; i < rows; ++i) {
    ids.push_back(running_[static_cast<std::size_t>(i)]->last);
    positions.push_back(running_[static_cast<std::size_t>(i)]->read);
  }
  const at::Tensor hidden =
      model_.hidden_states(whole_numbers(ids, {rows, 1}), whole_numbers(positions, {rows, 1}), {&cache_, 0});
  const at::Tensor logits = model_.head(hidden).to(at::kCPU, at::kFloat).contiguous();
  for (std::int64_t i = 0; i < rows; ++i) {
    Sequence& each = *running_[static_cast<std::size_t>(i)];
    ++each.read;
    take(each, logits[i]);
  }
  drop_ended();
}

/// The next token of an answer, from its logits.
void Engine::take(Sequence& sequence, const at::Tensor& logits) {
  const std::span<const float> values(logits.data_ptr<float>(), static_cast<std::size_t>(logits.numel()));
  const std::span<const std::int64_t> forbidden =
      sequence.request.ignore_eos ? std::span<const std::int64_t>(eos_) : std::span<const std::int64_t>();
  const std::int64_t token = sequence.sampler.choose(values, forbidden, static_cast<std::uint64_t>(sequence.made));
  if (std::find(eos_.begin(), eos_.end(), token) != eos_.end()) return end(sequence, "stop");
  ++sequence.made;
  sequence.last = token;
  sink_.token(sequence.request.id,
              {token, sequence.cutter.push(tokenizer_.bytes_of(token)), likeliest(logits, sequence.request.top)});
  if (sequence.made == sequence.limit) end(sequence, "length");
}

void Engine::end(Sequence& sequence, const char* how) {
  sequence.is_over = true;
  sink_.ended(sequence.request.id, how, sequence.cutter.rest(),
              static_cast<std::int64_t>(sequence.request.prompt.size()), sequence.made);
}

/// Closes the gaps: decoding requests take the first slots, one after the other.
void Engine::drop_ended() {
  std::erase_if(running_, [](const auto& each) { return each->is_over; });
  std::stable_partition(running_.begin(), running_.end(), [](const auto& each) { return each->made > 0; });
  const std::int64_t rows = decoding();
  for (std::int64_t place = 0; place < rows; ++place) {
    Sequence& here = *running_[static_cast<std::size_t>(place)];
    if (here.slot == place) continue;
    // A request that still reads its prompt may lie there.
    const auto holder =
        std::find_if(running_.begin(), running_.end(), [&](const auto& each) { return each->slot == place; });
    if (holder == running_.end()) {
      cache_.copy(here.slot, place, here.read);
    } else {
      cache_.swap(here.slot, place, std::max(here.read, (*holder)->read));
      (*holder)->slot = here.slot;
    }
    here.slot = place;
  }
}

}  // namespace scoville::torch_probe::model

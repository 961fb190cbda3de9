#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/kv_cache.hpp"
#include "model/sampler.hpp"
#include "model/tokenizer.hpp"
#include "model/transformer.hpp"

namespace scoville::torch_probe::model {

/// One request for text.
struct Generate {
  std::uint64_t id = 0;
  std::vector<std::int64_t> prompt;
  std::int64_t max_tokens = 0;  ///< 0: as many as the context has room for
  Sampling sampling;
  bool ignore_eos = false;
  std::int64_t top = 0;  ///< log-probabilities of so many likeliest tokens are told with each
};

struct TokenMade {
  std::int64_t token = 0;
  std::string text;                                 ///< may be empty: a part of a character
  std::vector<std::pair<std::int64_t, float>> top;  ///< the likeliest first, before temperature and top_p
};

/// Told what happens to requests, in the thread that steps.
class EngineSink {
 public:
  virtual ~EngineSink() = default;
  virtual void token(std::uint64_t id, const TokenMade& made) = 0;
  /// `how`: "stop", "length", "cancelled". `text`: what was left of a character.
  virtual void ended(std::uint64_t id, const char* how, const std::string& text, std::int64_t prompt_tokens,
                     std::int64_t completion_tokens) = 0;
  /// What was told so far should not wait for the rest of the step.
  virtual void flush() = 0;
};

struct EngineLimits {
  std::int64_t max_batch = 8;
  std::int64_t context = 2048;
  std::int64_t prefill_tokens = 512;  ///< of prompts in one step, so that answers under way are not kept waiting
};

/// Decodes many requests at once (continuous batching).
///
/// A request waits → reads its prompt in pieces → decodes → has ended. Each step reads at most `prefill_tokens` of
/// prompts and then makes one token of every request that decodes, all in one pass. Decoding requests lie in the
/// cache's first slots without gaps: where one ends, the last takes its slot. The cache is all the memory that grows
/// with requests, and it is taken beforehand: what has no slot waits.
class Engine {
 public:
  Engine(Transformer& model, const Tokenizer& tokenizer, const EngineLimits& limits, EngineSink& sink);

  const EngineLimits& limits() const { return limits_; }
  /// Precondition: prompt of 1 … context − 1 tokens, each below the vocabulary.
  void submit(Generate request);
  /// Nothing happens where it has ended.
  void cancel(std::uint64_t id);

  bool is_idle() const { return waiting_.empty() && running_.empty(); }
  std::size_t waiting() const { return waiting_.size(); }
  /// What a device throws comes through: no request can go on then.
  void step();

 private:
  struct Sequence {
    Generate request;
    Sampler sampler;
    TextCutter cutter;
    std::int64_t slot = 0, read = 0;  ///< tokens in the cache
    std::int64_t limit = 0, made = 0, last = 0;
    bool is_over = false;
  };

  void admit();
  void prefill();
  std::int64_t read_piece(Sequence& sequence, std::int64_t budget);
  void decode();
  void take(Sequence& sequence, const at::Tensor& logits);
  void end(Sequence& sequence, const char* how);
  void drop_ended();
  std::int64_t free_slot() const;
  std::int64_t decoding() const;

  Transformer& model_;
  const Tokenizer& tokenizer_;
  EngineLimits limits_;
  EngineSink& sink_;
  KvCache cache_;
  std::vector<std::int64_t> allowed_, eos_;
  std::deque<Generate> waiting_;
  std::vector<std::unique_ptr<Sequence>> running_;  ///< decoding ones by slot, then those that read their prompt
};

}  // namespace scoville::torch_probe::model

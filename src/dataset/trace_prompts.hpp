#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dataset/length_solver.hpp"
#include "dataset/prompt_source.hpp"
#include "dataset/token_counter.hpp"
#include "dataset/warning.hpp"
#include "dataset/word_stream.hpp"
#include "dataset/workload.hpp"

namespace scoville::dataset {

struct TraceOptions {
  std::string name;          ///< of the file, for messages
  text::Phrase description;  ///< what describe() says
  Api api = Api::chat;
  std::uint64_t seed = 0;     ///< of the words: equal seeds, equal workloads
  std::uint64_t salt = 0;     ///< of this run: another one each time
  bool is_generated = false;  ///< no file that begins anew: its blocks stay the same, and there is no end
};

/// Words for a workload that has lengths alone, each prompt as long as asked to the token.
///
/// "The", then the words of its blocks, drawn by the block's number: equal numbers are equal text, so a prefix cache
/// finds within the run what it would have found in the recorded traffic. Only the first eight words of a prompt are
/// drawn by the run's salt (and the first block's number), so nothing is found from an earlier run. What the blocks
/// leave is drawn for each request alone. Template and BOS count as part of the first block.
///
/// A file that is used up begins anew with other block numbers: what the second pass shares, it shares with itself.
///
/// Thread-safe; a prompt of 8,000 tokens costs a few µs.
class TracePrompts : public PromptSource {
 public:
  static constexpr std::size_t kSaltWords = 8;

  /// `workload` has one chain at least, each with one turn at least.
  TracePrompts(LengthModel model, Workload workload, TraceOptions options);

  Prompt make(std::uint64_t index) const override;
  Chain chain(std::uint64_t number) const override;
  /// History and one more user message, as OpenAI's messages or as a plain text by the API. Its length in all is not
  /// known before it is sent: the answers in it are the server's.
  Prompt follow_up(std::uint64_t number, std::span<const std::string> answers) const override;
  Nanos think_time(std::uint64_t number, std::uint32_t turn) const override;
  std::optional<Nanos> recorded_at(std::uint64_t number) const override;
  std::optional<std::uint64_t> size() const override;
  /// Some chain has blocks, or a turn that repeats the ones before.
  bool shares_prefixes() const override;

  text::Phrase describe() const override { return options_.description; }
  /// Of lengths, times, blocks, seed and built-in word list; not of the tokenizer's offset and the salt.
  std::uint64_t dataset_hash() const override { return hash_; }
  void set_salt(std::uint64_t salt) override { options_.salt = salt; }

  /// In tokens: template, BOS, first word and salt. A shorter row gets this many.
  std::uint32_t smallest_prompt() const { return smallest_; }
  /// Codes: prompts_lengthened, rows_sorted.
  std::vector<Warning> warnings() const;

 private:
  /// Chain `at` of the workload, in its n-th pass from 0.
  struct Place {
    std::uint64_t pass = 0;
    std::size_t at = 0;
  };
  Place place_of_chain(std::uint64_t number) const;
  Place place_of_request(std::uint64_t index) const;
  std::uint64_t first_request(const Place& place) const;
  std::size_t words_of(const WorkloadChain& chain) const;
  std::size_t words_until(std::uint64_t tokens, std::size_t most) const;
  std::string first_text(const Place& place, std::uint64_t& hash) const;
  std::string later_text(const Place& place, std::size_t turn) const;
  void append_part(std::string& text, std::uint64_t salt_stream, std::uint64_t stream, std::uint64_t key,
                   std::size_t begin, std::size_t end) const;
  std::uint64_t hash_of_workload() const;

  LengthModel model_;
  Workload workload_;
  TraceOptions options_;
  WordStream words_;
  std::uint32_t smallest_;
  std::vector<std::uint64_t> firsts_;  ///< of each chain its first request, and one end
  bool has_times_;
  std::uint64_t hash_;
};

}  // namespace scoville::dataset

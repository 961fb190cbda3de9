#include "workload/learn.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/catalogue.hpp"
#include "workload/prefixes.hpp"
#include "workload/turns.hpp"

namespace scoville::workload {
namespace {

using text::Msg;
using text::say;

void note_bad(Learned& learned, const std::string& file, const dataset::BadLine& line) {
  if (learned.bad++ > 0) return;
  learned.first_bad_file = file;
  learned.first_bad = line;
}

bool has_whole_seconds(const std::vector<LoggedRequest>& rows) {
  return rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [](const LoggedRequest& each) {
           return each.at && each.at->count() % 1'000'000'000 == 0;
         });
}

/// All rows in the order of their times, or as the files have them where no line has one.
std::vector<LoggedRequest> gather(std::vector<SourceFile>& files, Learned& learned) {
  std::vector<LoggedRequest> rows;
  std::uint32_t block_chars = 0;
  for (const SourceFile& file : files) {
    for (const LoggedRequest& each : file.log.rows) learned.has_times = learned.has_times || each.at.has_value();
    if (block_chars == 0) block_chars = file.log.block_chars;
  }
  for (SourceFile& file : files) {
    learned.skipped += file.log.skipped;
    learned.has_coarse_times = learned.has_coarse_times || file.log.has_coarse_times;
    for (const auto& each : file.log.bad) note_bad(learned, file.name, each);
    for (LoggedRequest& each : file.log.rows) {
      if (each.failure == "stale_connection") {
        ++learned.stale;
      } else if (learned.has_times && !each.at) {
        note_bad(learned, file.name, {each.line, {}, say(Msg::log_no_time)});
      } else {
        if (each.prompt && file.log.block_chars != block_chars) each.prompt->prefix_hashes.clear();
        rows.push_back(std::move(each));
      }
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.at && a.at < b.at; });
  learned.has_coarse_times = learned.has_coarse_times || has_whole_seconds(rows);
  learned.workload.block_tokens = block_chars;  // characters, until their tokens are known
  return rows;
}

/// What a server counted, before estimates are filled in.
struct Counted {
  bool input = false, output = false;
};

/// Makes the turns of one chain.
class TurnMaker {
 public:
  TurnMaker(const std::vector<LoggedRequest>& rows, const std::vector<Counted>& counted, Learned& learned)
      : rows_(rows), counted_(counted), learned_(learned) {}

  dataset::WorkloadTurn first(std::size_t i) const { return {{}, *rows_[i].input_tokens, *rows_[i].output_tokens}; }

  dataset::WorkloadTurn later(std::size_t before, std::size_t i) {
    return {think(before, i), added(before, i), *rows_[i].output_tokens};
  }

 private:
  std::uint32_t added(std::size_t before, std::size_t i) {
    const LoggedRequest &earlier = rows_[before], &later = rows_[i];
    const std::int64_t left = std::int64_t{*later.input_tokens} - *earlier.input_tokens - *earlier.output_tokens;
    if (left > 0 && counted_[i].input && counted_[before].input && counted_[before].output) {
      return static_cast<std::uint32_t>(left);
    }
    ++learned_.estimated_added;
    const double chars = new_chars(earlier, later);
    if (chars > 0) return static_cast<std::uint32_t>(std::max(1.0, std::round(chars * learned_.ratio.value)));
    return static_cast<std::uint32_t>(std::max<std::int64_t>(left, 1));
  }

  /// Of the messages behind the history and the answer.
  static double new_chars(const LoggedRequest& earlier, const LoggedRequest& later) {
    if (!earlier.prompt || !later.prompt) return 0;
    double chars = 0;
    const auto& lengths = later.prompt->message_chars;
    for (std::size_t i = earlier.prompt->message_chars.size() + 1; i < lengths.size(); ++i) chars += lengths[i];
    return chars;
  }

  Nanos think(std::size_t before, std::size_t i) {
    const LoggedRequest &earlier = rows_[before], &later = rows_[i];
    if (!earlier.at || !later.at) return {};
    if (!earlier.e2e) ++learned_.estimated_think;
    return std::max(Nanos::zero(), *later.at - *earlier.at - earlier.e2e.value_or(Nanos::zero()));
  }

  const std::vector<LoggedRequest>& rows_;
  const std::vector<Counted>& counted_;
  Learned& learned_;
};

void make_chains(const std::vector<LoggedRequest>& rows, const std::vector<Chain>& chains,
                 const std::vector<Counted>& counted, Learned& learned) {
  TurnMaker maker(rows, counted, learned);
  for (const Chain& each : chains) {
    const LoggedRequest& first = rows[each.front()];
    dataset::WorkloadChain chain;
    if (first.at) chain.at = *first.at - *rows.front().at;
    if (learned.models.size() > 1) chain.model = first.model;  // else any server's model will do
    chain.line = first.line;
    chain.turns.push_back(maker.first(each.front()));
    for (std::size_t i = 1; i < each.size(); ++i) chain.turns.push_back(maker.later(each[i - 1], each[i]));
    learned.conversations += each.size() > 1;
    learned.workload.chains.push_back(std::move(chain));
  }
}

/// Blocks of each chain's first prompt. A prompt holds no more of them than its tokens make.
void number_blocks(const std::vector<LoggedRequest>& rows, const std::vector<Chain>& chains, Learned& learned) {
  dataset::Workload& workload = learned.workload;
  std::vector<std::vector<std::uint64_t>> prompts;
  for (const Chain& each : chains) {
    const auto& prompt = rows[each.front()].prompt;
    prompts.push_back(prompt ? prompt->prefix_hashes : std::vector<std::uint64_t>());
    learned.has_prompts = learned.has_prompts || (prompt && prompt->chars > 0);
  }
  const double tokens = std::round(workload.block_tokens * learned.ratio.value);
  workload.block_tokens = workload.block_tokens == 0 ? 512 : static_cast<std::uint32_t>(std::max(1.0, tokens));
  auto blocks = shared_blocks(prompts);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    dataset::WorkloadChain& chain = workload.chains[i];
    const std::size_t room = chain.turns.front().input_tokens / workload.block_tokens;
    if (blocks[i].size() > room) blocks[i].resize(room);
    for (const std::uint64_t each : blocks[i]) learned.distinct_blocks = std::max(learned.distinct_blocks, each);
    learned.sharing_chains += !blocks[i].empty();
    learned.shared_tokens += blocks[i].size() * workload.block_tokens;
    chain.blocks = std::move(blocks[i]);
  }
}

void measure_sizes(Learned& learned) {
  Sizes& sizes = learned.sizes;
  for (const dataset::WorkloadChain& chain : learned.workload.chains) {
    if (chain.turns.size() > 1) sizes.turns.push_back(static_cast<double>(chain.turns.size()));
    for (std::size_t i = 0; i < chain.turns.size(); ++i) {
      const dataset::WorkloadTurn& turn = chain.turns[i];
      (i == 0 ? sizes.first_input : sizes.added_input).push_back(turn.input_tokens);
      sizes.output.push_back(turn.output_tokens);
      if (i > 0) sizes.think_s.push_back(to_seconds(turn.think));
    }
  }
  for (auto* each : {&sizes.first_input, &sizes.added_input, &sizes.output, &sizes.turns, &sizes.think_s}) {
    std::sort(each->begin(), each->end());
  }
}

}  // namespace

Learned learn(std::vector<SourceFile> files, const LearnOptions& options) {
  Learned learned;
  learned.assumed_input = options.assumed_input;
  std::vector<LoggedRequest> rows = gather(files, learned);
  std::vector<Counted> counted;
  std::vector<Nanos> times;
  for (const LoggedRequest& each : rows) {
    counted.push_back({each.input_tokens.has_value(), each.output_tokens.has_value()});
    if (each.at) times.push_back(*each.at);
    learned.failed += each.has_failed();
    ++learned.models[each.model];
  }
  learned.requests = rows.size();
  learned.arrivals = describe_arrivals(times);
  const std::vector<Chain> chains = find_chains(rows);
  learned.ratio = tokens_per_char(rows, options.tokens_per_char);
  learned.doubts = fill_lengths(rows, learned.ratio, options.assumed_input);
  make_chains(rows, chains, counted, learned);
  times.clear();
  for (const auto& each : learned.workload.chains) {
    if (each.at) times.push_back(*each.at);
  }
  learned.starts = describe_arrivals(times);
  number_blocks(rows, chains, learned);
  for (const auto& each : learned.workload.chains) learned.input_tokens += each.turns.front().input_tokens;
  measure_sizes(learned);
  return learned;
}

}  // namespace scoville::workload

#include "dataset/dataset.hpp"

#include <filesystem>
#include <type_traits>
#include <utility>

#include "base/file.hpp"
#include "base/rng.hpp"
#include "dataset/image_files.hpp"
#include "dataset/rows_report.hpp"
#include "dataset/traces.hpp"
#include "dataset/workload_file.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

constexpr std::uint64_t kShuffleStream = 0x64617461'0013;

template <class Content>
Status put(Result<Content> parsed, Dataset& dataset) {
  if (!parsed)
    return Error{ErrorCode::invalid_argument, say(Msg::jsonl_unusable, dataset.name, parsed.error().message)};
  dataset.content = std::move(*parsed);
  return Done{};
}

JsonlRows prompts_of(std::string_view content, const std::string& path) {
  JsonlRows rows = parse_jsonl(content);
  take_images(rows, std::filesystem::path(path).parent_path().string());
  return rows;
}

Status parse(std::string_view content, bool is_multi_turn, Dataset& dataset) {
  switch (dataset.format) {
    case Format::batch: {
      Result<BatchPrompts> batch = BatchPrompts::parse(dataset.name, content);
      if (!batch) return batch.error();
      dataset.content = std::move(*batch);
      return Done{};
    }
    case Format::openai:
      if (is_multi_turn) return put(Result<Dialogues>(parse_message_dialogues(content)), dataset);
      [[fallthrough]];
    case Format::custom:
      return put(Result<JsonlRows>(prompts_of(content, dataset.name)), dataset);
    case Format::sharegpt:
      return put(parse_sharegpt(content), dataset);
    case Format::mooncake:
      return put(Result<Workload>(parse_mooncake(content)), dataset);
    case Format::azure:
      return put(parse_azure(content), dataset);
    case Format::burstgpt:
      return put(parse_burstgpt(content), dataset);
    case Format::lengths:
      return put(Result<Workload>(parse_lengths_file(content)), dataset);
    case Format::workload:
      return put(parse_workload_file(content), dataset);
  }
  return Done{};
}

template <class Row>
void shuffle_rows(std::vector<Row>& rows, std::uint64_t seed) {
  Rng rng(seed, kShuffleStream);
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[rng.below(i)]);
}

std::uint64_t tokens_of(const WorkloadChain& chain) {
  std::uint64_t tokens = 0;
  for (const WorkloadTurn& turn : chain.turns) tokens += std::uint64_t{turn.input_tokens} + turn.output_tokens;
  return tokens;
}

}  // namespace

const std::vector<BadLine>& Dataset::bad() const {
  const auto of_rows = [](const auto& rows) -> const std::vector<BadLine>& {
    if constexpr (std::is_same_v<std::decay_t<decltype(rows)>, BatchPrompts>)
      return rows.bad_lines();
    else
      return rows.bad;
  };
  return std::visit(of_rows, content);
}

std::size_t Dataset::rows() const {
  if (const BatchPrompts* requests = batch()) return static_cast<std::size_t>(*requests->size());
  if (const Workload* lengths = workload()) return lengths->chains.size();
  if (const auto* dialogues = std::get_if<Dialogues>(&content)) return dialogues->rows.size();
  return std::get<JsonlRows>(content).rows.size();
}

Result<Dataset> read_dataset(const std::string& path, const ReadOptions& options) {
  Result<std::string> content = read_file(path);
  if (!content) return std::move(content.error());
  return parse_dataset(path, *content, options);
}

Result<Dataset> parse_dataset(std::string name, std::string_view content, const ReadOptions& options) {
  const std::optional<Format> format = options.format ? options.format : detect_format(content);
  if (!format && content.find_first_not_of(" \t\r\n") == std::string_view::npos) return unusable(name, {});
  if (!format) return Error{ErrorCode::invalid_argument, say(Msg::dataset_unknown, name, format_names())};
  Dataset dataset;
  dataset.name = std::move(name);
  dataset.format = *format;
  if (Status parsed = parse(content, options.is_multi_turn, dataset); !parsed) return parsed.error();
  if (dataset.rows() == 0) return unusable(dataset.name, dataset.bad());
  return dataset;
}

void shuffle(Dataset& dataset, std::uint64_t seed) {
  if (auto* workload = std::get_if<Workload>(&dataset.content)) {
    shuffle_rows(workload->chains, seed);
    for (WorkloadChain& chain : workload->chains) chain.at.reset();
  } else if (auto* dialogues = std::get_if<Dialogues>(&dataset.content)) {
    shuffle_rows(dialogues->rows, seed);
  } else if (auto* requests = std::get_if<BatchPrompts>(&dataset.content)) {
    requests->shuffle(seed);
  } else {
    shuffle_rows(std::get<JsonlRows>(dataset.content).rows, seed);
  }
}

std::vector<std::uint64_t> drop_too_long(Workload& workload, std::uint32_t limit) {
  std::vector<std::uint64_t> dropped;
  std::erase_if(workload.chains, [&](const WorkloadChain& chain) {
    const bool is_too_long = tokens_of(chain) > limit;
    if (is_too_long) dropped.push_back(chain.line);
    return is_too_long;
  });
  return dropped;
}

}  // namespace scoville::dataset

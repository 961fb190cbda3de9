#include "evidence/reader.hpp"

#include <filesystem>

#include "base/sha256.hpp"
#include "evidence/json_sequence.hpp"
#include "evidence/readers.hpp"

namespace scoville::evidence {
namespace {

using text::Msg;
using text::say;
using Results = std::vector<ExternalResult>;

struct OneObject {
  bool (*fits)(const json::object&);
  ExternalResult (*read)(const Members&);
  Tool tool;
};
/// The more particular ones first.
constexpr OneObject kObjects[]{{is_sglang, read_sglang, Tool::sglang},
                               {is_vllm, read_vllm, Tool::vllm},
                               {is_aiperf, read_aiperf, Tool::aiperf},
                               {is_inferencex, read_inferencex, Tool::inferencex},
                               {is_inference_perf, read_inference_perf, Tool::inference_perf},
                               {is_genai_bench, read_genai_bench, Tool::genai_bench},
                               {is_endpoints, read_endpoints, Tool::endpoints},
                               {is_evalscope, read_evalscope, Tool::evalscope},
                               {is_aisbench, read_aisbench, Tool::aisbench}};

Error unknown(const std::string& path) {
  return {ErrorCode::invalid_argument, say(Msg::external_unknown_format, path)};
}

Error bad_member(const std::string& path, Tool tool, const std::string& words) {
  return {ErrorCode::invalid_argument, say(Msg::external_bad_member, path, label(tool), words)};
}

/// Which of the tools whose file is one object; null: none.
const OneObject* reader_of(const json::value& value) {
  const json::object* const object = value.if_object();
  if (!object) return nullptr;
  for (const OneObject& each : kObjects) {
    if (each.fits(*object)) return &each;
  }
  return nullptr;
}

std::string in_line(const std::vector<SequenceItem>& items, const SequenceItem& item, const std::string& words) {
  return items.size() == 1 ? words : say(Msg::external_line, item.line, words);
}

Result<Results> read_objects(const std::string& path, const std::vector<SequenceItem>& items) {
  Results out;
  for (const SequenceItem& item : items) {
    const OneObject* const reader = reader_of(item.value);
    if (!reader) return unknown(path);
    Fault fault;
    out.push_back(reader->read(Members(item.value, "", fault)));
    if (fault) return bad_member(path, reader->tool, in_line(items, item, fault.words()));
  }
  return out;
}

Result<Results> read_aiperf_lines(const std::string& path, const std::vector<SequenceItem>& items) {
  std::vector<Members> lines;
  Fault fault;
  for (const SequenceItem& item : items) lines.emplace_back(item.value, "line " + std::to_string(item.line), fault);
  Results out{read_aiperf_records(lines)};
  if (fault) return bad_member(path, Tool::aiperf, fault.words());
  return out;
}

/// The elements of a list, which some put around results; anything else as it stands.
std::vector<SequenceItem> opened(SequenceItem item) {
  std::vector<SequenceItem> out;
  if (json::array* const list = item.value.if_array()) {
    for (json::value& each : *list) out.push_back({std::move(each), item.line});
  } else {
    out.push_back(std::move(item));
  }
  return out;
}

Result<Results> read_json(const std::string& path, const std::string& text) {
  Result<std::vector<SequenceItem>> items = read_json_sequence(path, text);
  if (!items) return items.error();
  if (items->empty()) return unknown(path);
  if (items->size() == 1 && !is_evalscope_percentiles(items->front().value)) *items = opened(std::move(items->front()));
  if (items->empty()) return unknown(path);
  const json::value& first = items->front().value;
  const json::object* const object = first.if_object();
  Fault fault;
  if (items->size() == 1 && is_evalscope_percentiles(first)) {
    Results out{read_evalscope_percentiles(first, fault)};
    if (fault) return bad_member(path, Tool::evalscope, fault.words());
    return out;
  }
  if (object && items->size() == 1 && is_guidellm(*object)) {
    Results out = read_guidellm(Members(first, "", fault));
    if (fault) return bad_member(path, Tool::guidellm, fault.words());
    return out;
  }
  if (object && is_aiperf_record(*object)) return read_aiperf_lines(path, *items);
  return read_objects(path, *items);
}

Result<Results> read_text(const std::string& path, const std::string& text) {
  Fault fault;
  if (is_loadgen(text)) {
    Results out{read_loadgen(text, fault)};
    if (fault) return bad_member(path, Tool::loadgen, fault.words());
    return out;
  }
  if (is_aisbench_csv(text)) {
    Results out{read_aisbench_csv(text, fault)};
    if (fault) return bad_member(path, Tool::aisbench, fault.words());
    return out;
  }
  const std::size_t begin = text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  const bool may_be_json = begin != std::string::npos && (text[begin] == '{' || text[begin] == '[');
  return may_be_json ? read_json(path, text) : Result<Results>(unknown(path));
}

/// Pieces with the same are one result: AISBench names its two files alike, the others put one result into a folder.
std::string group_of(const std::string& path, Tool tool) {
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().string();
  return tool == Tool::aisbench ? folder + "/" + file.stem().string() : folder + "/";
}

Result<Results> read_one(const FileText& file) {
  Result<Results> out = read_text(file.path, file.text);
  if (!out) return out;
  const std::string name = std::filesystem::path(file.path).filename().string(), hash = sha256(file.text);
  for (ExternalResult& each : *out) {
    each.group = group_of(file.path, each.tool);
    each.files = {{name, hash}};
    if (each.figures.empty())
      return Error{ErrorCode::invalid_argument, say(Msg::external_nothing, file.path, label(each.tool))};
  }
  return out;
}

void take_missing(ExternalResult& to, const ExternalResult& from) {
  const auto take = [](auto& ours, const auto& theirs) {
    if (!ours) ours = theirs;
  };
  for (const auto text :
       {&ExternalResult::tool_version, &ExternalResult::date, &ExternalResult::model, &ExternalResult::endpoint}) {
    if ((to.*text).empty()) to.*text = from.*text;
  }
  take(to.counts.completed, from.counts.completed);
  take(to.counts.failed, from.counts.failed);
  take(to.counts.incomplete, from.counts.incomplete);
  take(to.duration_s, from.duration_s);
  take(to.load.concurrency, from.load.concurrency);
  take(to.load.requests, from.load.requests);
  take(to.load.requests_per_s, from.load.requests_per_s);
}

/// Into a result whose other pieces are there; false: there is none.
Result<bool> join(Results& to, const ExternalResult& piece, const std::string& path) {
  if (piece.part.empty()) return false;
  for (ExternalResult& each : to) {
    if (each.tool != piece.tool || each.group != piece.group || each.part.empty()) continue;
    if (each.part.find(piece.part) != std::string::npos)
      return Error{ErrorCode::invalid_argument, say(Msg::external_several_parts, path, label(piece.tool))};
    each.part += "+" + piece.part;
    take_missing(each, piece);
    each.figures.insert(each.figures.end(), piece.figures.begin(), piece.figures.end());
    each.files.insert(each.files.end(), piece.files.begin(), piece.files.end());
    return true;
  }
  return false;
}

}  // namespace

Result<Results> read_results(std::span<const FileText> files) {
  Results out;
  for (const FileText& file : files) {
    Result<Results> read = read_one(file);
    if (!read) return read;
    for (ExternalResult& each : *read) {
      const Result<bool> joined = join(out, each, file.path);
      if (!joined) return joined.error();
      if (!*joined) out.push_back(std::move(each));
    }
  }
  return out;
}

}  // namespace scoville::evidence

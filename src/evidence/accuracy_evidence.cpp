#include "evidence/accuracy_evidence.hpp"

#include <filesystem>

#include "base/sha256.hpp"
#include "evidence/json_sequence.hpp"
#include "text/catalogue/numerics.hpp"

namespace scoville::evidence {
namespace {

using text::NumericsMsg;
using text::say;

SourceFile source(const FileText& file) {
  return {std::filesystem::path(file.path).filename().string(), sha256(file.text)};
}

Error at(const FileText& file, const std::string& words) {
  return {ErrorCode::invalid_argument, file.path + ": " + words};
}

/// A dump that waits for the other side.
struct Dump {
  const FileText* file;
  json::value value;
};

Status add_dump(AccuracyEvidence& out, std::vector<Dump>& waiting, const FileText& file, json::value value) {
  waiting.push_back({&file, std::move(value)});
  if (waiting.size() < 2) return Done{};
  Result<ProbedRun> run = compare_msprobe_dumps(waiting[0].value, waiting[1].value);
  if (!run) return at(file, run.error().message);
  run->files = {source(*waiting[0].file), source(file)};
  waiting.clear();
  out.layers.push_back(std::move(*run));
  return Done{};
}

template <class T, class List>
Status take(Result<T> read, const FileText& file, List& into) {
  if (!read) return at(file, read.error().message);
  if constexpr (std::is_same_v<T, TaskScores>) {
    read->file = source(file);
  } else {
    read->files = {source(file)};
  }
  into.push_back(std::move(*read));
  return Done{};
}

Status add(AccuracyEvidence& out, std::vector<Dump>& dumps, const FileText& file) {
  if (is_msprobe_csv(file.text)) return take(read_msprobe_csv(file.text), file, out.layers);
  if (is_opencompass_csv(file.text)) return take(read_opencompass_csv(file.text), file, out.tasks);
  const std::size_t begin = file.text.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  if (begin == std::string::npos || file.text[begin] != '{') return at(file, say(NumericsMsg::evidence_unknown));
  Result<std::vector<SequenceItem>> items = read_json_sequence(file.path, file.text);
  if (!items) return items.error();
  if (items->size() != 1) return at(file, say(NumericsMsg::evidence_unknown));
  json::value value = std::move(items->front().value);
  if (is_msprobe_dump(value)) return add_dump(out, dumps, file, std::move(value));
  if (is_lm_eval(value)) return take(read_lm_eval(value), file, out.tasks);
  if (is_opencompass_json(value)) return take(read_opencompass_json(value, file.path), file, out.tasks);
  return at(file, say(NumericsMsg::evidence_unknown));
}

}  // namespace

Result<AccuracyEvidence> read_accuracy(std::span<const FileText> files) {
  AccuracyEvidence out;
  std::vector<Dump> dumps;
  for (const FileText& each : files) {
    if (Status added = add(out, dumps, each); !added) return added.error();
  }
  if (!dumps.empty()) return at(*dumps.front().file, say(NumericsMsg::dump_alone));
  return out;
}

}  // namespace scoville::evidence

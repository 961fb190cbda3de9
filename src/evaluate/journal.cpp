#include "evaluate/journal.hpp"

#include <fmt/format.h>

#include "base/json_fields.hpp"
#include "base/sha256.hpp"

namespace scoville::evaluate {
namespace {

template <class Archive, class Result>
void fields(Archive& archive, Result& result) {
  archive("step", result.id);
  archive("key", result.key);
  archive("status", result.status);
  archive("seconds", result.seconds);
  archive("date", result.date);
  archive("said", result.said);
}

}  // namespace

std::string key_of(const Step& step) { return sha256(shell_line(step.words)).substr(0, 8); }

std::string journal_line(const StepResult& result) {
  JsonOut out;
  fields(out, result);
  return compact(std::move(out).object()) + "\n";
}

Result<std::vector<StepResult>> read_journal(const std::string& text, const std::string& where) {
  std::vector<StepResult> out;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string::npos) break;  // cut off while it was written
    ++number;
    json::error_code fault;
    const json::value value = json::parse(text.substr(at, end - at), fault);
    at = end + 1;
    const std::string name = fmt::format("{}:{}", where, number);
    if (fault) return Error{ErrorCode::invalid_argument, name + ": " + fault.message()};
    JsonIn in(value, name);
    fields(in, out.emplace_back());
    if (Status read = in.status(); !read) return read.error();
  }
  return out;
}

const StepResult* result_of(const std::vector<StepResult>& journal, const Step& step) {
  const std::string key = key_of(step);
  const StepResult* found = nullptr;
  for (const StepResult& each : journal) {
    if (each.id == step.id && each.key == key) found = &each;
  }
  return found;
}

}  // namespace scoville::evaluate

#include "environment/interview.hpp"

#include <fmt/format.h>

#include <system_error>

#include "base/duration.hpp"
#include "environment/root.hpp"

namespace scoville::environment {
namespace {

/// "1 s", not "1.00 s": the user wrote a round number.
std::string span_text(Nanos span) {
  if (span.count() % 1000000000 == 0) return fmt::format("{} s", span.count() / 1000000000);
  return format_duration(span);
}

/// As one would type it, a long list of columns or a script cut short.
std::string command_line(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    out += fmt::format("{}{}", out.empty() ? "" : " ", word.size() > 40 ? word.substr(0, 30) + "…" : word);
  }
  return out;
}

}  // namespace

Interview::Interview(const ToolRunner& tools, const std::vector<Inquiry>& inquiries) {
  for (const Inquiry& each : inquiries) answers_[each.id].command = command_line(each.words);
  for (const Inquiry& each : inquiries) {
    CommandResult& result = answers_[each.id].result;
    const auto ask = [&tools, &result, words = each.words] { result = tools.run(words); };
    try {
      threads_.emplace_back(ask);
    } catch (const std::system_error&) {  // no more threads to be had: in turn, then
      ask();
    }
  }
}

Interview::~Interview() { answers(); }

const Answers& Interview::answers() {
  for (std::thread& each : threads_) each.join();
  threads_.clear();
  return answers_;
}

std::string complaint(const Answer& answer, Nanos timeout) {
  const CommandResult& result = answer.result;
  switch (result.end) {
    case CommandResult::End::not_found:
      return fmt::format("{}: no such program", answer.command);
    case CommandResult::End::not_started:
      return fmt::format("{}: could not be started", answer.command);
    case CommandResult::End::timed_out:
      return fmt::format("{}: timed out after {}", answer.command, span_text(timeout));
    case CommandResult::End::exited:
      break;
  }
  if (result.exit_code == 0) return fmt::format("{}: an answer that is not understood", answer.command);
  const std::string_view words = first_line(trim(result.errors).empty() ? trim(result.output) : trim(result.errors));
  return fmt::format("{}: exit status {}{}{}", answer.command, result.exit_code, words.empty() ? "" : ": ",
                     words.substr(0, 200));
}

}  // namespace scoville::environment

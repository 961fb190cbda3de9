#include <charconv>
#include <cmath>

#include "dataset/csv_trace.hpp"
#include "dataset/traces.hpp"
#include "text/catalogue.hpp"

namespace scoville::dataset {
namespace {

using text::Msg;
using text::say;

std::optional<Nanos> seconds_of(std::string_view field) {
  double seconds = 0;
  const auto [end, fault] = std::from_chars(field.data(), field.data() + field.size(), seconds);
  if (fault != std::errc() || end != field.data() + field.size() || !(seconds >= 0) || seconds > 9e9)
    return std::nullopt;
  return Nanos(std::llround(seconds * 1e9));
}

}  // namespace

Result<Workload> parse_burstgpt(std::string_view content) {
  const auto take = [](const std::vector<std::string_view>& fields) -> Result<WorkloadChain> {
    const auto refuse = [](std::string reason) { return Error{ErrorCode::invalid_argument, std::move(reason)}; };
    WorkloadChain chain;
    chain.at = seconds_of(fields[0]);
    if (!chain.at) return refuse(say(Msg::rows_no_time, "Timestamp"));
    const auto input = tokens_of(fields[1], "Request tokens"), output = tokens_of(fields[2], "Response tokens");
    if (!input) return input.error();
    if (!output) return output.error();
    if (*output == 0) return refuse(say(Msg::rows_failed));
    if (*input == 0) return refuse(say(Msg::rows_no_input));
    chain.turns.push_back({Nanos::zero(), *input, *output});
    return chain;
  };
  return read_csv_trace(content, {"Timestamp", "Request tokens", "Response tokens"}, take);
}

}  // namespace scoville::dataset

#include "report/vllm_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace scoville::report {
namespace {

using event::RequestRecord;

double monotonic(Moment at) { return at ? to_seconds((*at).time_since_epoch()) : 0; }

/// The first of them that happened.
Moment first_of(std::initializer_list<Moment> moments) {
  for (const Moment each : moments) {
    if (each) return each;
  }
  return {};
}

std::string words_of(const RequestRecord& record) {
  if (record.succeeded()) return "";
  std::string out(event::name_of(record.failure));
  if (record.http_status != 0) out += fmt::format(" {}", record.http_status);
  if (!record.error_message.empty()) out += ": " + record.error_message;
  return out;
}

void time_answer(const RequestRecord& record, VllmRequest& out) {
  const Moment first = first_of({record.first_token, record.first_chunk, record.end});
  const Moment last = first_of({record.last_chunk, record.last_token, record.end});
  if (!record.written || !first || !last) return;
  out.ttft = to_seconds(*first - *record.written);
  out.latency = to_seconds(std::max(*last, *first) - *record.written);
  for (const Nanos gap : event::chunk_gaps(record)) out.itl.push_back(to_seconds(gap));
}

VllmRequest request_of(const RequestRecord& record) {
  VllmRequest out;
  out.index = record.index;
  out.attempt = record.attempt;
  out.succeeded = record.succeeded();
  out.due = record.due;
  out.start = monotonic(first_of({record.written, record.dequeued, record.due, record.failed_at}));
  if (record.was_held && record.due && record.dequeued) out.queue = to_seconds(*record.dequeued - *record.due);
  out.input_tokens = record.prompt_tokens;
  if (!out.input_tokens && record.asked_prompt_tokens != 0) out.input_tokens = record.asked_prompt_tokens;
  out.output_tokens = out.succeeded ? record.n_out : std::optional<std::int64_t>(0);
  out.error = words_of(record);
  if (!out.succeeded) return out;
  time_answer(record, out);
  if (record.text && !record.text->answers.empty()) out.text = record.text->answers.front();
  return out;
}

}  // namespace

Result<std::vector<VllmRequest>> vllm_requests(const run::RunResult& run) {
  std::vector<VllmRequest> requests;
  const Status read = run.for_each_record([&](const RequestRecord& record) { requests.push_back(request_of(record)); });
  if (!read) return read.error();
  std::sort(requests.begin(), requests.end(), [](const VllmRequest& a, const VllmRequest& b) {
    return std::tie(a.index, a.attempt) < std::tie(b.index, b.attempt);
  });
  return requests;
}

std::optional<double> vllm_tpot(const VllmRequest& request) {
  if (!request.output_tokens || *request.output_tokens < 2) return std::nullopt;
  return (request.latency - request.ttft) / static_cast<double>(*request.output_tokens - 1);
}

double most_tokens_per_s(const std::vector<VllmRequest>& requests) {
  double first = INFINITY;
  for (const VllmRequest& each : requests) {
    if (each.succeeded) first = std::min(first, each.start);
  }
  std::vector<double> seconds;
  for (const VllmRequest& each : requests) {
    if (!each.succeeded) continue;
    const double events = static_cast<double>(each.itl.size() + 1);
    const double tokens = each.output_tokens ? static_cast<double>(*each.output_tokens) / events : 1;
    double at = each.start - first + each.ttft;
    for (std::size_t i = 0;; ++i) {
      const auto second = static_cast<std::size_t>(std::max(at, 0.0));
      if (second >= seconds.size()) seconds.resize(second + 1);
      seconds[second] += tokens;
      if (i == each.itl.size()) break;
      at += each.itl[i];
    }
  }
  return seconds.empty() ? 0 : *std::max_element(seconds.begin(), seconds.end());
}

std::size_t most_in_flight(const std::vector<VllmRequest>& requests) {
  std::vector<std::pair<double, int>> changes;  // one that ends and one that starts at the same instant do not overlap
  for (const VllmRequest& each : requests) {
    if (!each.succeeded) continue;
    changes.emplace_back(each.start, 1);
    changes.emplace_back(each.start + each.latency, -1);
  }
  std::sort(changes.begin(), changes.end());
  std::ptrdiff_t now = 0, most = 0;
  for (const auto& [at, change] : changes) most = std::max(most, now += change);
  return static_cast<std::size_t>(most);
}

}  // namespace scoville::report

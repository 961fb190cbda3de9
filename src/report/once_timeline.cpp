#include <fmt/format.h>

#include <algorithm>

#include "base/duration.hpp"
#include "report/once.hpp"
#include "report/words.hpp"
#include "text/catalogue.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using event::RequestRecord;
using text::Msg;
using text::say;

constexpr std::size_t kShownEvents = 6;  // at either end of a long answer

class TimeLine {
 public:
  explicit TimeLine(const RequestRecord& record) : record_(record) {}

  void mark(Moment at, const std::string& what) {
    if (!at || !record_.written) return;
    const Nanos since = *at - *record_.written;
    const std::string gap = has_last_ ? fmt::format("+{}", format_duration(since - last_)) : "";
    out_ += fmt::format("  {}  {}  {}\n", text::pad_left(format_duration(since), 10), text::pad_left(gap, 10), what);
    last_ = since;
    has_last_ = true;
  }
  /// The next gap counts from here.
  void skip_to(Instant at) { last_ = at - *record_.written; }
  void note(const std::string& what) { out_ += fmt::format("  {}  {}\n", std::string(22, ' '), what); }
  const std::string& text() const { return out_; }

 private:
  const RequestRecord& record_;
  std::string out_;
  Nanos last_{};
  bool has_last_ = false;
};

void mark_tokens(TimeLine& line, const RequestRecord& record) {
  const std::size_t n = record.tokens.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (n > 2 * kShownEvents + 1 && i == kShownEvents) {
      Nanos least = Nanos::max(), most{};
      for (; i < n - kShownEvents; ++i) {
        const Nanos gap = record.tokens[i].at - record.tokens[i - 1].at;
        least = std::min(least, gap);
        most = std::max(most, gap);
      }
      line.note(say(Msg::once_more_events, n - 2 * kShownEvents, format_duration(least), format_duration(most)));
      line.skip_to(record.tokens[i - 1].at);
    }
    const event::TokenEvent& each = record.tokens[i];
    std::string what = say(Msg::once_token_event, i + 1);
    if (each.tokens != event::TokenEvent::kUnknownTokens) what += say(Msg::once_tokens_in_event, each.tokens);
    if (record.flags.has(event::Flag::n_gt_1)) what += say(Msg::once_of_choice, each.choice);
    if (each.width_ns > 1000) what += say(Msg::once_or_earlier, format_duration(Nanos(each.width_ns)));
    line.mark(each.at, what);
  }
}

std::string set_up(const RequestRecord& record, const OnceSubject& subject) {
  if (record.reused_connection) return say(Msg::once_reused);
  std::string out;
  const auto add = [&](Msg what, std::optional<Nanos> took) {
    if (took) out += (out.empty() ? "" : " · ") + say(what, format_duration(*took));
  };
  add(Msg::once_dns, subject.dns_took > Nanos::zero() ? std::optional(subject.dns_took) : std::nullopt);
  add(Msg::once_tcp, record.tcp);
  add(Msg::once_tls, record.tls);
  return out;
}

std::string summary(const RequestRecord& record) {
  const auto since = [&](Moment at) { return format_duration(*at - *record.written); };
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : " · ") + part; };
  if (record.first_token) add("TTFT " + since(record.first_token));
  if (record.first_answer && record.first_answer != record.first_token) add("TTFA " + since(record.first_answer));
  if (const auto per_token = event::tpot(record)) add("TPOT " + format_duration(*per_token));
  if (record.end) add("E2E " + since(record.end));
  return out;
}

std::string counts(const RequestRecord& record) {
  const auto number = [](const std::optional<std::int64_t>& n) {
    return n ? fmt::format("{}", *n) : say(Msg::not_known);
  };
  std::string out = say(Msg::once_counts, number(record.prompt_tokens), number(record.n_out), record.tokens.size());
  if (record.n_out_source != event::CountSource::none)
    out += say(Msg::once_source, event::name_of(record.n_out_source));
  if (record.cached_tokens && *record.cached_tokens > 0) out += say(Msg::once_cached, *record.cached_tokens);
  return out;
}

}  // namespace

std::string once_timeline(const RequestRecord& record, const RequestRecord* second, const OnceSubject& subject,
                          const plan::RequestShape& shape) {
  std::string out = fmt::format("POST {}\n", subject.url);
  out += say(Msg::once_head, plan::name_of(shape.dialect), subject.model, subject.peer) + "\n";
  if (const std::string set = set_up(record, subject); !set.empty()) out += say(Msg::once_set_up, set) + "\n";
  out += "\n";

  TimeLine line(record);
  line.mark(record.written, say(Msg::once_written, format_duration(record.write_took)));
  line.mark(record.headers, say(Msg::once_headers, record.http_status));
  if (record.first_byte != record.first_token && record.first_byte != record.headers) {
    line.mark(record.first_byte, say(Msg::once_first_byte));
  }
  mark_tokens(line, record);
  line.mark(record.end, say(record.flags.has(event::Flag::no_done) ? Msg::once_end_of_body : Msg::once_end));
  if (!record.succeeded()) line.mark(record.failed_at, say(Msg::once_failed_here));
  out += line.text() + "\n";

  if (record.succeeded()) {
    out += summary(record) + "\n";
  } else {
    out += say(Msg::once_failed, describe(record)) + "\n";
  }
  out += counts(record) + "\n";
  if (!record.finish_reason.empty()) out += say(Msg::once_finish, record.finish_reason) + "\n";
  if (record.server && record.server->decode_tokens_per_s) {
    out += say(Msg::once_server_rate, fmt::format("{:.1f}", *record.server->decode_tokens_per_s)) + "\n";
  }
  for (const std::string& each : oddities(record)) out += "! " + each + "\n";
  if (record.text && !record.text->reasoning.empty()) {
    out += "\n" + say(Msg::once_reasoning) + "\n" + record.text->reasoning + "\n";
  }
  if (record.text) {
    for (const std::string& answer : record.text->answers) out += "\n" + say(Msg::once_answer) + "\n" + answer + "\n";
  }
  if (second) {
    out += "\n" + say(Msg::once_second, second->succeeded() ? summary(*second) : describe(*second)) + "\n";
  }
  return out;
}

}  // namespace scoville::report

#include "report/words.hpp"

#include <array>

#include <fmt/format.h>

#include "base/check.hpp"
#include "text/catalogue.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using event::Failure;
using event::Flag;
using text::Msg;
using text::say;

constexpr std::size_t kLongestWords = 200;  // of a server, in one line

Msg sentence(Failure failure) {
  switch (failure) {
    case Failure::none:
      return Msg::failure_none;
    case Failure::http_status:
      return Msg::failure_http_status;
    case Failure::stream_error:
      return Msg::failure_stream_error;
    case Failure::truncated:
      return Msg::failure_truncated;
    case Failure::reset:
      return Msg::failure_reset;
    case Failure::timeout_idle:
      return Msg::failure_timeout_idle;
    case Failure::timeout_request:
      return Msg::failure_timeout_request;
    case Failure::connect:
      return Msg::failure_connect;
    case Failure::tls:
      return Msg::failure_tls;
    case Failure::protocol:
      return Msg::failure_protocol;
    case Failure::unsupported_encoding:
      return Msg::failure_unsupported_encoding;
    case Failure::empty_output:
      return Msg::failure_empty_output;
    case Failure::aborted:
      return Msg::failure_aborted;
    case Failure::client_resource:
      return Msg::failure_client_resource;
    case Failure::dns:
      return Msg::failure_dns;
    case Failure::cancelled:
      return Msg::failure_cancelled;
  }
  SCOVILLE_CHECK(false, "every failure has a sentence");
}

Msg sentence(Flag flag) {
  switch (flag) {
    case Flag::coalesced:
      return Msg::flag_says_coalesced;
    case Flag::burst_stream:
      return Msg::flag_says_burst_stream;
    case Flag::multi_token_chunks:
      return Msg::flag_says_multi_token_chunks;
    case Flag::n_gt_1:
      return Msg::flag_says_n_gt_1;
    case Flag::empty_output:
      return Msg::flag_says_empty_output;
    case Flag::tokens_without_text:
      return Msg::flag_says_tokens_without_text;
    case Flag::short_output:
      return Msg::flag_says_short_output;
    case Flag::cumulative_text:
      return Msg::flag_says_cumulative_text;
    case Flag::not_streamed:
      return Msg::flag_says_not_streamed;
    case Flag::compressed:
      return Msg::flag_says_compressed;
    case Flag::no_done:
      return Msg::flag_says_no_done;
    case Flag::no_finish_reason:
      return Msg::flag_says_no_finish_reason;
    case Flag::unterminated_last_event:
      return Msg::flag_says_unterminated_last_event;
    case Flag::data_after_done:
      return Msg::flag_says_data_after_done;
    case Flag::held_open_after_done:
      return Msg::flag_says_held_open_after_done;
    case Flag::malformed_frame:
      return Msg::flag_says_malformed_frame;
    case Flag::nonstandard_json:
      return Msg::flag_says_nonstandard_json;
    case Flag::implausible_server_rate:
      return Msg::flag_says_implausible_server_rate;
    case Flag::buffered:
      return Msg::flag_says_buffered;
    case Flag::stale_reuse:
      return Msg::flag_says_stale_reuse;
    case Flag::usage_differs:
      return Msg::flag_says_usage_differs;
  }
  SCOVILLE_CHECK(false, "every flag has a sentence");
}

std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return text::shorten(text, kLongestWords);
}

}  // namespace

std::string describe(Failure failure) {
  return fmt::format("{} ({})", say(sentence(failure)), event::name_of(failure));
}
std::string describe(Flag flag) { return fmt::format("{} ({})", say(sentence(flag)), event::name_of(flag)); }

std::string describe(const event::RequestRecord& record) {
  std::string out = describe(record.failure);
  if (record.failure == Failure::http_status) out += fmt::format(" {}", record.http_status);
  if (!record.error_message.empty()) out += ": " + one_line(record.error_message);
  if (record.retry_after_s) out += " " + say(Msg::retry_after, *record.retry_after_s);
  return out;
}

std::vector<std::string> oddities(const event::RequestRecord& record) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < event::kFlagCount; ++i) {
    if (record.flags.has(static_cast<Flag>(i))) found.push_back(describe(static_cast<Flag>(i)));
  }
  return found;
}

std::string title_of(environment::Row row) {
  constexpr std::array<Msg, 6> titles{Msg::env_row_driver, Msg::env_row_runtime, Msg::env_row_framework,
                                      Msg::env_row_engine, Msg::env_row_model,   Msg::env_row_topology};
  return say(titles[static_cast<std::size_t>(row)]);
}

}  // namespace scoville::report

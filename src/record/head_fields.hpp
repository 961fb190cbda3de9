#pragma once

#include <cstdint>

#include "event/request_record.hpp"
#include "record/bytes.hpp"

namespace scoville::record {

/// What is kept of a request apart from its token events, each field named once: `archive` writes it, or reads it.
///
inline constexpr std::uint64_t kHeadFormat = 2;

/// The order is the format. A field added later comes at the end, under a new kHeadFormat; what is read in an older
/// `format` lacks it.
template <class Archive, class Record>
void head_fields(Archive& archive, Record& r, std::uint64_t format = kHeadFormat) {
  archive.number(r.index);
  archive.number(r.thread);
  archive.number(r.attempt);
  archive.flag(r.is_warmup);
  archive.flag(r.was_held);
  archive.flag(r.reused_connection);
  // Each moment as the distance from the one before it that happened.
  archive.moment(r.due);
  archive.moment(r.dequeued);
  archive.moment(r.connected);
  archive.moment(r.written);
  archive.moment(r.headers);
  archive.moment(r.first_byte);
  archive.moment(r.first_chunk);
  archive.moment(r.first_token);
  archive.moment(r.first_answer);
  archive.moment(r.last_token);
  archive.moment(r.last_chunk);
  archive.moment(r.end);
  archive.moment(r.failed_at);
  archive.span(r.write_took);
  archive.number(r.end_width_ns);
  archive.maybe(r.dns);
  archive.maybe(r.tcp);
  archive.maybe(r.tls);
  archive.code(r.failure);
  archive.code(r.sub_class);
  archive.number(r.http_status);
  archive.maybe(r.retry_after_s);
  archive.text(r.param);
  archive.text(r.location);
  archive.text(r.error_message);
  archive.text(r.finish_reason);
  archive.flags(r.flags);
  archive.number(r.max_tokens);
  archive.number(r.asked_prompt_tokens);
  archive.maybe(r.n_out);
  archive.maybe(r.prompt_tokens);
  archive.maybe(r.cached_tokens);
  archive.code(r.n_out_source);
  archive.maybe(r.k_first);
  archive.number(r.malformed);
  archive.number(r.resends);
  archive.number(r.redirects);
  archive.number(r.body_bytes);
  archive.hash(r.prompt_hash);
  archive.hash(r.answer_hash);
  archive.number(r.rtt_us);
  archive.number(r.retransmits);
  archive.server(r.server);
  if (format < 2) return;
  archive.flag(r.is_probe);
  archive.flag(r.is_to_cancel);
  archive.number(r.turn);
}

}  // namespace scoville::record

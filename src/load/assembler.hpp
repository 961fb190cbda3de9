#pragma once

#include <string>
#include <vector>

#include "event/request_record.hpp"
#include "load/chunk.hpp"

namespace scoville::load {

/// When one frame arrived.
struct FrameStamp {
  Instant at{};
  std::uint32_t width_ns = 0;  ///< it arrived within (at − width, at]
  std::uint32_t read_lag_ns = 0;
  std::uint64_t read = 0;  ///< number of the read it came with
};

/// How the answer came to its end.
enum class BodyEnd {
  clean,      ///< the message ended as HTTP says
  truncated,  ///< it ended before
  reset,      ///< RST or a socket error
  no_answer,  ///< closed before any byte
  timeout_idle,
  timeout_request,
  aborted,
  cancelled,  ///< by us, as planned
};

/// Turns what frames say into one request record: token events, counts, proof of completion, success or class of
/// failure.
///
/// The rules are those of cases/README.md. Pure: it reads no clock and no socket. begin() starts a request; on_… take
/// what arrives; finish() judges. Reused for request after request; strings keep their memory.
class Assembler {
 public:
  struct Expectation {
    std::uint32_t choices = 1;
    bool ignore_eos = false;
    bool keeps_text = false;
    bool has_done_marker = false;  ///< the dialect ends with [DONE]
    bool has_end_frame = false;
    bool makes_tokens = true;
  };

  void begin(event::RequestRecord& record, const Expectation& expectation);

  void on_chunk(const Chunk& chunk, const FrameStamp& stamp);
  void on_done_marker(const FrameStamp& stamp);
  void on_malformed();
  void on_frame_after_end() { record_->flags.set(event::Flag::data_after_done); }
  /// The one JSON body of a server that did not stream.
  void on_whole_body(const Chunk& chunk);
  /// The body of an answer with another status than 2xx: its words, if it holds any.
  void on_error_body(const Chunk& chunk);
  void fail(event::Failure failure, std::string message);

  /// The end marker was seen, or an error object: nothing more will be counted.
  bool has_ended() const { return has_end_marker_ || has_error_; }

  /// `at`: end of the body. Sets end, failure, n_out, k_first and flags.
  void finish(BodyEnd how, Instant at);

 private:
  struct Choice {
    bool is_finished = false;
    std::string previous;  // text of the event before, while the stream may be cumulative
    int repeats = 0;       // successive events that began with all of it and grew
    bool may_be_cumulative = true;
    std::uint64_t answer_hash = 0, reasoning_hash = 0;  // of the text so far; 0: none
  };

  void on_token(const ChoiceDelta& delta, const Chunk& chunk, const FrameStamp& stamp);
  void note_text(const ChoiceDelta& delta);
  void note_usage(const Chunk& chunk);
  void note_error(const Chunk& chunk);
  event::Failure judge(BodyEnd how) const;
  void count_tokens();
  void hash_answers();
  void set_flags();

  event::RequestRecord* record_ = nullptr;
  Expectation expected_;
  std::vector<Choice> choices_;
  std::size_t choices_seen_ = 0, finished_ = 0;
  std::int64_t running_ = -1;   // completion tokens of the last running usage record
  std::int64_t exact_sum_ = 0;  // tokens of exact lists
  std::int64_t held_back_ = 0;  // of these, tokens whose text has not come yet (half a character)
  bool has_exact_ = false, lacks_exact_ = false;
  bool has_usage_ = false, has_end_marker_ = false, has_error_ = false, was_judged_ = false;
  bool has_body_ = false;  // one JSON body, not a stream
  double server_decode_s_ = 0;
  std::uint64_t last_read_ = 0;
};

/// The sub-class of a rejection, by its words.
event::SubClass sub_class_of(const std::string& code, const std::string& message, const std::string& param);

}  // namespace scoville::load

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/fetch.hpp"

namespace scoville::wire {

/// The head of a request or a response with all of its fields, as who passes it on needs them.
struct MessageHead {
  std::string method, target;  ///< of a request
  int status = 0;              ///< of a response
  std::string reason;
  bool is_http_1_1 = true, keep_alive = true, is_chunked = false;
  std::optional<std::uint64_t> content_length;
  std::vector<Header> fields;  ///< in their order, names as they were written

  /// The first of that name, letters of either case; null: none.
  const std::string* find(std::string_view name) const;
};

/// HTTP/1.1 messages of one kind out of a stream of bytes, incremental, on Beast's parser, every body byte handed on as
/// it comes. Chunk extensions and trailers are dropped, interim responses (1xx but for 101) are never seen.
class MessageParser {
 public:
  enum class Kind { request, response };
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void on_head(const MessageHead& head) = 0;
    virtual void on_body(std::string_view bytes) = 0;
  };
  enum class State { open, complete, failed };

  explicit MessageParser(Kind kind);
  ~MessageParser();
  MessageParser(const MessageParser&) = delete;
  MessageParser& operator=(const MessageParser&) = delete;

  /// Forgets everything; the next bytes begin a message. `has_no_body`: the response to a HEAD.
  void start(bool has_no_body = false);

  /// Takes bytes up to the end of the message; `used` says how many.
  State feed(std::string_view bytes, std::size_t& used, Sink& sink);

  /// The peer has closed: complete only where the body runs to the end of the connection.
  State finish();

  /// Bytes of a message have come, but not all.
  bool is_amid() const;
  /// Whether the head that came says that the body runs to the end of the connection.
  bool runs_to_the_end() const;
  /// Why it is failed, in Beast's words; and the status that a server answers with: 400 or 431.
  const std::string& error() const;
  int refusal() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether two field names are the same, letters of either case.
bool same_name(std::string_view a, std::string_view b);

/// Whether a field says something of this one connection alone (RFC 9110, 7.6.1): it is not passed on. `head` is that
/// of the message, for its Connection field names others.
bool is_hop_by_hop(std::string_view name, const MessageHead& head);

}  // namespace scoville::wire

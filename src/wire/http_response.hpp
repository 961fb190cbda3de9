#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace scoville::wire {

/// What a client needs of a response head. Interim responses (1xx) are never seen.
struct ResponseHead {
  int status = 0;
  bool keep_alive = true;
  bool is_chunked = false;
  std::optional<std::uint64_t> content_length;
  std::string content_type, content_encoding, location, retry_after, server;
};

/// HTTP/1.1 responses out of a stream of bytes, incremental, on Beast's parser.
///
/// Body bytes are handed on without a copy, as views into the caller's buffer. Chunk extensions and trailers are read
/// and dropped. One parser serves a connection for its whole life: start() begins the next response.
class ResponseParser {
 public:
  class Sink {
   public:
    virtual ~Sink() = default;
    virtual void on_head(const ResponseHead& head) = 0;
    virtual void on_body(std::string_view bytes) = 0;
  };
  enum class State {
    open,       ///< more is to come
    complete,   ///< the message has ended as it said it would
    truncated,  ///< finish() came too early
    failed,     ///< not HTTP: see error()
  };

  ResponseParser();
  ~ResponseParser();
  ResponseParser(ResponseParser&&) noexcept;
  ResponseParser& operator=(ResponseParser&&) noexcept;

  /// Forgets everything; the next bytes begin a response to a request of this method.
  void start(bool is_head_request = false);

  /// `data` has `headroom` writable bytes before it, where the unfinished piece of an earlier read is put.
  State feed(char* data, std::size_t size, std::size_t headroom, Sink& sink);

  /// The peer has closed: right only where the body runs to the end of the connection.
  State finish();

  /// Bytes came behind the end of the message: the connection cannot be used again.
  bool has_surplus() const;
  const std::string& error() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scoville::wire

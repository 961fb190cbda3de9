#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace scoville::wire {

struct RequestHead {
  std::string method, target;
  bool keep_alive = true;
  bool expects_continue = false;  ///< the client waits for "100 Continue" before it sends the body
};

/// One HTTP/1.1 request after another out of a stream of bytes, incremental, on Beast's parser.
///
/// The body is collected, for a server parses it whole. A request that is refused (not HTTP, head over 64 KiB, body
/// over `longest_body`) has a status to answer with; the connection is of no use after it.
class RequestParser {
 public:
  enum class State { open, complete, failed };

  explicit RequestParser(std::size_t longest_body);
  ~RequestParser();
  RequestParser(const RequestParser&) = delete;
  RequestParser& operator=(const RequestParser&) = delete;

  /// Forgets everything, and gives the memory of the body back; the next bytes begin a request.
  void start();

  /// Takes bytes up to the end of the request; `used` says how many. Those behind it belong to the next one.
  State feed(std::string_view bytes, std::size_t& used);

  /// True once, when the head is there, "Expect: 100-continue" was in it and the body has not come.
  bool take_expectation();
  /// Bytes of a request have come, but not all.
  bool is_amid() const;

  const RequestHead& head() const;
  /// Only of a complete request; may be moved from.
  std::string& body();
  /// 400, 413 or 431: only of a failed one.
  int refusal() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// "OK" for 200, "Too Many Requests" for 429.
std::string_view reason_phrase(int status);

}  // namespace scoville::wire

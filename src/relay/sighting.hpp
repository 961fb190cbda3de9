#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/units.hpp"

namespace scoville::relay {

/// What went by of one request and its answer. Texts in here never leave memory unless bodies are kept.
struct Sighting {
  /// Bytes of the answer that came together: up to `end`, at `at`.
  struct Piece {
    std::size_t end = 0;
    Instant at{};
  };

  std::string method, path;  ///< without the query, which may hold a key
  std::string session;       ///< as a header names it
  Nanos at{};                ///< since 1970: the last byte of the request had come
  Instant asked{};           ///< the same on the other clock
  Instant ended{};           ///< the last byte of the answer, or the failure
  int status = 0;            ///< 0: no answer came
  std::string content_type, content_encoding;
  std::string failure;  ///< its class; empty: none
  std::uint64_t request_bytes = 0, answer_bytes = 0;

  std::string body, answer;  ///< as far as they are looked at
  bool is_body_whole = true, is_answer_whole = true;
  std::vector<Piece> pieces;
};

}  // namespace scoville::relay

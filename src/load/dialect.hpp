#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dataset/prompt_source.hpp"
#include "load/chunk.hpp"
#include "load/json_reader.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::load {

/// How one kind of server is asked and how its answer is read. One file each; stateless, shared by all threads.
class Dialect {
 public:
  virtual ~Dialect() = default;

  /// Path of a generation request below the base URL.
  virtual std::string path(const plan::RequestShape& shape) const = 0;
  /// The JSON body of a request.
  virtual std::string body(const dataset::Prompt& prompt, const plan::RequestShape& shape) const = 0;
  /// Reads one frame of a stream, or the one JSON body of a server that does not stream. `out` is cleared.
  virtual void interpret(const Json& frame, Chunk& out) const = 0;
  /// A stream ends with "[DONE]".
  virtual bool has_done_marker() const { return false; }
  /// A stream ends with a frame that has a marker of its own; otherwise its end is the end of the body.
  virtual bool has_end_frame() const { return false; }
  /// False: an answer is no text made token by token, and comes as one JSON body.
  virtual bool makes_tokens() const { return true; }
  /// Frames are lines of JSON, whatever the content type says.
  virtual bool is_line_delimited() const { return false; }
};

std::unique_ptr<Dialect> make_dialect(plan::Dialect dialect);

/// Reads {"error": …} in any of its forms into `out`. True if it was one.
bool read_error(const JsonObject& frame, Chunk& out);

}  // namespace scoville::load

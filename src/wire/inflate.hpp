#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace scoville::wire {

/// Undoes gzip, x-gzip and deflate as the bytes come. We never ask for a content coding; some proxies send one anyway.
class Inflate {
 public:
  Inflate();
  ~Inflate();

  static bool knows(std::string_view content_encoding);

  /// Appends to `out` what `bytes` hold. False: not such a stream.
  bool feed(std::string_view bytes, std::string& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scoville::wire

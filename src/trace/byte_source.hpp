#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace scoville::trace {

/// Bytes from front to back, once, in blocks: a trace is larger than the memory it may take.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `to` with at most `size` bytes; 0: the end.
  virtual Result<std::size_t> read(char* to, std::size_t size) = 0;
  /// The bytes end before they should: a compressed file that was cut off or is damaged. Known once read() said 0.
  virtual bool is_cut() const { return false; }
};

/// A file; gzip is undone whatever the file is called (magic bytes 1f 8b), several members in a row too.
Result<std::unique_ptr<ByteSource>> open_source(const std::string& path);

/// Text that is in memory already, for tests and small pieces; taken as it is. It must outlive the source.
std::unique_ptr<ByteSource> source_of(std::string_view text);

/// Lines of a source, without their ends ("\n", "\r\n") and without a byte order mark. A line above 1 MiB is cut there:
/// its rest is passed over.
class LineReader {
 public:
  explicit LineReader(ByteSource& source) : source_(source) {}
  /// False: there is no further line.
  Result<bool> next(std::string_view& line);

 private:
  Result<bool> refill();

  static constexpr std::size_t kLongestLine = 1 << 20;
  ByteSource& source_;
  std::string buffer_;
  std::size_t at_ = 0;
  bool is_over_ = false, is_first_ = true;
};

}  // namespace scoville::trace

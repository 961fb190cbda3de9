#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/new_file.hpp"
#include "base/result.hpp"
#include "base/sha256.hpp"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace scoville::store {

/// One zstd frame with a checksum, written to a file. Equal bytes and flushes give an equal file.
///
/// This and ZstdReader stand in for the zstd filter of libarchive: that one writes no checksum, and once it has seen
/// the end of an archive it looks neither for the end of the frame nor at what follows it.
class ZstdWriter {
 public:
  explicit ZstdWriter(NewFile& file);
  Status write(std::string_view bytes);
  /// What comes from now on shares no block with what came so far: damage to one does not reach the other.
  Status flush();
  Status finish();

 private:
  enum class Ending { none, block, frame };
  Status compress(std::string_view bytes, Ending ending);
  struct Free {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
  NewFile& file_;
  std::vector<char> out_;
};

/// A file that is one zstd frame and nothing else, read from its beginning to its end. The errors say what is wrong,
/// not where: who reads knows what was being read.
class ZstdReader {
 public:
  /// How much of the packed file was read, of how much. False: the reading is to end.
  using Progress = std::function<bool(std::uint64_t done, std::uint64_t all)>;

  /// An error of the code `protocol` where the file does not begin as zstd does, or is no regular file. More than
  /// `most_unpacked` bytes are an error of read().
  static Result<std::unique_ptr<ZstdReader>> open(const std::string& path, std::uint64_t most_unpacked,
                                                  Progress progress = {});
  ZstdReader(const ZstdReader&) = delete;
  ZstdReader& operator=(const ZstdReader&) = delete;
  ~ZstdReader();

  /// The next bytes, until the next call. Empty: the frame has ended, its checksum is right, and so has the file.
  Result<std::string_view> read();

  void limit(std::uint64_t most_unpacked) { most_ = most_unpacked; }

  std::uint64_t packed() const { return size_; }
  std::uint64_t unpacked() const { return unpacked_; }
  /// Of the file as it lies there. After the end was read.
  const std::string& sha256() const { return sha256_; }

 private:
  ZstdReader(int fd, std::uint64_t size, std::uint64_t most, Progress progress);
  Status refill();
  Status end_of_file();
  struct Free {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  std::unique_ptr<ZSTD_DCtx_s, Free> context_;
  int fd_;
  std::uint64_t size_, most_, read_ = 0, unpacked_ = 0;
  Progress progress_;
  std::vector<char> in_, out_;
  std::size_t in_size_ = 0, in_at_ = 0;
  std::size_t wanted_ = 1;  // of the file, to come to the end of the next block and no further
  bool has_ended_ = false;
  Sha256 hash_;
  std::string sha256_;
};

}  // namespace scoville::store

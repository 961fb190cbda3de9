#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "base/units.hpp"
#include "store/zstd_file.hpp"

struct archive;

namespace scoville::store {

/// A tar archive, by libarchive. Equal parts give equal bytes: owner, mode and order are the same wherever it is made.
class TarWriter {
 public:
  explicit TarWriter(ZstdWriter& out);
  ~TarWriter();
  TarWriter(const TarWriter&) = delete;
  TarWriter& operator=(const TarWriter&) = delete;

  Status begin(const std::string& name, std::int64_t size, Nanos modified);
  Status add(std::string_view bytes);
  /// Of a part: `size` bytes were added.
  Status end();
  Status close();

 private:
  static long put(archive*, void* self, const void* bytes, std::size_t size);
  Status status_of(int code);

  ZstdWriter& out_;
  std::optional<Error> fault_;  // of `out_`, within a call of libarchive
  bool is_over_ = false;        // nothing is written any more
  archive* archive_;
};

/// Reads one: nothing is put anywhere, names are only told.
class TarReader {
 public:
  struct Entry {
    std::string name;
    std::int64_t size = 0;
    bool is_plain = false;  ///< a file: no link, folder, device, or file with holes
  };

  explicit TarReader(ZstdReader& in);
  ~TarReader();
  TarReader(const TarReader&) = delete;
  TarReader& operator=(const TarReader&) = delete;

  /// Empty: the archive has ended. An error of the code `unsupported` is the archive's own, any other that of what it
  /// lies in.
  Result<std::optional<Entry>> next();
  /// Bytes of the entry, until the next call; empty: that was all.
  Result<std::string_view> read();
  /// After the archive's end: nothing but zeros follows, and the file ends as it should.
  Status finish();

 private:
  static long get(archive*, void* self, const void** bytes);
  Error error();

  ZstdReader& in_;
  std::string_view given_;  // to libarchive, last
  std::uint64_t given_in_all_ = 0;
  std::optional<Error> fault_;  // of `in_`, within a call of libarchive
  archive* archive_;
};

}  // namespace scoville::store

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "store/bundle.hpp"
#include "store/tar.hpp"
#include "store/zstd_file.hpp"

namespace scoville::store {

/// Takes what a bundle holds, a piece at a time, in its order. The views live until the call returns. An Error ends the
/// reading.
class BundleSink {
 public:
  virtual ~BundleSink() = default;
  virtual Status begin(const BundledRun& run) = 0;
  virtual Status end(const BundledRun& run) = 0;
  virtual Status document(const std::string& name, std::string_view body) = 0;
  /// A part that repeats, for people, what the run's manifest says.
  virtual Status copy(PartKind kind, std::string_view text) = 0;
  virtual Status block(const Frame& frame) = 0;
  virtual Status tail(const Frame& frame) = 0;
  virtual Status answer(const AnswerLine& line) = 0;
};

/// Reads a bundle once, from its beginning to its end: the parts must be those of its manifest, all of them and no
/// other, in their order, of their size and SHA-256. Nothing is put on disk under any name.
class BundleReader {
 public:
  static Result<std::unique_ptr<BundleReader>> open(const std::string& path, const BundleLimits& limits,
                                                    BundleProgress progress);

  const BundleManifest& manifest() const { return manifest_; }
  const std::string& manifest_sha256() const { return manifest_sha256_; }

  /// Everything after the manifest.
  Status read(BundleSink& sink);

  // After read():
  std::uint64_t packed() const { return in_->packed(); }
  const std::string& sha256() const { return in_->sha256(); }

 private:
  BundleReader(std::unique_ptr<ZstdReader> in, std::string path)
      : in_(std::move(in)), tar_(*in_), path_(std::move(path)) {}
  Status read_manifest(const BundleLimits& limits);
  Status read_run(const BundledRun& run, BundleSink& sink);
  Status read_part(const BundledPart& part, const PartName& name, BundleSink& sink);
  Status expect(const BundledPart& part);
  Status no_more();
  Status take(const PartName& name, BundleSink& sink, const BundledPart& part);
  Status each_piece(const BundledPart& part, const std::function<Status(std::string_view)>& piece);
  bool was_read(const std::string& name) const;
  Error in_file(Error error) const;

  std::unique_ptr<ZstdReader> in_;
  TarReader tar_;
  std::string path_;
  BundleManifest manifest_;
  std::string manifest_sha256_;
  std::size_t next_ = 0;  ///< of the manifest's parts
};

}  // namespace scoville::store

#include "trace/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace scoville::trace {
namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~FileSource() override { ::close(descriptor_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read(char* to, std::size_t size) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, to, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return Error{ErrorCode::io, fmt::format("{}: {}", path_, std::strerror(errno))};
    }
  }

 private:
  int descriptor_;
  std::string path_;
};

class TextSource final : public ByteSource {
 public:
  explicit TextSource(std::string_view text) : rest_(text) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    const std::size_t n = std::min(size, rest_.size());
    std::copy_n(rest_.data(), n, to);
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
};

/// What was read already to look at it, and then the rest.
class ResumedSource final : public ByteSource {
 public:
  ResumedSource(std::string head, std::unique_ptr<ByteSource> rest) : head_(std::move(head)), rest_(std::move(rest)) {}
  Result<std::size_t> read(char* to, std::size_t size) override {
    if (at_ == head_.size()) return rest_->read(to, size);
    const std::size_t n = std::min(size, head_.size() - at_);
    std::copy_n(head_.data() + at_, n, to);
    at_ += n;
    return n;
  }

 private:
  std::string head_;
  std::unique_ptr<ByteSource> rest_;
  std::size_t at_ = 0;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed) : packed_(std::move(packed)) {
    is_ready_ = inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK;
  }
  ~GzipSource() override {
    if (is_ready_) inflateEnd(&stream_);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Result<std::size_t> read(char* to, std::size_t size) override {
    if (!is_ready_) return Error{ErrorCode::resource, "zlib"};
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (!is_over_ && stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        Result<std::size_t> got = packed_->read(input_.data(), input_.size());
        if (!got) return got;
        if (*got == 0) {
          is_over_ = true;
          is_cut_ = !is_between_members_;
          break;
        }
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(*got);
      }
      unpack();
    }
    return size - stream_.avail_out;
  }
  bool is_cut() const override { return is_cut_; }

 private:
  void unpack() {
    if (is_between_members_ && was_read_ && *stream_.next_in == 0) {  // some writers fill up with zeros
      ++stream_.next_in;
      --stream_.avail_in;
      return;
    }
    is_between_members_ = false;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    was_read_ = true;
    if (status == Z_STREAM_END) {
      is_between_members_ = true;
      is_over_ = inflateReset(&stream_) != Z_OK;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      is_over_ = is_cut_ = true;
    }
  }

  std::unique_ptr<ByteSource> packed_;
  z_stream stream_{};
  std::array<char, 1 << 16> input_;
  bool is_ready_ = false, is_over_ = false, is_cut_ = false, is_between_members_ = true, was_read_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> source_of(std::string_view text) { return std::make_unique<TextSource>(text); }

Result<std::unique_ptr<ByteSource>> open_source(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    const ErrorCode code = errno == ENOENT ? ErrorCode::not_found : ErrorCode::io;
    return Error{code, fmt::format("{}: {}", path, std::strerror(errno))};
  }
  std::unique_ptr<ByteSource> file = std::make_unique<FileSource>(descriptor, path);
  std::string head(2, '\0');
  std::size_t had = 0;
  while (had < head.size()) {
    Result<std::size_t> got = file->read(head.data() + had, head.size() - had);
    if (!got) return got.error();
    if (*got == 0) break;
    had += *got;
  }
  head.resize(had);
  const bool is_gzip = head == "\x1f\x8b";
  std::unique_ptr<ByteSource> whole = std::make_unique<ResumedSource>(std::move(head), std::move(file));
  if (is_gzip) whole = std::make_unique<GzipSource>(std::move(whole));
  return whole;
}

Result<bool> LineReader::refill() {
  constexpr std::size_t kBlock = 1 << 16;
  buffer_.erase(0, at_);
  at_ = 0;
  const std::size_t had = buffer_.size();
  buffer_.resize(had + kBlock);
  Result<std::size_t> got = source_.read(buffer_.data() + had, kBlock);
  if (!got) return got.error();
  buffer_.resize(had + *got);
  is_over_ = *got == 0;
  return !is_over_;
}

Result<bool> LineReader::next(std::string_view& line) {
  std::size_t searched = at_;
  for (;;) {
    std::size_t end = buffer_.find('\n', searched);
    const bool is_last = end == std::string::npos && is_over_;
    if (is_last) {
      if (at_ == buffer_.size()) return false;
      end = buffer_.size();
    }
    if (end != std::string::npos) {
      line = std::string_view(buffer_).substr(at_, end - at_);
      at_ = std::min(buffer_.size(), end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (is_first_ && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
      is_first_ = false;
      line = line.substr(0, kLongestLine);
      return true;
    }
    if (buffer_.size() - at_ > 2 * kLongestLine) buffer_.resize(at_ + kLongestLine);
    searched = buffer_.size() - at_;
    if (Result<bool> more = refill(); !more) return more;
  }
}

}  // namespace scoville::trace

#include "store/zstd_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/check.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

constexpr int kCompression = 3;
constexpr int kLargestWindow = 27;  // 128 MiB: what a frame may ask of the reader's memory
constexpr std::array<unsigned char, 4> kMagic{0x28, 0xb5, 0x2f, 0xfd};

Error fault(Msg what) { return {ErrorCode::protocol, say(what)}; }

}  // namespace

void ZstdWriter::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

ZstdWriter::ZstdWriter(NewFile& file) : context_(ZSTD_createCCtx()), file_(file), out_(ZSTD_CStreamOutSize()) {
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kCompression);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

Status ZstdWriter::write(std::string_view bytes) { return compress(bytes, Ending::none); }
Status ZstdWriter::flush() { return compress({}, Ending::block); }
Status ZstdWriter::finish() { return compress({}, Ending::frame); }

Status ZstdWriter::compress(std::string_view bytes, Ending ending) {
  const ZSTD_EndDirective directive = ending == Ending::none    ? ZSTD_e_continue
                                      : ending == Ending::block ? ZSTD_e_flush
                                                                : ZSTD_e_end;
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  for (;;) {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, directive);
    SCOVILLE_CHECK(!ZSTD_isError(left), "zstd compresses whatever it is given");
    if (Status wrote = file_.write({out_.data(), out.pos}); !wrote) return wrote;
    if (in.pos == in.size && (ending == Ending::none || left == 0)) return Done{};
  }
}

void ZstdReader::Free::operator()(ZSTD_DCtx_s* context) const { ZSTD_freeDCtx(context); }

Result<std::unique_ptr<ZstdReader>> ZstdReader::open(const std::string& path, std::uint64_t most_unpacked,
                                                     Progress progress) {
  // Not to wait for ever at a named pipe.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Error{errno == ENOENT ? ErrorCode::not_found : ErrorCode::io, std::strerror(errno)};
  struct stat about {};
  const bool is_known = ::fstat(fd, &about) == 0;
  std::unique_ptr<ZstdReader> reader(
      new ZstdReader(fd, is_known ? static_cast<std::uint64_t>(about.st_size) : 0, most_unpacked, std::move(progress)));
  if (!is_known || !S_ISREG(about.st_mode)) return fault(Msg::bundle_no_file);
  std::array<unsigned char, 4> magic{};
  const ssize_t got = ::pread(fd, magic.data(), magic.size(), 0);
  if (got != static_cast<ssize_t>(magic.size()) || magic != kMagic) return fault(Msg::bundle_no_bundle);
  return reader;
}

ZstdReader::ZstdReader(int fd, std::uint64_t size, std::uint64_t most, Progress progress)
    : context_(ZSTD_createDCtx()),
      fd_(fd),
      size_(size),
      most_(most),
      progress_(std::move(progress)),
      in_(ZSTD_DStreamInSize()),
      out_(ZSTD_DStreamOutSize()) {
  ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kLargestWindow);
}

ZstdReader::~ZstdReader() { ::close(fd_); }

Status ZstdReader::refill() {
  if (progress_ && !progress_(read_, size_)) return Error{ErrorCode::aborted, say(Msg::bundle_stopped)};
  ssize_t got = 0;
  do {
    got = ::read(fd_, in_.data(), in_.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0) return Error{ErrorCode::io, std::strerror(errno)};
  in_at_ = 0;
  in_size_ = static_cast<std::size_t>(got);
  read_ += in_size_;
  hash_.add({in_.data(), in_size_});
  return Done{};
}

Status ZstdReader::end_of_file() {
  if (in_at_ == in_size_) {
    if (Status read = refill(); !read) return read;
  }
  if (in_at_ != in_size_) return fault(Msg::bundle_more_follows);
  if (sha256_.empty()) sha256_ = hash_.finish();
  return Done{};
}

Result<std::string_view> ZstdReader::read() {
  while (!has_ended_) {
    if (in_at_ == in_size_) {
      if (Status read = refill(); !read) return read.error();
      if (in_size_ == 0) return fault(Msg::bundle_cut_off);
    }
    // Block by block: what lies before a damaged block is still given.
    ZSTD_inBuffer in{in_.data(), std::min(in_size_, in_at_ + wanted_), in_at_};
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    const std::size_t left = ZSTD_decompressStream(context_.get(), &out, &in);
    in_at_ = in.pos;
    if (ZSTD_isError(left)) return fault(Msg::bundle_damaged);
    has_ended_ = left == 0;
    wanted_ = std::max<std::size_t>(left, 1);
    unpacked_ += out.pos;
    if (unpacked_ > most_) return fault(Msg::bundle_unpacks_to_more);
    if (out.pos > 0) return std::string_view(out_.data(), out.pos);
  }
  if (sha256_.empty()) {
    if (Status ended = end_of_file(); !ended) return ended.error();
  }
  return std::string_view();
}

}  // namespace scoville::store

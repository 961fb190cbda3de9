#include "wire/inflate.hpp"

#include <zlib.h>

namespace scoville::wire {

struct Inflate::Impl {
  z_stream stream{};
  bool is_open = false;
};

Inflate::Inflate() : impl_(std::make_unique<Impl>()) {
  impl_->is_open = inflateInit2(&impl_->stream, 15 + 32) == Z_OK;  // 32: gzip or zlib, by its first bytes
}

Inflate::~Inflate() {
  if (impl_->is_open) inflateEnd(&impl_->stream);
}

bool Inflate::knows(std::string_view coding) { return coding == "gzip" || coding == "x-gzip" || coding == "deflate"; }

bool Inflate::feed(std::string_view bytes, std::string& out) {
  if (!impl_->is_open) return false;
  z_stream& stream = impl_->stream;
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  char block[16384];
  do {
    stream.next_out = reinterpret_cast<Bytef*>(block);
    stream.avail_out = sizeof block;
    const int done = inflate(&stream, Z_SYNC_FLUSH);
    out.append(block, sizeof block - stream.avail_out);
    if (done == Z_STREAM_END || done == Z_BUF_ERROR) return true;
    if (done != Z_OK) return false;
  } while (stream.avail_in > 0 || stream.avail_out == 0);
  return true;
}

}  // namespace scoville::wire

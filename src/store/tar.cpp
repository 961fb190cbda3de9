#include "store/tar.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <cerrno>

#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};

std::string words_of(archive* from) {
  const char* const words = archive_error_string(from);
  return words ? words : "?";
}

bool holds_only_zeros(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; });
}

}  // namespace

TarWriter::TarWriter(ZstdWriter& out) : out_(out), archive_(archive_write_new()) {
  archive_write_set_format_pax_restricted(archive_);  // ustar, as long as a part has fewer than 8 GiB
  archive_write_set_bytes_per_block(archive_, 0);     // every piece is handed on as it comes
  archive_write_open(archive_, this, nullptr, &TarWriter::put, nullptr);
}

TarWriter::~TarWriter() {
  is_over_ = true;
  archive_write_free(archive_);  // it closes what is open, which may write; archive_write_fail() would leak
}

long TarWriter::put(archive* to, void* self, const void* bytes, std::size_t size) {
  auto* const writer = static_cast<TarWriter*>(self);
  if (writer->is_over_) return static_cast<long>(size);
  const Status wrote = writer->out_.write({static_cast<const char*>(bytes), size});
  if (wrote) return static_cast<long>(size);
  writer->fault_ = wrote.error();
  archive_set_error(to, EIO, "%s", "write");
  return -1;
}

Status TarWriter::status_of(int code) {
  if (fault_) return *fault_;
  if (code == ARCHIVE_OK) return Done{};
  return Error{ErrorCode::io, words_of(archive_)};
}

Status TarWriter::begin(const std::string& name, std::int64_t size, Nanos modified) {
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  archive_entry_set_size(entry.get(), size);
  archive_entry_set_mtime(entry.get(), std::chrono::floor<std::chrono::seconds>(modified).count(), 0);
  return status_of(archive_write_header(archive_, entry.get()));
}

Status TarWriter::add(std::string_view bytes) {
  const la_ssize_t wrote = archive_write_data(archive_, bytes.data(), bytes.size());
  return status_of(wrote == static_cast<la_ssize_t>(bytes.size()) ? ARCHIVE_OK : ARCHIVE_FATAL);
}

Status TarWriter::end() {
  if (Status ended = status_of(archive_write_finish_entry(archive_)); !ended) return ended;
  return out_.flush();
}

Status TarWriter::close() { return status_of(archive_write_close(archive_)); }

TarReader::TarReader(ZstdReader& in) : in_(in), archive_(archive_read_new()) {
  archive_read_support_format_tar(archive_);
  archive_read_open(archive_, this, nullptr, &TarReader::get, nullptr);
}

TarReader::~TarReader() { archive_read_free(archive_); }

long TarReader::get(archive* to, void* self, const void** bytes) {
  auto* const reader = static_cast<TarReader*>(self);
  const Result<std::string_view> got = reader->in_.read();
  if (!got) {
    reader->fault_ = got.error();
    archive_set_error(to, EIO, "%s", "read");
    return ARCHIVE_FATAL;
  }
  reader->given_ = *got;
  reader->given_in_all_ += got->size();
  *bytes = got->data();
  return static_cast<long>(got->size());
}

Error TarReader::error() {
  if (fault_) return *fault_;
  return {ErrorCode::unsupported, say(Msg::bundle_bad_tar, words_of(archive_))};
}

Result<std::optional<TarReader::Entry>> TarReader::next() {
  archive_entry* entry = nullptr;
  const int code = archive_read_next_header(archive_, &entry);
  if (code == ARCHIVE_EOF && !fault_) return std::optional<Entry>();
  if (code != ARCHIVE_OK) return error();
  Entry out;
  const char* const name = archive_entry_pathname(entry);
  out.name = name ? name : "?";
  out.size = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : 0;
  out.is_plain = archive_entry_filetype(entry) == AE_IFREG && !archive_entry_hardlink(entry) &&
                 !archive_entry_symlink(entry) && archive_entry_sparse_count(entry) == 0;
  return std::optional(std::move(out));
}

Result<std::string_view> TarReader::read() {
  const void* bytes = nullptr;
  std::size_t size = 0;
  la_int64_t at = 0;
  const int code = archive_read_data_block(archive_, &bytes, &size, &at);
  if (code == ARCHIVE_EOF && !fault_) return std::string_view();
  if (code != ARCHIVE_OK) return error();
  return std::string_view(static_cast<const char*>(bytes), size);
}

Status TarReader::finish() {
  const auto taken = static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(archive_, 0)));
  const std::uint64_t rest = std::min<std::uint64_t>(given_in_all_ - std::min(taken, given_in_all_), given_.size());
  std::string_view bytes = given_.substr(given_.size() - rest);
  for (;;) {
    if (!holds_only_zeros(bytes)) return Error{ErrorCode::protocol, say(Msg::bundle_more_follows)};
    const Result<std::string_view> more = in_.read();
    if (!more) return more.error();
    if (more->empty()) return Done{};
    bytes = *more;
  }
}

}  // namespace scoville::store

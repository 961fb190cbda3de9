#include "numerics/safetensors.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "base/json.hpp"
#include "base/new_file.hpp"

namespace scoville::numerics {
namespace {

constexpr std::size_t kLengthBytes = 8;
/// The format's own limit for its header.
constexpr std::uint64_t kLongestHeader = 100'000'000;
constexpr const char* kMetadata = "__metadata__";

struct Dtype {
  std::string_view name;
  unsigned bits;
};
constexpr std::array kDtypes{Dtype{"F64", 64},    Dtype{"F32", 32},    Dtype{"F16", 16},    Dtype{"BF16", 16},
                             Dtype{"F8_E4M3", 8}, Dtype{"F8_E5M2", 8}, Dtype{"F8_E8M0", 8}, Dtype{"I64", 64},
                             Dtype{"U64", 64},    Dtype{"I32", 32},    Dtype{"U32", 32},    Dtype{"I16", 16},
                             Dtype{"U16", 16},    Dtype{"I8", 8},      Dtype{"U8", 8},      Dtype{"BOOL", 8},
                             Dtype{"C64", 64},    Dtype{"F4", 4}};

Error bad(std::string words) { return {ErrorCode::invalid_argument, std::move(words)}; }

Error system_error(const std::string& path) {
  return {errno == ENOENT ? ErrorCode::not_found : ErrorCode::io, fmt::format("{}: {}", path, std::strerror(errno))};
}

/// A whole number of 0 or more.
std::optional<std::uint64_t> whole(const json::value& value) {
  json::error_code fault;
  const auto number = value.to_number<std::uint64_t>(fault);
  return fault ? std::nullopt : std::optional(number);
}

/// Bytes that a shape takes; empty beyond 2^63 bits or where they are no whole bytes.
std::optional<std::uint64_t> bytes_of(const std::vector<std::int64_t>& shape, unsigned bits) {
  std::uint64_t count = bits;
  bool is_zero = false;
  for (const std::int64_t side : shape) {
    is_zero = is_zero || side == 0;
    if (side > 0 && __builtin_mul_overflow(count, static_cast<std::uint64_t>(side), &count)) return std::nullopt;
  }
  if (is_zero) return 0;
  return count % 8 == 0 ? std::optional(count / 8) : std::nullopt;
}

Result<std::vector<std::int64_t>> shape_from(const json::value* value, const std::string& name) {
  std::vector<std::int64_t> shape;
  if (!value || !value->is_array()) return bad(fmt::format("tensor {}: shape: expected a list", name));
  for (const json::value& side : value->as_array()) {
    const auto number = whole(side);
    if (!number || *number > INT64_MAX) return bad(fmt::format("tensor {}: shape: expected whole numbers", name));
    shape.push_back(static_cast<std::int64_t>(*number));
  }
  return shape;
}

/// Where a tensor lies within the data.
Result<std::pair<std::uint64_t, std::uint64_t>> offsets_from(const json::value* value, const std::string& name) {
  if (value && value->is_array() && value->as_array().size() == 2) {
    const auto begin = whole(value->as_array()[0]), end = whole(value->as_array()[1]);
    if (begin && end && *begin <= *end) return std::pair(*begin, *end);
  }
  return bad(fmt::format("tensor {}: data_offsets: expected [begin, end]", name));
}

Result<StoredTensor> tensor_from(std::string name, const json::value& value, std::span<const std::byte> data) {
  const json::object* const fields = value.if_object();
  const json::value* const dtype = fields ? fields->if_contains("dtype") : nullptr;
  if (!dtype || !dtype->is_string()) return bad(fmt::format("tensor {}: expected dtype, shape and data_offsets", name));
  StoredTensor made{std::move(name), std::string(dtype->as_string()), {}, {}};
  const unsigned bits = bits_of(made.dtype);
  if (bits == 0) return bad(fmt::format("tensor {}: unknown dtype {}", made.name, made.dtype));
  auto shape = shape_from(fields->if_contains("shape"), made.name);
  if (!shape) return std::move(shape.error());
  made.shape = *std::move(shape);
  const auto offsets = offsets_from(fields->if_contains("data_offsets"), made.name);
  if (!offsets) return offsets.error();
  const auto [begin, end] = *offsets;
  if (end > data.size()) {
    return bad(fmt::format("tensor {} ends at byte {} of {}: the file is cut off", made.name, end, data.size()));
  }
  const auto needs = bytes_of(made.shape, bits);
  if (!needs || *needs != end - begin) {
    return bad(fmt::format("tensor {} has {} bytes, its shape asks for {}", made.name, end - begin,
                           needs ? fmt::to_string(*needs) : "more than there can be"));
  }
  made.bytes = data.subspan(begin, end - begin);
  return made;
}

Status metadata_from(const json::value& value, std::map<std::string, std::string>& to) {
  if (!value.is_object()) return bad("__metadata__: expected an object");
  for (const auto& [key, text] : value.as_object()) {
    if (!text.is_string()) return bad(fmt::format("__metadata__.{}: expected text", std::string(key)));
    to.emplace(key, text.as_string());
  }
  return Done{};
}

std::string header_of(std::span<const StoredTensor> tensors, const std::map<std::string, std::string>& metadata) {
  json::object header;
  if (!metadata.empty()) {
    json::object& words = header[kMetadata].emplace_object();
    for (const auto& [key, text] : metadata) words[key] = text;
  }
  std::uint64_t place = 0;
  for (const StoredTensor& each : tensors) {
    const std::uint64_t end = place + each.bytes.size();
    header[each.name] = {{"dtype", each.dtype},
                         {"shape", json::array(each.shape.begin(), each.shape.end())},
                         {"data_offsets", {place, end}}};
    place = end;
  }
  std::string words = json::serialize(header);
  words.resize((words.size() + 7) / 8 * 8, ' ');
  return words;
}

}  // namespace

unsigned bits_of(std::string_view dtype) {
  const auto found =
      std::find_if(kDtypes.begin(), kDtypes.end(), [&](const Dtype& each) { return each.name == dtype; });
  return found == kDtypes.end() ? 0 : found->bits;
}

Result<SafetensorsFile> SafetensorsFile::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return system_error(path);
  struct stat state {};
  void* place = MAP_FAILED;
  if (fstat(fd, &state) == 0 && S_ISREG(state.st_mode) && state.st_size >= static_cast<off_t>(kLengthBytes)) {
    place = mmap(nullptr, static_cast<std::size_t>(state.st_size), PROT_READ, MAP_PRIVATE, fd, 0);
  }
  close(fd);
  if (place == MAP_FAILED) return bad(path + ": no safetensors file: too short, or no regular file");
  SafetensorsFile file(static_cast<const std::byte*>(place), static_cast<std::size_t>(state.st_size));
  if (Status read = file.read_header(); !read) return std::move(read.error()).within(path);
  return file;
}

Status SafetensorsFile::read_header() {
  std::uint64_t length = 0;
  std::memcpy(&length, data_, kLengthBytes);  // little-endian, as every machine we run on
  if (length > kLongestHeader || length > size_ - kLengthBytes) {
    return bad(fmt::format("no safetensors file: it gives its header {} bytes", length));
  }
  json::error_code fault;
  const json::value header =
      json::parse({reinterpret_cast<const char*>(data_) + kLengthBytes, static_cast<std::size_t>(length)}, fault);
  if (fault || !header.is_object()) return bad("no safetensors file: its header is not a JSON object");
  const std::span<const std::byte> data(data_ + kLengthBytes + length, size_ - kLengthBytes - length);
  for (const auto& [name, value] : header.as_object()) {
    if (name == kMetadata) {
      if (Status read = metadata_from(value, metadata_); !read) return read;
      continue;
    }
    auto tensor = tensor_from(std::string(name), value, data);
    if (!tensor) return std::move(tensor.error());
    tensors_.push_back(*std::move(tensor));
  }
  std::sort(tensors_.begin(), tensors_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return Done{};
}

SafetensorsFile::SafetensorsFile(SafetensorsFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(other.size_),
      tensors_(std::move(other.tensors_)),
      metadata_(std::move(other.metadata_)) {}

SafetensorsFile::~SafetensorsFile() {
  if (data_) munmap(const_cast<std::byte*>(data_), size_);
}

const StoredTensor* SafetensorsFile::find(std::string_view name) const {
  const auto at =
      std::lower_bound(tensors_.begin(), tensors_.end(), name,
                       [](const StoredTensor& each, std::string_view wanted) { return each.name < wanted; });
  return at != tensors_.end() && at->name == name ? &*at : nullptr;
}

Status write_safetensors(const std::string& path, std::span<const StoredTensor> tensors,
                         const std::map<std::string, std::string>& metadata) {
  const std::string header = header_of(tensors, metadata);
  const std::uint64_t length = header.size();
  auto file = NewFile::create(path);
  if (!file) return std::move(file.error());
  const auto put = [&](const void* bytes, std::size_t size) {
    return file->write({static_cast<const char*>(bytes), size});
  };
  if (Status written = put(&length, kLengthBytes); !written) return written;
  if (Status written = put(header.data(), header.size()); !written) return written;
  for (const StoredTensor& each : tensors) {
    if (Status written = put(each.bytes.data(), each.bytes.size()); !written) return written;
  }
  return file->publish(NewFile::Existing::replaced);
}

}  // namespace scoville::numerics

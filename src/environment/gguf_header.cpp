#include "environment/gguf_header.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <optional>

#include "text/catalogue.hpp"

namespace scoville::environment {
namespace {

using text::Msg;

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in the file");

enum class Type : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, string, array, u64, i64, f64 };
constexpr std::array<std::uint64_t, 13> kSizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::uint64_t kLongestText = 1 << 20;  ///< of a value that is kept; a longer one is passed over
constexpr int kDeepest = 8;                      ///< arrays within arrays

/// The places that are empty had types which llama.cpp no longer reads.
constexpr std::array<std::string_view, 41> kFileTypes{
    "F32",   "F16",     "Q4_0",      "Q4_1",   "Q4_1_SOME_F16", "",        "",         "Q8_0",     "Q5_0",
    "Q5_1",  "Q2_K",    "Q3_K_S",    "Q3_K_M", "Q3_K_L",        "Q4_K_S",  "Q4_K_M",   "Q5_K_S",   "Q5_K_M",
    "Q6_K",  "IQ2_XXS", "IQ2_XS",    "Q2_K_S", "IQ3_XS",        "IQ3_XXS", "IQ1_S",    "IQ4_NL",   "IQ3_S",
    "IQ3_M", "IQ2_S",   "IQ2_M",     "IQ4_XS", "IQ1_M",         "BF16",    "Q4_0_4_4", "Q4_0_4_8", "Q4_0_8_8",
    "TQ1_0", "TQ2_0",   "MXFP4_MOE", "NVFP4",  "Q1_0"};

class GgufReader {
 public:
  explicit GgufReader(const std::string& path) : file_(path, std::ios::binary | std::ios::ate) {
    if (!file_) return;
    left_ = static_cast<std::uint64_t>(std::max<std::streamoff>(file_.tellg(), 0));
    file_.seekg(0);
  }
  bool is_open() const { return file_.is_open(); }

  template <class T>
  std::optional<T> number() {
    T value{};
    if (!take(&value, sizeof value)) return std::nullopt;
    return value;
  }
  bool skip(std::uint64_t n) {
    if (n > left_) return false;
    left_ -= n;
    file_.seekg(static_cast<std::streamoff>(n), std::ios::cur);
    return static_cast<bool>(file_);
  }
  /// Empty for one that is too long to keep.
  std::optional<std::string> string() {
    const std::optional<std::uint64_t> length = number<std::uint64_t>();
    if (!length || *length > left_) return std::nullopt;
    if (*length > kLongestText) return skip(*length) ? std::optional<std::string>("") : std::nullopt;
    std::string out(*length, '\0');
    if (!take(out.data(), out.size())) return std::nullopt;
    return out;
  }
  std::optional<json::value> value(std::uint32_t type, int depth = 0) {
    switch (static_cast<Type>(type)) {
      case Type::u8:
        return as_json(number<std::uint8_t>());
      case Type::i8:
        return as_json(number<std::int8_t>());
      case Type::u16:
        return as_json(number<std::uint16_t>());
      case Type::i16:
        return as_json(number<std::int16_t>());
      case Type::u32:
        return as_json(number<std::uint32_t>());
      case Type::i32:
        return as_json(number<std::int32_t>());
      case Type::u64:
        return as_json(number<std::uint64_t>());
      case Type::i64:
        return as_json(number<std::int64_t>());
      case Type::f32:
        return real(number<float>());
      case Type::f64:
        return real(number<double>());
      case Type::boolean: {
        const std::optional<std::uint8_t> byte = number<std::uint8_t>();
        return byte ? std::optional<json::value>(*byte != 0) : std::nullopt;
      }
      case Type::string: {
        std::optional<std::string> text = string();
        return text ? std::optional<json::value>(json::value(*text)) : std::nullopt;
      }
      case Type::array:
        return array(depth);
    }
    return std::nullopt;
  }

 private:
  bool take(void* to, std::uint64_t n) {
    if (n > left_) return false;
    left_ -= n;
    file_.read(static_cast<char*>(to), static_cast<std::streamsize>(n));
    return static_cast<bool>(file_);
  }
  template <class T>
  static std::optional<json::value> as_json(std::optional<T> n) {
    return n ? std::optional<json::value>(*n) : std::nullopt;
  }
  static std::optional<json::value> real(std::optional<double> n) {
    if (!n) return std::nullopt;
    return std::isfinite(*n) ? json::value(*n) : json::value(nullptr);
  }
  /// Passes over an array; its length.
  std::optional<json::value> array(int depth) {
    const std::optional<std::uint32_t> type = number<std::uint32_t>();
    const std::optional<std::uint64_t> length = number<std::uint64_t>();
    if (!type || !length || *type >= kSizes.size() || *length > left_ || depth >= kDeepest) return std::nullopt;
    if (const std::uint64_t size = kSizes[*type]) {
      if (!skip(*length * size)) return std::nullopt;  // no overflow: the length is below that of the file
      return json::value(*length);
    }
    for (std::uint64_t i = 0; i < *length; ++i) {
      if (!value(*type, depth + 1)) return std::nullopt;
    }
    return json::value(*length);
  }

  std::ifstream file_;
  std::uint64_t left_ = 0;
};

/// Elements of the next tensor in the list; empty where there is none that can be read.
std::optional<std::uint64_t> read_tensor(GgufReader& reader, std::string& name) {
  constexpr std::uint32_t kMostDimensions = 8;
  const std::optional<std::string> held = reader.string();
  const std::optional<std::uint32_t> dimensions = reader.number<std::uint32_t>();
  if (!held || !dimensions || *dimensions > kMostDimensions) return std::nullopt;
  name = *held;
  std::uint64_t elements = 1;
  for (std::uint32_t i = 0; i < *dimensions; ++i) {
    const std::optional<std::uint64_t> size = reader.number<std::uint64_t>();
    if (!size || __builtin_mul_overflow(elements, *size, &elements)) return std::nullopt;
  }
  constexpr std::uint64_t kTypeAndOffset = 4 + 8;
  return reader.skip(kTypeAndOffset) ? std::optional(elements) : std::nullopt;
}

/// The list of tensors behind the metadata.
void read_tensors(GgufReader& reader, GgufHeader& out) {
  std::uint64_t parameters = 0;
  bool has_head = false, has_embedding = false;
  for (std::uint64_t i = 0; i < out.tensor_count; ++i) {
    std::string name;
    const std::optional<std::uint64_t> elements = read_tensor(reader, name);
    if (!elements) return;
    parameters += *elements;
    has_head = has_head || name == "output.weight";
    has_embedding = has_embedding || name == "token_embd.weight";
  }
  if (out.tensor_count == 0) return;
  out.parameters = parameters;
  if (has_embedding) out.ties_embeddings = !has_head;
}

}  // namespace

const json::value* GgufHeader::find(std::string_view key) const {
  const auto found = metadata.find(key);
  return found == metadata.end() ? nullptr : &found->second;
}

std::string GgufHeader::text(std::string_view key) const {
  const json::value* const held = find(key);
  return held && held->is_string() ? std::string(held->get_string()) : std::string();
}

Result<GgufHeader> read_gguf_header(const std::string& path) {
  const auto fail = [&](std::string what) { return Error{ErrorCode::invalid_argument, path + ": " + std::move(what)}; };
  GgufReader reader(path);
  constexpr std::uint32_t kMagic = 0x46554747;  // "GGUF"
  if (!reader.is_open() || reader.number<std::uint32_t>() != kMagic) return fail(text::say(Msg::gguf_not));
  const std::optional<std::uint32_t> version = reader.number<std::uint32_t>();
  if (version && *version != 2 && *version != 3) return fail(text::say(Msg::gguf_version, *version));
  const std::optional<std::uint64_t> tensors = reader.number<std::uint64_t>();
  const std::optional<std::uint64_t> entries = reader.number<std::uint64_t>();
  if (!entries) return fail(text::say(Msg::gguf_broken));
  GgufHeader out;
  out.version = *version;
  out.tensor_count = *tensors;
  for (std::uint64_t i = 0; i < *entries; ++i) {
    const std::optional<std::string> key = reader.string();
    const std::optional<std::uint32_t> type = reader.number<std::uint32_t>();
    if (!key || !type) return fail(text::say(Msg::gguf_broken));
    std::optional<json::value> value = reader.value(*type);
    if (!value) return fail(text::say(Msg::gguf_broken));
    out.metadata[*key] = std::move(*value);
  }
  read_tensors(reader, out);
  return out;
}

std::string_view gguf_file_type(std::int64_t number) {
  if (number < 0 || number >= static_cast<std::int64_t>(kFileTypes.size())) return "";
  return kFileTypes[static_cast<std::size_t>(number)];
}

}  // namespace scoville::environment

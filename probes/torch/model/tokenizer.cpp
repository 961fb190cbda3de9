#include "model/tokenizer.hpp"

#include <numeric>
#include <utility>

namespace scoville::torch_probe::model {
namespace {

constexpr std::int64_t kBegin = 256, kSystem = 258, kUser = 259, kAssistant = 260;
constexpr std::string_view kUnknown = "\xef\xbf\xbd";

void append_bytes(std::vector<std::int64_t>& ids, std::string_view text) {
  for (const char each : text) ids.push_back(static_cast<unsigned char>(each));
}

class Bytes final : public Tokenizer {
 public:
  std::string kind() const override { return "bytes"; }
  Result<std::vector<std::int64_t>> encode(std::string_view text, bool special) const override {
    std::vector<std::int64_t> ids;
    if (special) ids.push_back(kBegin);
    append_bytes(ids, text);
    return ids;
  }
  Result<std::vector<std::int64_t>> encode_chat(const std::vector<ChatMessage>& messages) const override {
    std::vector<std::int64_t> ids{kBegin};
    for (const ChatMessage& each : messages) {
      ids.push_back(each.role == "system" ? kSystem : each.role == "assistant" ? kAssistant : kUser);
      append_bytes(ids, each.content);
    }
    ids.push_back(kAssistant);
    return ids;
  }
  std::string bytes_of(std::int64_t id) const override {
    return id >= 0 && id < 256 ? std::string(1, static_cast<char>(id)) : std::string();
  }
  std::vector<std::int64_t> answers() const override {
    std::vector<std::int64_t> printable(0x7f - 0x20);
    std::iota(printable.begin(), printable.end(), 0x20);
    return printable;
  }
};

class Ids final : public Tokenizer {
 public:
  std::string kind() const override { return "ids"; }
  Result<std::vector<std::int64_t>> encode(std::string_view, bool) const override {
    return Error{ErrorCode::unsupported,
                 "this model's tokenizer is not loaded: the prompt has to be a list of token ids"};
  }
  Result<std::vector<std::int64_t>> encode_chat(const std::vector<ChatMessage>&) const override {
    return encode("", true);
  }
  std::string bytes_of(std::int64_t id) const override { return "<" + std::to_string(id) + ">"; }
  std::string caveat() const override { return "token ids in, token ids out: no tokenizer.json that is read"; }
};

/// Bytes of the character that begins with this one; 0 of a byte that begins none.
std::size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

/// The second byte of a long character has a narrower range than those behind it (Unicode 15, table 3-7).
bool continues(std::string_view so_far, unsigned char next) {
  if (next < 0x80 || next > 0xbf) return false;
  if (so_far.size() != 1) return true;
  switch (static_cast<unsigned char>(so_far[0])) {
    case 0xe0:
      return next >= 0xa0;
    case 0xed:
      return next <= 0x9f;
    case 0xf0:
      return next >= 0x90;
    case 0xf4:
      return next <= 0x8f;
    default:
      return true;
  }
}

}  // namespace

std::unique_ptr<Tokenizer> byte_tokenizer() { return std::make_unique<Bytes>(); }
std::unique_ptr<Tokenizer> id_tokenizer() { return std::make_unique<Ids>(); }

std::string TextCutter::push(std::string_view bytes) {
  std::string out;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    if (!kept_.empty() && !continues(kept_, byte)) {
      out += kUnknown;
      kept_.clear();
    }
    if (kept_.empty() && length_by(byte) == 0) {
      out += kUnknown;
      continue;
    }
    kept_ += each;
    if (kept_.size() == length_by(static_cast<unsigned char>(kept_[0]))) out += std::exchange(kept_, {});
  }
  return out;
}

std::string TextCutter::rest() { return std::exchange(kept_, {}).empty() ? std::string() : std::string(kUnknown); }

}  // namespace scoville::torch_probe::model

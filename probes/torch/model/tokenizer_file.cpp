#include "model/tokenizer_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/file.hpp"
#include "base/json.hpp"

namespace scoville::torch_probe::model {
namespace {

std::string utf8(unsigned code) {  // below U+0800: all that stands for a byte
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  return {static_cast<char>(0xc0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3f))};
}

/// GPT-2's way to write bytes as characters: printable ones as themselves, the others from U+0100 on.
std::array<std::string, 256> byte_letters() {
  std::array<std::string, 256> letters;
  unsigned next = 256;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const bool prints = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    letters[byte] = utf8(prints ? byte : next++);
  }
  return letters;
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}
bool is_other(char c) { return !is_space(c) && !is_digit(c) && !is_letter(c); }

/// The length of the word that `text` begins with; `digits`: the most in one word.
std::size_t word_length(std::string_view text, std::size_t digits) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(ending)) return ending.size();
  }
  const std::size_t blank = text[0] == ' ' && text.size() > 1 && !is_space(text[1]) ? 1 : 0;
  const char first = text[blank];
  const auto run = [&](auto kind, std::size_t most) {
    std::size_t end = blank;
    while (end < text.size() && end - blank < most && kind(text[end])) ++end;
    return end;
  };
  if (is_letter(first)) return run(is_letter, text.size());
  if (is_digit(first)) return digits < 3 && blank ? 1 : run(is_digit, digits);
  if (!is_space(first)) return run(is_other, text.size());
  std::size_t end = run(is_space, text.size());
  return end < text.size() && end > 1 ? end - 1 : end;  // the last blank belongs to the word behind
}

class Bpe final : public Tokenizer {
 public:
  std::unordered_map<std::string, std::int64_t> vocab, special, ranks;
  std::optional<std::int64_t> begin;
  std::size_t digits = ~std::size_t{0};

  void finish() {
    for (unsigned byte = 0; byte < 256; ++byte) byte_of_[letters_[byte]] = static_cast<char>(byte);
    for (const auto& [text, id] : vocab) text_of_[id] = text;
    for (const auto& [text, id] : special) text_of_[id] = "";
  }

  std::string kind() const override { return "bpe"; }
  std::string caveat() const override {
    return "words are cut as GPT-2 cuts them; conversations are ChatML where the model knows its marks: other "
           "templates "
           "and scripts may give other ids than the makers' own tokenizer";
  }

  Result<std::vector<std::int64_t>> encode(std::string_view text, bool with_special) const override {
    std::vector<std::int64_t> ids;
    if (with_special && begin) ids.push_back(*begin);
    append(text, ids);
    return ids;
  }

  Result<std::vector<std::int64_t>> encode_chat(const std::vector<ChatMessage>& messages) const override {
    std::vector<std::int64_t> ids;
    if (begin) ids.push_back(*begin);
    const auto start = special.find("<|im_start|>"), stop = special.find("<|im_end|>");
    const bool has_marks = start != special.end() && stop != special.end();
    for (const ChatMessage& each : messages) {
      if (has_marks) ids.push_back(start->second);
      append(each.role + (has_marks ? "\n" : ": ") + each.content, ids);
      if (has_marks) ids.push_back(stop->second);
      append("\n", ids);
    }
    if (has_marks) ids.push_back(start->second);
    append(has_marks ? "assistant\n" : "assistant:", ids);
    return ids;
  }

  std::string bytes_of(std::int64_t id) const override {
    const auto found = text_of_.find(id);
    if (found == text_of_.end()) return "";
    std::string bytes;
    for (std::size_t at = 0; at < found->second.size();) {
      const std::size_t length = (found->second[at] & 0x80) == 0 ? 1 : 2;
      const auto byte = byte_of_.find(found->second.substr(at, length));
      if (byte != byte_of_.end()) bytes += byte->second;
      at += length;
    }
    return bytes;
  }

 private:
  void append(std::string_view text, std::vector<std::int64_t>& ids) const {
    while (!text.empty()) {
      const std::size_t length = word_length(text, digits);
      append_word(text.substr(0, length), ids);
      text.remove_prefix(length);
    }
  }

  /// Joins the pair that was learnt first, again and again.
  void append_word(std::string_view word, std::vector<std::int64_t>& ids) const {
    std::vector<std::string> parts;
    for (const char byte : word) parts.push_back(letters_[static_cast<unsigned char>(byte)]);
    for (;;) {
      std::size_t best = parts.size();
      std::int64_t least = INT64_MAX;
      for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        const auto rank = ranks.find(parts[i] + " " + parts[i + 1]);
        if (rank != ranks.end() && rank->second < least) least = rank->second, best = i;
      }
      if (best == parts.size()) break;
      parts[best] += parts[best + 1];
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    for (const std::string& part : parts) {
      if (const auto found = vocab.find(part); found != vocab.end()) ids.push_back(found->second);
    }
  }

  std::array<std::string, 256> letters_ = byte_letters();
  std::unordered_map<std::string, char> byte_of_;
  std::unordered_map<std::int64_t, std::string> text_of_;
};

Error bad(std::string words) { return {ErrorCode::invalid_argument, std::move(words)}; }

const json::value* member(const json::value& value, std::string_view key) {
  const json::value* const found = value.is_object() ? value.as_object().if_contains(key) : nullptr;
  return found && !found->is_null() ? found : nullptr;
}

/// Digits in one word, from how the file says that text is cut.
std::size_t digits_by(const json::value& root) {
  const json::value* const cut = member(root, "pre_tokenizer");
  const std::string words = cut ? json::serialize(*cut) : "";
  if (words.find("\\\\p{N}{1,3}") != std::string::npos) return 3;
  const bool single =
      words.find("\"individual_digits\":true") != std::string::npos || (words.find("\\\\p{N}|") != std::string::npos);
  return single ? 1 : ~std::size_t{0};
}

Status read_merges(const json::value& merges, Bpe& to) {
  if (!merges.is_array()) return bad("model.merges: expected a list");
  for (const json::value& each : merges.as_array()) {
    std::string pair;
    if (each.is_string()) {
      pair = each.as_string();
    } else if (each.is_array() && each.as_array().size() == 2 && each.as_array()[0].is_string() &&
               each.as_array()[1].is_string()) {
      pair = std::string(each.as_array()[0].as_string()) + " " + std::string(each.as_array()[1].as_string());
    } else {
      return bad("model.merges: expected pairs of text");
    }
    to.ranks.emplace(std::move(pair), static_cast<std::int64_t>(to.ranks.size()));
  }
  return Done{};
}

Status read_vocab(const json::value& vocab, Bpe& to) {
  if (!vocab.is_object()) return bad("model.vocab: expected an object");
  for (const auto& [text, id] : vocab.as_object()) {
    if (!id.is_int64()) return bad("model.vocab: expected whole numbers");
    to.vocab.emplace(text, id.as_int64());
  }
  return Done{};
}

void read_added(const json::value& root, Bpe& to) {
  const json::value* const added = member(root, "added_tokens");
  if (!added || !added->is_array()) return;
  for (const json::value& each : added->as_array()) {
    const json::value *id = member(each, "id"), *content = member(each, "content");
    if (id && id->is_int64() && content && content->is_string()) {
      to.special.emplace(content->as_string(), id->as_int64());
    }
  }
}

/// Whether the file's own template puts the beginning token before a text.
void find_begin(const json::value& root, std::optional<std::int64_t> bos, Bpe& to) {
  const json::value* const after = member(root, "post_processor");
  if (!bos || !after) return;
  const std::string words = json::serialize(*after);
  for (const auto& [text, id] : to.special) {
    if (id == *bos && words.find(json::serialize(json::string(text))) != std::string::npos) to.begin = bos;
  }
}

}  // namespace

Result<std::unique_ptr<Tokenizer>> bpe_tokenizer(std::string_view text, std::optional<std::int64_t> bos) {
  json::error_code wrong;
  const json::value root = json::parse({text.data(), text.size()}, wrong);
  if (wrong || !root.is_object()) return bad("expected a JSON object");
  const json::value* const model = member(root, "model");
  const json::value* const type = model ? member(*model, "type") : nullptr;
  const bool is_bytes =
      json::serialize(root.as_object().contains("decoder") ? root.at("decoder") : json::value()).find("ByteLevel") !=
      std::string::npos;
  if (!type || *type != json::value("BPE") || !is_bytes) return std::unique_ptr<Tokenizer>();
  const json::value *vocab = member(*model, "vocab"), *merges = member(*model, "merges");
  if (!vocab || !merges) return bad("model: expected vocab and merges");
  auto made = std::make_unique<Bpe>();
  if (const Status read = read_vocab(*vocab, *made); !read) return read.error();
  if (const Status read = read_merges(*merges, *made); !read) return read.error();
  read_added(root, *made);
  find_begin(root, bos, *made);
  made->digits = digits_by(root);
  made->finish();
  return std::unique_ptr<Tokenizer>(std::move(made));
}

Result<std::unique_ptr<Tokenizer>> tokenizer_for(const std::string& model, bool is_seeded,
                                                 std::optional<std::int64_t> bos) {
  if (is_seeded) return byte_tokenizer();
  const std::string path = model + "/tokenizer.json";
  const auto text = read_file(path);
  if (!text && text.error().code != ErrorCode::not_found) return text.error();
  if (!text) return id_tokenizer();
  auto made = bpe_tokenizer(*text, bos);
  if (!made) return std::move(made.error()).within(path);
  return *made ? *std::move(made) : id_tokenizer();
}

}  // namespace scoville::torch_probe::model

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "model/config.hpp"

namespace scoville::torch_probe::model {

struct ChatMessage {
  std::string role, content;
};

/// Text into token ids and back.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// "bytes", "bpe", "ids".
  virtual std::string kind() const = 0;
  /// `special`: with the token that begins a text, where there is one. Errors where this tokenizer takes ids only.
  virtual Result<std::vector<std::int64_t>> encode(std::string_view text, bool special) const = 0;
  /// A conversation, up to where the answer begins.
  virtual Result<std::vector<std::int64_t>> encode_chat(const std::vector<ChatMessage>& messages) const = 0;
  /// What a token stands for; a part of a character, maybe. Empty of one that ends or marks something.
  virtual std::string bytes_of(std::int64_t id) const = 0;
  /// Tokens that an answer may have, besides those that end it. Empty: all.
  virtual std::vector<std::int64_t> answers() const { return {}; }
  /// What it does not do as the model's makers do it; empty: nothing is known.
  virtual std::string caveat() const { return ""; }
};

/// One token a byte, 0 … 255; 256 begins, 257 ends, 258 … 260 mark who speaks: system, user, assistant.
///
/// A model of seeded weights knows no language. So that its answers can be read, and every token is a character of its
/// own, answers are of the 95 printable ASCII characters.
std::unique_ptr<Tokenizer> byte_tokenizer();

/// Ids in, ids out: a token's text is "<17>".
std::unique_ptr<Tokenizer> id_tokenizer();

/// Cuts a stream of bytes at whole characters: what push() gives is valid UTF-8, whatever comes in. A byte that belongs
/// to no character becomes U+FFFD.
class TextCutter {
 public:
  std::string push(std::string_view bytes);
  /// At the end: what is left of a character.
  std::string rest();

 private:
  std::string kept_;
};

}  // namespace scoville::torch_probe::model

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "store/database.hpp"

namespace scoville::store {

inline constexpr std::string_view kManifestPart = "manifest.json";

/// What is in a bundle of one run, in the order in which it lies there.
enum class PartKind { document, fingerprint, plan, blocks, tails, answers };

/// Names a part: "runs/ID/documents/outcome.json", "runs/ID/blocks.bin".
struct PartName {
  std::string run;
  PartKind kind = PartKind::document;
  std::string document;  ///< only of a document

  std::string path() const;
  /// Empty for anything that path() does not give: so no name leads anywhere else.
  static std::optional<PartName> parse(std::string_view path);
};

/// Of runs and documents: letters, digits, "-", "_", "." (not as the first), at most 100.
bool is_plain_name(std::string_view name);
/// Documents that say nothing of their own, or not the same in every store: they stay where they are.
bool is_left_out(std::string_view document);

/// A block or a tail as it lies in a part, and in the store. Views, until the reader goes on.
struct Frame {
  std::int64_t number = 0;
  std::int64_t requests = 0, events = 0;  ///< 0 of a tail
  std::string_view heads, tokens;
};

/// One kept answer: a line of its part.
struct AnswerLine {
  std::int64_t request = 0, attempt = 0;
  bool is_warmup = false;
  std::string_view body;  ///< JSON
};

inline constexpr std::size_t kLargestFrame = std::size_t{256} << 20, kLargestLine = std::size_t{64} << 20;

std::string frame_bytes(const Frame& frame);
std::string answer_text(const AnswerLine& line);

/// Cuts bytes that come in any pieces into frames, or into lines.
class Cutter {
 public:
  /// Takes a whole item off the front, gives how long it was; 0: more bytes are needed. The Error: it can never be one.
  using Take = std::function<Result<std::size_t>(std::string_view bytes)>;
  explicit Cutter(Take take) : take_(std::move(take)) {}

  Status add(std::string_view bytes);
  /// Whether nothing of an item is left over.
  bool is_at_end() const { return held_.empty(); }

 private:
  Take take_;
  std::string held_;
};

Cutter frame_cutter(std::function<Status(const Frame&)> each);
Cutter answer_cutter(std::function<Status(const AnswerLine&)> each);

}  // namespace scoville::store

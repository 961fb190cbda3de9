#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "text/catalogue.hpp"

namespace scoville::evidence {

/// The first thing in a file that was not as expected: where, and what was. Empty: all was.
class Fault {
 public:
  void set(const std::string& where, text::Msg expected);
  void set(std::string sentence);
  const std::string& words() const { return words_; }
  explicit operator bool() const { return !words_.empty(); }

 private:
  std::string words_;
};

/// An object of somebody else's file. What is absent or null is unknown, and no fault; what is of another type is. A
/// member that is not there reads as an object without members.
class Members {
 public:
  Members(const json::value& value, std::string path, Fault& fault);

  bool has(std::string_view key) const { return object_ && object_->if_contains(key); }
  std::optional<double> number(std::string_view key) const;
  std::optional<std::int64_t> count(std::string_view key) const;  ///< a number without a fraction
  std::string text(std::string_view key) const;
  Members member(std::string_view key) const;
  /// Null where it is absent.
  const json::array* list(std::string_view key) const;
  /// Empty where it is absent; a null within is NaN.
  std::vector<double> numbers(std::string_view key) const;

  const json::object& object() const;
  const std::string& path() const { return path_; }
  std::string path_of(std::string_view key) const;
  Fault& fault() const { return *fault_; }

 private:
  const json::value* find(std::string_view key, bool (*fits)(const json::value&), text::Msg expected) const;

  const json::object* object_ = nullptr;
  std::string path_;
  Fault* fault_;
};

}  // namespace scoville::evidence

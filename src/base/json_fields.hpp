#pragma once

#include <concepts>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/units.hpp"

namespace scoville {

/// Writes members into a JSON object, one call each. A type names its members once, in a function template over the
/// archive, and is written by JsonOut and read back by JsonIn. Spans and instants are whole ns.
class JsonOut {
 public:
  template <class T>
  void operator()(std::string_view key, const T& value) {
    object_[key] = made(value);
  }
  /// One of several names.
  template <class Enum>
  void named(std::string_view key, const Enum& value, std::span<const std::string_view> names) {
    object_[key] = json::string(names[static_cast<std::size_t>(value)]);
  }
  /// An object of its own: `fields` gets an archive for its members.
  template <class Fields>
  void nested(std::string_view key, Fields fields) {
    JsonOut inner;
    fields(inner);
    object_[key] = std::move(inner).object();
  }
  json::object object() && { return std::move(object_); }

 private:
  static json::value made(Nanos span) { return span.count(); }
  static json::value made(Instant at) { return at.time_since_epoch().count(); }
  static json::value made(const std::string& text) { return json::string(text); }
  template <class T>
  requires std::is_arithmetic_v<T>
  static json::value made(T number) { return number; }
  template <class T>
  static json::value made(const std::optional<T>& value) {
    return value ? made(*value) : json::value(nullptr);
  }
  template <class T>
  static json::value made(const std::vector<T>& values) {
    json::array out;
    for (const T& each : values) out.push_back(made(each));
    return out;
  }

  json::object object_;
};

/// Reads what JsonOut wrote. A key that is missing leaves its member as it was: a file of an older version lacks some.
/// A value of another type is an error, which names the member.
class JsonIn {
 public:
  JsonIn(const json::value& value, std::string path) : path_(std::move(path)), object_(value.if_object()) {
    if (!object_) fail("", "an object");
  }

  template <class T>
  void operator()(std::string_view key, T& value) {
    if (const json::value* const found = find(key)) {
      if (!read(*found, value)) fail(key, expected<T>());
    }
  }
  template <class Enum>
  void named(std::string_view key, Enum& value, std::span<const std::string_view> names) {
    const json::value* const found = find(key);
    if (!found) return;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!found->is_string() || found->as_string() != names[i]) continue;
      value = static_cast<Enum>(i);
      return;
    }
    fail(key, "a known name");
  }
  template <class Fields>
  void nested(std::string_view key, Fields fields) {
    const json::value* const found = find(key);
    if (!found) return;
    JsonIn inner(*found, name(key));
    fields(inner);
    if (!inner.fault_.empty() && fault_.empty()) fault_ = inner.fault_;
  }

  Status status() const {
    if (fault_.empty()) return Done{};
    return Error{ErrorCode::invalid_argument, fault_};
  }

 private:
  const json::value* find(std::string_view key) const { return object_ ? object_->if_contains(key) : nullptr; }
  std::string name(std::string_view key) const {
    return path_.empty() ? std::string(key) : key.empty() ? path_ : path_ + "." + std::string(key);
  }
  void fail(std::string_view key, std::string_view what) {
    if (fault_.empty()) fault_ = name(key) + ": expected " + std::string(what);
  }

  template <class T>
  static std::string_view expected() {
    if constexpr (std::is_same_v<T, std::string>) return "text";
    if constexpr (std::is_same_v<T, bool>) return "true or false";
    return "a number, or a list of them";
  }
  static bool read(const json::value& from, bool& to) {
    if (!from.is_bool()) return false;
    to = from.as_bool();
    return true;
  }
  static bool read(const json::value& from, double& to) {
    json::error_code fault;
    const double number = from.to_number<double>(fault);
    if (!fault) to = number;
    return !fault;
  }
  template <class T>
  requires std::integral<T>
  static bool read(const json::value& from, T& to) {
    json::error_code fault;
    const T number = from.to_number<T>(fault);
    if (!fault) to = number;
    return !fault;
  }
  static bool read(const json::value& from, std::string& to) {
    if (!from.is_string()) return false;
    to = from.as_string();
    return true;
  }
  static bool read(const json::value& from, Nanos& to) {
    std::int64_t count = 0;
    if (!read(from, count)) return false;
    to = Nanos(count);
    return true;
  }
  static bool read(const json::value& from, Instant& to) {
    Nanos since{};
    if (!read(from, since)) return false;
    to = Instant(since);
    return true;
  }
  template <class T>
  static bool read(const json::value& from, std::optional<T>& to) {
    to.reset();
    return from.is_null() || read(from, to.emplace());
  }
  template <class T>
  static bool read(const json::value& from, std::vector<T>& to) {
    to.clear();
    if (!from.is_array()) return false;
    for (const json::value& each : from.as_array()) {
      T value{};
      if (!read(each, value)) return false;
      to.push_back(std::move(value));
    }
    return true;
  }

  std::string path_, fault_;
  const json::object* object_;
};

}  // namespace scoville

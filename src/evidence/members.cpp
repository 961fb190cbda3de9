#include "evidence/members.hpp"

#include <cmath>
#include <limits>

namespace scoville::evidence {

using text::Msg;
using text::say;

void Fault::set(const std::string& where, Msg expected) {
  if (words_.empty()) words_ = say(Msg::external_expected, where, say(expected));
}
void Fault::set(std::string sentence) {
  if (words_.empty()) words_ = std::move(sentence);
}

Members::Members(const json::value& value, std::string path, Fault& fault)
    : object_(value.if_object()), path_(std::move(path)), fault_(&fault) {
  if (!object_ && !value.is_null()) fault.set(path_, Msg::external_expected_object);
}

std::string Members::path_of(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

const json::object& Members::object() const {
  static const json::object none;
  return object_ ? *object_ : none;
}

const json::value* Members::find(std::string_view key, bool (*fits)(const json::value&), Msg expected) const {
  const json::value* const found = object_ ? object_->if_contains(key) : nullptr;
  if (!found || found->is_null()) return nullptr;
  if (fits(*found)) return found;
  fault_->set(path_of(key), expected);
  return nullptr;
}

std::optional<double> Members::number(std::string_view key) const {
  const auto* const found = find(
      key, [](const json::value& each) { return each.is_number(); }, Msg::external_expected_number);
  if (!found) return std::nullopt;
  const double value = found->to_number<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> Members::count(std::string_view key) const {
  constexpr double most = 1e15;
  const std::optional<double> value = number(key);
  if (!value) return std::nullopt;
  if (*value == std::floor(*value) && std::abs(*value) < most) return static_cast<std::int64_t>(*value);
  fault_->set(path_of(key), Msg::external_expected_number);
  return std::nullopt;
}

std::string Members::text(std::string_view key) const {
  const auto* const found = find(
      key, [](const json::value& each) { return each.is_string(); }, Msg::external_expected_text);
  return found ? std::string(found->get_string()) : "";
}

Members Members::member(std::string_view key) const {
  static const json::value null;
  const auto* const found = find(
      key, [](const json::value& each) { return each.is_object(); }, Msg::external_expected_object);
  return Members(found ? *found : null, path_of(key), *fault_);
}

const json::array* Members::list(std::string_view key) const {
  const auto* const found = find(
      key, [](const json::value& each) { return each.is_array(); }, Msg::external_expected_list);
  return found ? &found->get_array() : nullptr;
}

std::vector<double> Members::numbers(std::string_view key) const {
  std::vector<double> out;
  const json::array* const found = list(key);
  if (!found) return out;
  for (const json::value& each : *found) {
    if (!each.is_number() && !each.is_null()) {
      fault_->set(path_of(key), Msg::external_expected_numbers);
      return {};
    }
    out.push_back(each.is_null() ? std::numeric_limits<double>::quiet_NaN() : each.to_number<double>());
  }
  return out;
}

}  // namespace scoville::evidence

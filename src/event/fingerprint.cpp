#include "event/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/check.hpp"
#include "base/sha256.hpp"

namespace scoville::event {
namespace {

constexpr const char* kSchema = "scoville.fingerprint/1";
constexpr std::array<std::string_view, 4> kStatusNames{"ok", "absent", "denied", "error"};

std::optional<FieldStatus> status_from(std::string_view name) {
  for (std::size_t i = 0; i < kStatusNames.size(); ++i) {
    if (kStatusNames[i] == name) return static_cast<FieldStatus>(i);
  }
  return std::nullopt;
}

/// Keys of objects sorted, at every depth.
json::value canonical(const json::value& value) {
  if (const json::array* items = value.if_array()) {
    json::array out;
    for (const json::value& each : *items) out.push_back(canonical(each));
    return out;
  }
  const json::object* const members = value.if_object();
  if (!members) return value;
  std::vector<std::string_view> keys;
  for (const auto& each : *members) keys.push_back(each.key());
  std::sort(keys.begin(), keys.end());
  json::object out;
  for (const std::string_view key : keys) out[key] = canonical(members->at(key));
  return out;
}

json::object field_json(const FingerprintField& field) {
  json::object out{
      {"value", canonical(field.value)}, {"source", field.source}, {"status", json::string(name_of(field.status))}};
  if (!field.is_comparable) out["comparable"] = false;
  return out;
}

Error at_fault(std::string_view key, std::string_view expected) {
  return {ErrorCode::invalid_argument, fmt::format("fields.{}: expected {}", key, expected)};
}

}  // namespace

std::string_view name_of(FieldStatus status) { return kStatusNames[static_cast<std::size_t>(status)]; }

void Fingerprint::set(FingerprintField field) {
  SCOVILLE_CHECK(field.status == FieldStatus::ok || field.value.is_null(), "a field that is not known has no value");
  const auto place =
      std::lower_bound(fields_.begin(), fields_.end(), field.key,
                       [](const FingerprintField& each, const std::string& key) { return each.key < key; });
  if (place != fields_.end() && place->key == field.key) {
    *place = std::move(field);
  } else {
    fields_.insert(place, std::move(field));
  }
}

void Fingerprint::add(std::string key, json::value value, std::string source, bool is_comparable) {
  set({std::move(key), std::move(value), std::move(source), FieldStatus::ok, is_comparable});
}

void Fingerprint::miss(std::string key, FieldStatus status, std::string source) {
  SCOVILLE_CHECK(status != FieldStatus::ok, "what is known is added, not missed");
  set({std::move(key), nullptr, std::move(source), status, true});
}

void Fingerprint::merge(const Fingerprint& other) {
  for (const FingerprintField& each : other.fields_) set(each);
}

const FingerprintField* Fingerprint::find(std::string_view key) const {
  const auto place = std::lower_bound(fields_.begin(), fields_.end(), key,
                                      [](const FingerprintField& each, std::string_view k) { return each.key < k; });
  return place != fields_.end() && place->key == key ? &*place : nullptr;
}

std::string Fingerprint::text(std::string_view key) const {
  const FingerprintField* const field = find(key);
  if (!field || field->value.is_null()) return "";
  if (const json::string* text = field->value.if_string()) return std::string(*text);
  return compact(field->value);
}

std::string Fingerprint::full_hash() const {
  json::object out;
  for (const FingerprintField& each : fields_) out[each.key] = field_json(each);
  return sha256(compact(out));
}

std::string Fingerprint::comparable_hash() const {
  json::object out;
  for (const FingerprintField& each : fields_) {
    if (each.is_comparable && each.status == FieldStatus::ok) out[each.key] = canonical(each.value);
  }
  return sha256(compact(out));
}

json::object Fingerprint::to_json() const {
  json::object fields;
  for (const FingerprintField& each : fields_) fields[each.key] = field_json(each);
  return {{"schema", kSchema},
          {"hash", {{"full", full_hash()}, {"comparable", comparable_hash()}}},
          {"fields", std::move(fields)}};
}

Result<Fingerprint> Fingerprint::from_json(const json::value& value) {
  const json::object* const root = value.if_object();
  const json::value* const schema = root ? root->if_contains("schema") : nullptr;
  if (!schema || !schema->is_string() || schema->as_string() != kSchema) {
    return Error{ErrorCode::invalid_argument, fmt::format("schema: expected \"{}\"", kSchema)};
  }
  const json::value* const fields = root->if_contains("fields");
  if (!fields || !fields->is_object()) return Error{ErrorCode::invalid_argument, "fields: expected an object"};
  Fingerprint out;
  for (const auto& [key, item] : fields->as_object()) {
    const json::object* const members = item.if_object();
    if (!members) return at_fault(key, "an object");
    FingerprintField field;
    field.key = key;
    const json::value* const source = members->if_contains("source");
    const json::value* const status = members->if_contains("status");
    const std::optional<FieldStatus> known =
        status && status->is_string() ? status_from(status->as_string()) : std::nullopt;
    if (!known) return at_fault(fmt::format("{}.status", std::string_view(key)), "ok, absent, denied or error");
    field.status = *known;
    if (source && source->is_string()) field.source = source->as_string();
    if (const json::value* const held = members->if_contains("value")) field.value = *held;
    if (field.status != FieldStatus::ok && !field.value.is_null())
      return at_fault(fmt::format("{}.value", std::string_view(key)), "null, for it is not known");
    if (const json::value* const kept = members->if_contains("comparable"))
      field.is_comparable = !kept->is_bool() || kept->as_bool();
    out.set(std::move(field));
  }
  return out;
}

}  // namespace scoville::event

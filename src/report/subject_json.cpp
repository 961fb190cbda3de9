#include "report/subject_json.hpp"

#include "base/json_fields.hpp"

namespace scoville::report {
namespace {

template <class Archive, class Phrase>
void phrase_fields(Archive& archive, Phrase& phrase) {
  archive("en", phrase.english);
  archive("zh", phrase.chinese);
}

template <class Archive, class Price>
void price_fields(Archive& archive, Price& price) {
  archive("device_hour", price.per_device_hour.amount);
  archive("currency", price.per_device_hour.currency);
  archive("devices", price.devices);
}

template <class Archive, class Subject>
void fields(Archive& archive, Subject& subject) {
  archive("run", subject.run_id);
  archive("tag", subject.tag);
  archive("url", subject.url);
  archive("peer", subject.peer);
  archive.nested("dataset", [&](auto& inner) { phrase_fields(inner, subject.dataset); });
  archive("token_method", subject.token_method);
  archive("prompt_length_is_exact", subject.prompt_length_is_exact);
  archive("dataset_hash", subject.dataset_hash);
  archive("seed", subject.seed);
  archive.nested("anchor", [&](auto& inner) {
    inner("wall_ns", subject.anchor.wall);
    inner("monotonic_ns", subject.anchor.monotonic);
    inner("uncertainty_ns", subject.anchor.uncertainty);
  });
  archive("dns_ns", subject.dns);
  archive("set", subject.set);
  archive("client", subject.client);
  archive("devices", subject.devices);
}

}  // namespace

json::object subject_json(const BenchSubject& subject) {
  JsonOut out;
  fields(out, subject);
  json::object object = std::move(out).object();
  json::array warnings;
  for (const dataset::Warning& each : subject.warnings) {
    JsonOut warning;
    warning("code", each.code);
    phrase_fields(warning, each.sentence);
    warnings.push_back(std::move(warning).object());
  }
  object["warnings"] = std::move(warnings);
  object["system"] = subject.system.to_json();
  if (const auto& price = subject.price) {
    JsonOut out_price;
    price_fields(out_price, *price);
    object["price"] = std::move(out_price).object();
  }
  if (subject.launch) object["launch"] = event::launch_json(*subject.launch);
  return object;
}

Result<BenchSubject> subject_from(const json::value& value) {
  BenchSubject subject;
  JsonIn in(value, "subject");
  fields(in, subject);
  if (Status status = in.status(); !status) return status.error();
  if (const json::value* system = value.as_object().if_contains("system")) {
    Result<event::Fingerprint> read = event::Fingerprint::from_json(*system);
    if (!read) return std::move(read.error()).within("subject.system");
    subject.system = std::move(*read);
  }
  if (const json::value* price = value.as_object().if_contains("price")) {
    JsonIn inner(*price, "subject.price");
    price_fields(inner, subject.price.emplace());
    if (Status status = inner.status(); !status) return status.error();
  }
  if (const json::value* launch = value.as_object().if_contains("launch")) {
    Result<event::LaunchRecord> read = event::launch_from(*launch);
    if (!read) return std::move(read.error()).within("subject");
    subject.launch = std::move(*read);
  }
  const json::value* const warnings = value.as_object().if_contains("warnings");
  if (!warnings || !warnings->is_array()) return subject;
  for (const json::value& each : warnings->as_array()) {
    dataset::Warning warning;
    JsonIn inner(each, "subject.warnings");
    inner("code", warning.code);
    phrase_fields(inner, warning.sentence);
    if (Status status = inner.status(); !status) return status.error();
    subject.warnings.push_back(std::move(warning));
  }
  return subject;
}

}  // namespace scoville::report

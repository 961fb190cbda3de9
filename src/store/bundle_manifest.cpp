#include "store/bundle_manifest.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "base/byte_size.hpp"
#include "base/json_fields.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

constexpr std::string_view kSchema = "scoville.bundle/1";

const std::array<std::string_view, 4> kStatuses{name_of(RunStatus::running), name_of(RunStatus::finished),
                                                name_of(RunStatus::interrupted), name_of(RunStatus::incomplete)};

template <class Archive, class Set>
void set_fields(Archive& archive, Set& set) {
  archive("id", set.id);
  archive("tag", set.tag);
  archive("made_ns", set.made);
}

template <class Archive, class Run>
void run_fields(Archive& archive, Run& run) {
  archive("id", run.info.id);
  archive("kind", run.info.kind);
  archive("set", run.info.set);
  archive("tag", run.info.tag);
  archive.named("status", run.info.status, kStatuses);
  archive("started_ns", run.info.started);
  archive("ended_ns", run.info.ended);
  archive("heartbeat_ns", run.heartbeat);
  archive("requests", run.info.requests);
  archive("events", run.info.events);
  archive.nested("holds", [&](auto& inner) {
    inner("blocks", run.counts.blocks);
    inner("requests", run.counts.requests);
    inner("events", run.counts.events);
    inner("tails", run.counts.tails);
    inner("answers", run.counts.answers);
  });
}

template <class Archive, class Part>
void part_fields(Archive& archive, Part& part) {
  archive("path", part.path);
  archive("bytes", part.bytes);
  archive("sha256", part.sha256);
}

Error unfit(std::string_view what) { return {ErrorCode::protocol, say(Msg::bundle_bad_manifest, what)}; }

template <class T, class Fields>
json::array written(const std::vector<T>& all, Fields fields) {
  json::array out;
  for (const T& each : all) {
    JsonOut object;
    fields(object, each);
    out.push_back(std::move(object).object());
  }
  return out;
}

template <class T, class Fields>
Status read(const json::object& from, std::string_view key, std::vector<T>& all, Fields fields) {
  const json::value* const list = from.if_contains(key);
  if (!list || !list->is_array()) return unfit(key);
  for (const json::value& each : list->as_array()) {
    JsonIn in(each, std::string(key));
    fields(in, all.emplace_back());
    if (Status status = in.status(); !status) return unfit(status.error().message);
  }
  return Done{};
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool has_negative(const BundledRun& run) {
  const BundledCounts& counts = run.counts;
  return std::min({run.info.requests, run.info.events, counts.blocks, counts.requests, counts.events, counts.tails,
                   counts.answers}) < 0;
}

/// Words that are shown on a terminal: nothing in them moves its cursor.
bool is_printable(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

Status check_runs(const BundleManifest& manifest) {
  std::set<std::string_view> sets, runs;
  if (!is_printable(manifest.version) || !is_printable(manifest.revision)) return unfit("scoville");
  for (const BundledSet& each : manifest.sets) {
    if (!is_printable(each.tag)) return unfit("sets.tag");
    if (!is_plain_name(each.id) || !sets.insert(each.id).second) return unfit("sets.id");
  }
  for (const BundledRun& each : manifest.runs) {
    if (!is_plain_name(each.info.id) || !runs.insert(each.info.id).second) return unfit("runs.id");
    if (!is_plain_name(each.info.kind)) return unfit("runs.kind");
    if (!is_printable(each.info.tag)) return unfit("runs.tag");
    if (!each.info.set.empty() && !sets.contains(each.info.set)) return unfit("runs.set");
    if (each.info.status == RunStatus::running) return unfit("runs.status");
    if (has_negative(each)) return unfit("runs.holds");
  }
  return runs.empty() ? Status(unfit("runs")) : Status(Done{});
}

Status check_parts(const BundleManifest& manifest, const BundleLimits& limits) {
  if (manifest.parts.size() > limits.parts) return Error{ErrorCode::resource, say(Msg::bundle_parts, limits.parts)};
  std::tuple<std::ptrdiff_t, PartKind, std::string> before{-1, PartKind::document, ""};
  std::int64_t left = limits.unpacked;
  auto run = manifest.runs.begin();
  for (const BundledPart& each : manifest.parts) {
    const auto fault = [&](Msg what) {
      return Error{ErrorCode::protocol, say(Msg::bundle_part, each.path, say(what))};
    };
    const std::optional<PartName> name = PartName::parse(each.path);
    if (!name) return fault(Msg::bundle_part_unknown);
    while (run != manifest.runs.end() && run->info.id != name->run) ++run;
    if (run == manifest.runs.end()) return fault(Msg::bundle_part_out_of_order);
    std::tuple here{run - manifest.runs.begin(), name->kind, name->document};
    if (here <= before) return fault(Msg::bundle_part_out_of_order);
    before = std::move(here);
    if (each.bytes < 0 || !is_sha256(each.sha256)) return fault(Msg::bundle_part_unfit);
    if (name->kind <= PartKind::plan && each.bytes > static_cast<std::int64_t>(limits.document))
      return fault(Msg::bundle_part_too_large);
    if (each.bytes > left)
      return Error{ErrorCode::resource, say(Msg::bundle_too_large, format_byte_size(limits.unpacked))};
    left -= each.bytes;
  }
  return Done{};
}

}  // namespace

std::string BundleManifest::text() const {
  json::object out{{"schema", json::string(kSchema)}, {"scoville", {{"version", version}, {"revision", revision}}}};
  out["sets"] = written(sets, [](auto& to, const auto& each) { set_fields(to, each); });
  out["runs"] = written(runs, [](auto& to, const auto& each) { run_fields(to, each); });
  out["parts"] = written(parts, [](auto& to, const auto& each) { part_fields(to, each); });
  return pretty(out);
}

std::int64_t BundleManifest::bytes() const {
  std::int64_t sum = 0;
  for (const BundledPart& each : parts) sum += each.bytes;
  return sum;
}

const BundledRun* BundleManifest::run(std::string_view id) const {
  const auto found = std::find_if(runs.begin(), runs.end(), [&](const auto& each) { return each.info.id == id; });
  return found == runs.end() ? nullptr : &*found;
}

Result<BundleManifest> bundle_manifest_from(std::string_view text, const BundleLimits& limits) {
  json::error_code fault;
  const json::value value = json::parse(text, fault);
  if (fault || !value.is_object()) return unfit("JSON");
  const json::object& object = value.as_object();
  const json::value* const schema = object.if_contains("schema");
  if (!schema || !schema->is_string()) return unfit("schema");
  if (const std::string_view found = schema->as_string(); found != kSchema)
    return Error{ErrorCode::unsupported, say(Msg::bundle_schema, found, kSchema)};
  BundleManifest out;
  JsonIn in(value, "");
  in.nested("scoville", [&](auto& inner) {
    inner("version", out.version);
    inner("revision", out.revision);
  });
  if (Status done = in.status(); !done) return unfit(done.error().message);
  Status done = read(object, "sets", out.sets, [](auto& from, auto& each) { set_fields(from, each); });
  if (done) done = read(object, "runs", out.runs, [](auto& from, auto& each) { run_fields(from, each); });
  if (done) done = read(object, "parts", out.parts, [](auto& from, auto& each) { part_fields(from, each); });
  if (done) done = check_runs(out);
  if (done) done = check_parts(out, limits);
  if (!done) return done.error();
  return out;
}

}  // namespace scoville::store

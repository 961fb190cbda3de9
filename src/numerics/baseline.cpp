#include "numerics/baseline.hpp"

#include <fmt/format.h>

#include "base/json_fields.hpp"
#include "base/sha256.hpp"

namespace scoville::numerics {
namespace {

constexpr std::string_view kSchema = "scoville.baseline/1";

// Members of each type, once: written by JsonOut, read by JsonIn.

template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, Sequence>
void fields(Archive& archive, T& it) {
  archive("name", it.name);
  archive("tokens", it.tokens);
  archive("text", it.text);
}

template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, Part>
void fields(Archive& archive, T& it) {
  archive("name", it.name);
  archive("input", it.input);
}

template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, HostRun>
void fields(Archive& archive, T& it) {
  archive("part", it.part);
  archive("op", it.op);
  archive("times", it.times);
}

template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, Repeat>
void fields(Archive& archive, T& it) {
  archive("part", it.part);
  archive("bitwise", it.is_bitwise);
  archive("rel_l2", it.rel_l2);
}

template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, Variant>
void fields(Archive& archive, T& it) {
  archive("name", it.name);
  archive("fault", it.fault);
}

template <class Archive, class T>
requires std::same_as<std::remove_const_t<T>, Manifest>
void fields(Archive& archive, T& it) {
  archive("probe", it.probe);
  archive("probe_version", it.probe_version);
  archive("device", it.device);
  archive("dtype", it.dtype);
  archive("model", it.model);
  archive("weights", it.weights);
  archive("weights_sha256", it.weights_sha256);
  archive("seed", it.seed);
  archive("vocabulary", it.vocabulary);
  archive("greedy_tokens", it.greedy_tokens);
  archive("threads", it.threads);
  archive("watched_host_runs", it.watched_host_runs);
  archive("against_sha256", it.against_sha256);
  archive("planted", it.planted);
}

template <class T>
json::array list_json(const std::vector<T>& items) {
  json::array out;
  for (const T& each : items) {
    JsonOut archive;
    fields(archive, each);
    out.push_back(std::move(archive).object());
  }
  return out;
}

template <class T>
Status read_list(const json::object& from, std::string_view key, std::vector<T>& to) {
  const json::value* const found = from.if_contains(key);
  if (!found) return Done{};
  const json::array* const items = found->if_array();
  if (!items) return Error{ErrorCode::invalid_argument, fmt::format("{}: expected a list", std::string_view(key))};
  for (const json::value& each : *items) {
    JsonIn archive(each, std::string(key));
    fields(archive, to.emplace_back());
    if (Status fine = archive.status(); !fine) return fine;
  }
  return Done{};
}

Status read_hashes(const json::object& from, std::map<std::string, std::string>& to) {
  const json::value* const found = from.if_contains("tensors");
  const json::object* const hashes = found ? found->if_object() : nullptr;
  if (!hashes) return Error{ErrorCode::invalid_argument, "tensors: expected an object"};
  for (const auto& [name, hash] : *hashes) {
    if (!hash.is_string())
      return Error{ErrorCode::invalid_argument, fmt::format("tensors.{}: expected text", std::string_view(name))};
    to[name] = hash.get_string();
  }
  return Done{};
}

}  // namespace

std::string Manifest::identity() const {
  Sha256 all;
  for (const Sequence& sequence : sequences) {
    for (const Part& part : parts) {
      const auto hash = tensors.find(tensor_name(sequence.name, part.name));
      all.add(sequence.name + "/" + part.name + "=" + (hash == tensors.end() ? "" : hash->second) + "\n");
    }
  }
  return all.finish();
}

json::object to_json(const Manifest& manifest) {
  JsonOut archive;
  fields(archive, manifest);
  json::object out{{"schema", kSchema}};
  for (auto& [key, value] : std::move(archive).object()) out[key] = value;
  out["stack"] = manifest.stack;
  out["sequences"] = list_json(manifest.sequences);
  out["parts"] = list_json(manifest.parts);
  out["again"] = list_json(manifest.again);
  out["batched"] = list_json(manifest.batched);
  out["host_runs"] = list_json(manifest.host_runs);
  out["variants"] = list_json(manifest.variants);
  json::object hashes;
  for (const auto& [name, hash] : manifest.tensors) hashes[name] = hash;
  out["tensors"] = std::move(hashes);
  return out;
}

Result<Manifest> manifest_from(const json::value& value) {
  const json::object* const object = value.if_object();
  const json::value* const schema = object ? object->if_contains("schema") : nullptr;
  if (!schema || !schema->is_string() || schema->get_string() != kSchema)
    return Error{ErrorCode::invalid_argument, fmt::format("expected \"schema\": \"{}\"", kSchema)};
  Manifest out;
  JsonIn archive(value, "");
  fields(archive, out);
  if (Status fine = archive.status(); !fine) return fine.error();
  if (const json::value* const stack = object->if_contains("stack"); stack && stack->is_object())
    out.stack = stack->get_object();
  for (const Status& fine : {read_list(*object, "sequences", out.sequences), read_list(*object, "parts", out.parts),
                             read_list(*object, "again", out.again), read_list(*object, "batched", out.batched),
                             read_list(*object, "host_runs", out.host_runs),
                             read_list(*object, "variants", out.variants), read_hashes(*object, out.tensors)}) {
    if (!fine) return fine.error();
  }
  return out;
}

std::string tensor_name(std::string_view sequence, std::string_view part, std::string_view run) {
  std::string out(run);
  if (!out.empty()) out += "/";
  return out.append(sequence).append("/").append(part);
}

}  // namespace scoville::numerics

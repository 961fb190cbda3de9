#pragma once

// For tests alone: stores with runs in them, and bundles taken apart and put together again.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "store/bundle.hpp"
#include "store/run_store.hpp"
#include "store/tar.hpp"
#include "store/zstd_file.hpp"

namespace scoville::store {

/// A folder of its own for each test.
class MadeFolder {
 public:
  MadeFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scoville-store-XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~MadeFolder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline RunStore made_store(const std::string& path) {
  Result<RunStore> store = RunStore::open(path);
  REQUIRE(store.ok());
  return std::move(*store);
}

inline event::RequestRecord made_request(std::uint64_t index) {
  event::RequestRecord r;
  r.index = index;
  r.written = Instant(std::chrono::milliseconds(10 + index));
  r.first_token = r.last_token = r.end = Instant(std::chrono::milliseconds(20 + index));
  r.tokens.push_back({.at = *r.first_token});
  return r;
}

inline record::Block made_block(std::uint64_t from, std::uint64_t count) {
  std::vector<event::RequestRecord> records;
  for (std::uint64_t i = 0; i < count; ++i) records.push_back(made_request(from + i));
  return record::encode(records);
}

inline json::object made_manifest(const std::string& model) {
  return {{"plan", {{"rate", 2.5}}},
          {"subject", {{"system", {{"fields", json::array{}}, {"hash", "ab"}}}}},
          {"shape", {{"model", model}}}};
}

/// A finished run with two blocks, four requests, and an answer that was cut off within a letter.
inline void made_run(RunStore& store, const std::string& id, const std::string& set = "", const std::string& tag = "") {
  auto writer = store.begin({id, "bench", tag, set, made_manifest("m")});
  REQUIRE(writer.ok());
  record::Commit commit;
  commit.blocks = {made_block(0, 3), made_block(3, 1)};
  commit.texts = {{1, 0, false, {{"one\n\"two\""}, "", "half a letter: \xe4\xbd"}}, {0, 0, true, {{"x"}, "r", ""}}};
  commit.recorded = 4;
  REQUIRE((*writer)->commit(commit).ok());
  REQUIRE((*writer)->finish(json::object{{"end_ns", 5}}, RunWriter::Ending::finished).ok());
}

using Unpacked = std::vector<std::pair<std::string, std::string>>;

inline Unpacked unpacked(const std::string& path) {
  auto in = ZstdReader::open(path, std::uint64_t{1} << 30);
  REQUIRE(in.ok());
  TarReader tar(**in);
  Unpacked out;
  for (auto entry = tar.next(); entry.ok() && *entry; entry = tar.next()) {
    out.push_back({(*entry)->name, ""});
    for (auto piece = tar.read(); piece.ok() && !piece->empty(); piece = tar.read()) out.back().second += *piece;
  }
  return out;
}

inline void pack(const std::string& path, const Unpacked& parts) {
  auto file = NewFile::create(path);
  REQUIRE(file.ok());
  ZstdWriter zstd(*file);
  TarWriter tar(zstd);
  for (const auto& [name, text] : parts) {
    REQUIRE(tar.begin(name, static_cast<std::int64_t>(text.size()), {}).ok());
    REQUIRE(tar.add(text).ok());
    REQUIRE(tar.end().ok());
  }
  REQUIRE(tar.close().ok());
  REQUIRE(zstd.finish().ok());
  REQUIRE(file->publish(NewFile::Existing::replaced).ok());
}

/// With a manifest that fits the parts behind it, as a forger would make it.
inline void pack_fitting(const std::string& path, Unpacked parts) {
  json::value manifest = json::parse(parts.at(0).second);
  json::array list;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    list.push_back({{"path", parts[i].first}, {"bytes", parts[i].second.size()}, {"sha256", sha256(parts[i].second)}});
  }
  manifest.as_object()["parts"] = std::move(list);
  parts.at(0).second = pretty(manifest);
  pack(path, parts);
}

inline std::string fault_of(const std::string& path, const BundleLimits& limits = {}) {
  const auto verified = verify_bundle(path, limits);
  return verified ? "" : verified.error().message;
}

inline bool says(const std::string& message, std::string_view words) {
  return message.find(words) != std::string::npos;
}

}  // namespace scoville::store

#include "environment/weight_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/sha256.hpp"
#include "text/catalogue.hpp"

namespace scoville::environment {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = 1 << 20;
constexpr std::array<std::string_view, 5> kEndings{".safetensors", ".bin", ".pt", ".pth", ".gguf"};
constexpr std::array<std::string_view, 5> kNoWeights{"training_args.", "optimizer.", "scheduler.", "rng_state",
                                                     "scaler."};

bool is_weight_file(std::string_view name) {
  const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
  const auto begins = [&](std::string_view beginning) { return name.starts_with(beginning); };
  return std::any_of(kEndings.begin(), kEndings.end(), ends) &&
         std::none_of(kNoWeights.begin(), kNoWeights.end(), begins);
}

Error system_error(const std::string& path) {
  return {errno == ENOENT ? ErrorCode::not_found : ErrorCode::io, fmt::format("{}: {}", path, std::strerror(errno))};
}

}  // namespace

std::vector<std::string> weight_file_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code fault;
  for (fs::directory_iterator at(folder, fault), end; !fault && at != end; at.increment(fault)) {
    std::error_code ignored;
    std::string name = at->path().filename().string();
    if (is_weight_file(name) && at->is_regular_file(ignored)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<std::vector<FileDigest>> hash_files(const std::string& folder, const std::vector<std::string>& names,
                                           const HashProgress& progress) {
  std::vector<FileDigest> out;
  std::uint64_t total = 0, done = 0;
  for (const std::string& name : names) {
    std::error_code ignored;
    const std::uintmax_t size = fs::file_size(fs::path(folder) / name, ignored);
    if (!ignored) total += size;
  }
  std::string piece(kPiece, '\0');
  for (const std::string& name : names) {
    const std::string path = fs::path(folder) / name;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file) return system_error(path);
    std::setvbuf(file.get(), nullptr, _IONBF, 0);
    Sha256 hash;
    FileDigest& digest = out.emplace_back();
    digest.name = name;
    while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), file.get())) {
      hash.add(std::string_view(piece).substr(0, n));
      digest.size += n;
      done += n;
      if (progress && !progress(done, total)) return Error{ErrorCode::aborted, text::say(text::Msg::hashing_stopped)};
    }
    if (std::ferror(file.get())) return system_error(path);
    digest.sha256 = hash.finish();
  }
  return out;
}

std::string digest_of(const std::vector<FileDigest>& files) {
  if (files.size() == 1) return files.front().sha256;
  Sha256 hash;
  for (const FileDigest& each : files) hash.add(fmt::format("{}  {}\n", each.sha256, each.name));
  return hash.finish();
}

}  // namespace scoville::environment

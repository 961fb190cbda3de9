#include "numerics/run_folder.hpp"

#include "base/file.hpp"
#include "base/sha256.hpp"

namespace scoville::numerics {
namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error at(const std::string& path, const std::string& what) { return {ErrorCode::invalid_argument, path + ": " + what}; }

Result<Manifest> read_manifest(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  json::error_code fault;
  const json::value value = json::parse(*text, fault);
  if (fault) return at(path, fault.message());
  Result<Manifest> manifest = manifest_from(value);
  if (!manifest) return at(path, manifest.error().message);
  return manifest;
}

}  // namespace

RunFolder::RunFolder(std::string folder, Manifest manifest, SafetensorsFile file)
    : folder_(std::move(folder)),
      manifest_(std::move(manifest)),
      file_(std::make_shared<const SafetensorsFile>(std::move(file))) {}

Result<RunFolder> RunFolder::open(const std::string& folder) {
  Result<Manifest> manifest = read_manifest(folder + "/" + kManifestFile);
  if (!manifest) return manifest.error();
  const std::string path = folder + "/" + kTensorFile;
  Result<SafetensorsFile> file = SafetensorsFile::open(path);
  if (!file) return file.error();
  for (const auto& [name, hash] : manifest->tensors) {
    if (!file->find(name)) return at(path, "it has no tensor " + name + ", which " + kManifestFile + " names");
  }
  return RunFolder(folder, std::move(*manifest), std::move(*file));
}

Side RunFolder::side() const {
  return {manifest_, [file = file_](const std::string& name) -> std::optional<TensorView> {
            const StoredTensor* const found = file->find(name);
            if (!found) return std::nullopt;
            return TensorView{found->dtype, found->shape, text_of(found->bytes)};
          }};
}

Status RunFolder::verify() const {
  for (const auto& [name, hash] : manifest_.tensors) {
    if (sha256(text_of(file_->find(name)->bytes)) == hash) continue;
    return at(folder_ + "/" + kTensorFile, name + " is not what " + kManifestFile + " says: its SHA-256 differs");
  }
  return Done{};
}

}  // namespace scoville::numerics

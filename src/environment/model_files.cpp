#include "environment/model_files.hpp"

#include <filesystem>

#include "environment/gguf_header.hpp"
#include "environment/model_config.hpp"
#include "environment/model_source.hpp"
#include "text/catalogue.hpp"

namespace scoville::environment {
namespace {

namespace fs = std::filesystem;
using event::FieldStatus;

json::array as_json(const std::vector<FileDigest>& files) {
  json::array out;
  for (const FileDigest& each : files) {
    out.push_back({{"name", each.name}, {"bytes", each.size}, {"sha256", each.sha256}});
  }
  return out;
}

/// The file, or pair of files, that makes tokens of text.
Status read_tokenizer(const std::string& folder, event::Fingerprint& out) {
  constexpr const char* kKey = "model.tokenizer_sha256";
  const std::vector<std::vector<std::string>> kinds{
      {"tokenizer.json"}, {"tokenizer.model"},          {"spiece.model"}, {"tiktoken.model"},
      {"qwen.tiktoken"},  {"merges.txt", "vocab.json"}, {"vocab.txt"},    {"vocab.json"}};
  for (const std::vector<std::string>& names : kinds) {
    bool is_whole = true;
    for (const std::string& name : names) is_whole = is_whole && fs::is_regular_file(fs::path(folder) / name);
    if (!is_whole) continue;
    Result<std::vector<FileDigest>> files = hash_files(folder, names, nullptr);
    if (!files) return files.error();
    out.add(kKey, json::value(digest_of(*files)), names.size() == 1 ? names[0] : names[0] + " " + names[1]);
    return Done{};
  }
  out.miss(kKey, FieldStatus::absent, "tokenizer.json");
  return Done{};
}

std::string gguf_base(const GgufHeader& header) {
  const std::string url = header.text("general.base_model.0.repo_url");
  return url.empty() ? header.text("general.base_model.0.name") : url;
}

Status read_weights(const std::string& folder, const std::vector<std::string>& names, const ModelQuestion& question,
                    event::Fingerprint& out) {
  Result<std::vector<FileDigest>> files = hash_files(folder, names, question.progress);
  if (!files) return files.error();
  if (files->empty()) {
    out.miss("model.sha256", FieldStatus::absent, "weight files");
    return Done{};
  }
  std::uint64_t size = 0;
  for (const FileDigest& each : *files) size += each.size;
  out.add("model.sha256", json::value(digest_of(*files)), "weight files");
  out.add("model.file_bytes", size, "weight files");
  out.add("model.files", as_json(*files), "weight files", false);  // names may differ where the bytes are the same
  return Done{};
}

}  // namespace

Result<event::Fingerprint> observe_model_files(const ModelQuestion& question) {
  std::error_code fault;
  const fs::file_status status = fs::status(question.path, fault);
  if (status.type() == fs::file_type::not_found) {
    return Error{ErrorCode::not_found, std::make_error_code(std::errc::no_such_file_or_directory).message()};
  }
  const bool is_file = fs::is_regular_file(status);
  if (!is_file && !fs::is_directory(status))
    return Error{ErrorCode::invalid_argument, text::say(text::Msg::model_path_kind)};

  const fs::path given(question.path);
  const std::string folder =
      is_file ? (given.has_parent_path() ? given.parent_path().string() : ".") : model_folder(question.path);
  const std::vector<std::string> names =
      is_file ? std::vector<std::string>{given.filename()} : weight_file_names(folder);
  const bool is_gguf =
      is_file || (!names.empty() && names.front().ends_with(".gguf") && !fs::exists(folder + "/config.json"));

  event::Fingerprint out;
  std::string base;
  if (is_gguf) {
    if (names.size() > 1 &&
        names[0].find("-of-") == std::string::npos) {  // parts of one model are named 00001-of-00003
      return Error{ErrorCode::invalid_argument, text::say(text::Msg::gguf_several, names[0], names[1])};
    }
    Result<GgufHeader> header = read_gguf_header((fs::path(folder) / names.front()).string());
    if (!header) return header.error();
    read_gguf_fields(*header, out);
    base = gguf_base(*header);
  } else {
    read_model_config(folder, out);
    if (Status read = read_tokenizer(folder, out); !read) return read.error();
  }
  read_model_source(folder, out);
  read_derivation(folder, question.derived_from, base, out);
  if (Status read = read_weights(folder, names, question, out); !read) return read.error();
  return out;
}

}  // namespace scoville::environment

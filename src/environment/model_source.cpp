#include "environment/model_source.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <vector>

#include "base/file.hpp"
#include "environment/model_config.hpp"
#include "environment/server_answers.hpp"

namespace scoville::environment {
namespace {

namespace fs = std::filesystem;
using event::FieldStatus;

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return std::isdigit(c) || (c >= 'a' && c <= 'f');
         });
}

std::string first_line(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return "";
  std::string line = text->substr(0, text->find('\n'));
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
  return line;
}

/// "models--org--name" → "org/name"; "" if it is none.
std::string repository_of(std::string_view folder_name) {
  constexpr std::string_view kPrefix = "models--";
  if (!folder_name.starts_with(kPrefix)) return "";
  std::string out(folder_name.substr(kPrefix.size()));
  if (const std::size_t mark = out.find("--"); mark != std::string::npos) out.replace(mark, 2, "/");
  return out;
}

/// Not comparable: the same weights may have come by another way. Their hash tells whether they are the same.
void add(event::Fingerprint& out, const char* source, const std::string& repository, const std::string& revision,
         const std::string& from) {
  out.add("model.source", source, from, false);
  if (!repository.empty()) out.add("model.repository", json::value(repository), from, false);
  if (!revision.empty()) out.add("model.revision", json::value(revision), from, false);
}

bool read_hub_cache(const fs::path& folder, event::Fingerprint& out) {
  const std::string commit = folder.filename();
  if (folder.parent_path().filename() != "snapshots" || !is_commit(commit)) return false;
  const std::string repository = repository_of(folder.parent_path().parent_path().filename().string());
  if (repository.empty()) return false;
  add(out, "huggingface", repository, commit, "cache folder");
  return true;
}

/// One commit for all files, else none: files of different commits are no release.
bool read_hub_download(const fs::path& folder, event::Fingerprint& out) {
  const fs::path notes = folder / ".cache" / "huggingface" / "download";
  std::string commit;
  bool found = false, agree = true;
  std::error_code fault;
  for (fs::directory_iterator at(notes, fault), end; !fault && at != end; at.increment(fault)) {
    if (at->path().extension() != ".metadata") continue;
    const std::string said = first_line(at->path());
    if (!is_commit(said)) continue;
    agree = agree && (!found || said == commit);
    commit = said;
    found = true;
  }
  if (!found) return false;
  add(out, "huggingface", "", agree ? commit : "", ".cache/huggingface/download");
  return true;
}

/// The longest run of characters of an "org/name" with one slash within: .mdl is a pickled dictionary.
std::string repository_within(std::string_view bytes) {
  std::string best;
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t end = i;
    while (end < bytes.size() && (std::isalnum(static_cast<unsigned char>(bytes[end])) ||
                                  std::string_view("-_./").find(bytes[end]) != std::string_view::npos)) {
      ++end;
    }
    const std::string_view run = bytes.substr(i, end - i);
    const bool is_name = std::count(run.begin(), run.end(), '/') == 1 && run.front() != '/' && run.back() != '/';
    if (is_name && run.size() > best.size()) best = run;
    i = std::max(end, i + 1);
  }
  return best;
}

bool read_modelscope(const fs::path& folder, event::Fingerprint& out) {
  const Result<std::string> name = read_file(folder / ".mdl");
  if (!name && !fs::exists(folder / ".msc") && !fs::exists(folder / ".mv")) return false;
  // .mv: "Revision:master,CreatedAt:1714000000"
  std::string revision = first_line(folder / ".mv");
  const std::size_t mark = revision.find("Revision:");
  revision = mark == std::string::npos ? "" : revision.substr(mark + 9, revision.find(',', mark) - mark - 9);
  const std::string repository = name ? repository_within(*name) : "";
  add(out, "modelscope", repository, revision, name ? ".mdl" : ".msc");
  return true;
}

std::string git_head(const fs::path& git) {
  std::string head = first_line(git / "HEAD");
  if (!head.starts_with("ref: ")) return is_commit(head) ? head : "";
  const std::string ref = head.substr(5);
  if (const std::string loose = first_line(git / ref); is_commit(loose)) return loose;
  const Result<std::string> packed = read_file(git / "packed-refs");
  const std::size_t at = packed ? packed->find(" " + ref + "\n") : std::string::npos;
  if (at == std::string::npos || at < 40) return "";
  const std::string commit = packed->substr(at - 40, 40);
  return is_commit(commit) ? commit : "";
}

/// The first `url = …` of .git/config, without a user's name or token.
std::string git_remote(const fs::path& git) {
  const Result<std::string> config = read_file(git / "config");
  const std::size_t at = config ? config->find("url = ") : std::string::npos;
  if (at == std::string::npos) return "";
  std::string url = config->substr(at + 6, config->find('\n', at) - at - 6);
  const std::size_t scheme = url.find("://"), user = url.find('@');
  if (scheme != std::string::npos && user != std::string::npos && user < url.find('/', scheme + 3)) {
    url.erase(scheme + 3, user - scheme - 2);
  }
  return url;
}

bool read_git(const fs::path& folder, event::Fingerprint& out) {
  const fs::path git = folder / ".git";
  if (!fs::exists(git / "HEAD")) return false;
  add(out, "git", git_remote(git), git_head(git), ".git");
  return true;
}

struct ModelCard {
  bool is_read = false;  ///< there is front matter, and it is YAML
  std::string base;      ///< the first base_model; "" if none is named
  std::string relation;  ///< "quantized", "finetune", "adapter", "merge"
};

/// The front matter of README.md: YAML between two lines of "---".
ModelCard read_card(const fs::path& folder) {
  ModelCard card;
  const Result<std::string> text = read_file(folder / "README.md");
  if (!text || !text->starts_with("---")) return card;
  const std::size_t end = text->find("\n---", 3);
  if (end == std::string::npos) return card;
  try {
    const YAML::Node matter = YAML::Load(text->substr(3, end - 3));
    if (!matter.IsMap()) return card;
    card.is_read = true;
    const YAML::Node base = matter["base_model"], relation = matter["base_model_relation"];
    if (base && base.IsScalar()) card.base = base.as<std::string>();
    if (base && base.IsSequence() && base.size() > 0 && base[0].IsScalar()) card.base = base[0].as<std::string>();
    if (relation && relation.IsScalar()) card.relation = relation.as<std::string>();
  } catch (const YAML::Exception&) {
    return {};
  }
  return card;
}

}  // namespace

std::string model_folder(const std::string& path) {
  const fs::path given(path);
  const std::string name = (given.has_filename() ? given : given.parent_path()).filename();
  if (repository_of(name).empty()) return path;
  const std::string commit = first_line(given / "refs" / "main");
  const fs::path snapshot = given / "snapshots" / commit;
  return is_commit(commit) && fs::is_directory(snapshot) ? snapshot.string() : path;
}

void read_model_source(const std::string& folder, event::Fingerprint& out) {
  std::error_code fault;
  fs::path real = fs::canonical(folder, fault);
  if (fault) real = folder;
  if (read_hub_cache(real, out) || read_hub_download(real, out) || read_modelscope(real, out) || read_git(real, out)) {
    return;
  }
  out.add("model.source", "local", "folder", false);
  out.miss("model.revision", FieldStatus::absent, "folder");
}

void read_derivation(const std::string& folder, const std::string& derived_from, const std::string& gguf_base,
                     event::Fingerprint& out) {
  constexpr const char* kKey = "model.derivation";
  const auto derived = [&](const std::string& from, const char* source) {
    out.add(kKey, json::value("derived from " + from), source);
  };
  if (!derived_from.empty()) return derived(derived_from, "--derived-from");
  const json::value adapter = read_json_file(folder + "/adapter_config.json");
  if (const std::string_view base = text_of(&adapter, "base_model_name_or_path"); !base.empty()) {
    return derived(std::string(base), "adapter_config.json");
  }
  const ModelCard card = read_card(folder);
  const bool is_quantised = out.text("model.weights.quantisation") != "none";
  if (!card.base.empty() && (!card.relation.empty() || is_quantised)) return derived(card.base, "README.md");
  if (!gguf_base.empty()) return derived(gguf_base, "GGUF header");
  const json::value config = read_json_file(folder + "/config.json");
  const std::string_view before = text_of(&config, "_name_or_path");
  const std::string repository = out.text("model.repository");
  const bool is_release = !repository.empty() && !out.text("model.revision").empty();
  if (is_release && card.is_read && card.base.empty() && !is_quantised && (before.empty() || before == repository)) {
    out.add(kKey, "original", "config.json README.md");
  } else {
    out.miss(kKey, FieldStatus::absent, "config.json README.md");
  }
}

}  // namespace scoville::environment

#include "portability/survey.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/file.hpp"

namespace scoville::portability {
namespace {

struct Outcome {
  std::optional<SurveyedFile> read;
  std::optional<Skipped> skipped;
};

Outcome skipped(const File& file, Skip why, std::string detail = "") {
  return {std::nullopt, Skipped{file.path, why, std::move(detail)}};
}

bool is_binary(const std::string& content) {
  constexpr std::size_t kLookedAt = std::size_t{8} << 10;
  return content.substr(0, kLookedAt).find('\0') != std::string::npos;
}

Outcome read_one(const Matcher& matcher, const File& file) {
  const std::string name = std::filesystem::path(file.path).filename().string();
  const Result<std::string> content = read_file(file.path);
  if (!content) return skipped(file, Skip::unreadable, content.error().message);
  if (is_binary(*content)) return skipped(file, Skip::binary);
  if (is_notebook(name)) {
    Result<Scan> scanned = scan_notebook(matcher, name, *content);
    if (!scanned) return skipped(file, Skip::no_notebook);
    return {SurveyedFile{file, "notebook", *std::move(scanned)}, std::nullopt};
  }
  const Language language = *language_of(name);
  return {SurveyedFile{file, std::string(name_of(language)), scan(matcher, language, name, *content)}, std::nullopt};
}

}  // namespace

Survey survey(const Matcher& matcher, const std::vector<std::string>& paths, Tree tree, std::size_t threads,
              const SurveyProgress& told) {
  std::vector<Outcome> outcomes(tree.files.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < outcomes.size(); i = next++) outcomes[i] = read_one(matcher, tree.files[i]);
  };
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < std::min(threads, outcomes.size()); ++i) helpers.emplace_back(work);
  for (std::size_t i = next++; i < outcomes.size(); i = next++) {
    outcomes[i] = read_one(matcher, tree.files[i]);
    if (told) told(i, outcomes.size());
  }
  helpers.clear();

  Survey out{paths, {}, std::move(tree.skipped), tree.links};
  for (Outcome& each : outcomes) {
    if (each.read) out.files.push_back(*std::move(each.read));
    if (each.skipped) out.skipped.push_back(*std::move(each.skipped));
  }
  std::stable_sort(out.skipped.begin(), out.skipped.end(), [](auto& a, auto& b) { return a.path < b.path; });
  return out;
}

}  // namespace scoville::portability

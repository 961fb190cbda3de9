#include "portability/tree.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "portability/language.hpp"
#include "text/catalogue/portability.hpp"

namespace scoville::portability {
namespace {

namespace fs = std::filesystem;
using text::PortabilityMsg;
using text::say;

constexpr std::array<std::string_view, 17> kLeftOut{
    ".git", ".hg",   ".svn",        "build",       "venv",          ".venv",         "env",     "node_modules", ".tox",
    ".nox", ".eggs", "__pycache__", ".mypy_cache", "site-packages", ".pytest_cache", ".ccache", "CMakeFiles"};

bool is_left_out(const std::string& folder) {
  return std::find(kLeftOut.begin(), kLeftOut.end(), folder) != kLeftOut.end();
}

bool is_read(const std::string& name) { return is_notebook(name) || language_of(name); }

Error unreadable(const std::string& path, const std::error_code& why) {
  return {ErrorCode::invalid_argument, say(PortabilityMsg::path_unreadable, path, why.message())};
}

/// Walks one path after the other into one tree.
class Walk {
 public:
  explicit Walk(bool has_one_path) : has_one_path_(has_one_path) {}

  Status add(const std::string& given) {
    std::error_code fault;
    const fs::path path = fs::path(given).lexically_normal();
    const fs::file_status status = fs::status(path, fault);
    if (fault || !fs::exists(status)) return unreadable(given, fault);
    if (!fs::is_directory(status)) {
      if (!is_read(path.filename().string()))
        return Error{ErrorCode::invalid_argument, say(PortabilityMsg::kind_unknown, given)};
      take(path, has_one_path_ ? path.filename() : path);
      return Done{};
    }
    // A named folder may be a link; its own first level tells whether it can be read at all.
    fs::recursive_directory_iterator each(path, fs::directory_options::none, fault);
    if (fault) return unreadable(given, fault);
    for (const fs::recursive_directory_iterator end; each != end; step(each)) look_at(each, path);
    return Done{};
  }

  Tree finish() && {
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(tree_.files.begin(), tree_.files.end(), by_path);
    std::sort(tree_.skipped.begin(), tree_.skipped.end(), by_path);
    return std::move(tree_);
  }

 private:
  void look_at(fs::recursive_directory_iterator& each, const fs::path& root) {
    std::error_code fault;
    const fs::file_status status = each->symlink_status(fault);
    const std::string name = each->path().filename().string();
    if (fs::is_symlink(status)) {
      tree_.links += 1;
    } else if (fs::is_directory(status)) {
      if (is_left_out(name)) each.disable_recursion_pending();
    } else if (fs::is_regular_file(status) && is_read(name)) {
      take(each->path(), has_one_path_ ? each->path().lexically_relative(root) : each->path());
    }
  }

  /// On to the next entry; a folder that may not be read is said, and passed by.
  void step(fs::recursive_directory_iterator& each) {
    std::error_code fault;
    const fs::path at = each->path();
    each.increment(fault);
    if (!fault) return;
    tree_.skipped.push_back({at.string(), Skip::unreadable, fault.message()});
    each = fs::recursive_directory_iterator();
  }

  void take(const fs::path& path, const fs::path& key) {
    std::error_code fault;
    if (!seen_.insert(fs::weakly_canonical(path, fault).string()).second) return;
    const std::uintmax_t size = fs::file_size(path, fault);
    if (fault) {
      tree_.skipped.push_back({path.string(), Skip::unreadable, fault.message()});
    } else if (size > kLargestFile) {
      tree_.skipped.push_back({path.string(), Skip::too_large, ""});
    } else {
      tree_.files.push_back({path.string(), key.generic_string()});
    }
  }

  bool has_one_path_;
  std::set<std::string> seen_;
  Tree tree_;
};

}  // namespace

std::string_view name_of(Skip why) {
  constexpr std::array<std::string_view, 4> kNames{"too_large", "binary", "unreadable", "no_notebook"};
  return kNames[static_cast<std::size_t>(why)];
}

Result<Tree> walk(const std::vector<std::string>& paths) {
  Walk walk(paths.size() == 1);
  for (const std::string& each : paths)
    if (Status added = walk.add(each); !added) return added.error();
  return std::move(walk).finish();
}

}  // namespace scoville::portability

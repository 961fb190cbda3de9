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
    const fs::directory_iterator first(path, fault);
    if (fault) return unreadable(given, fault);
    std::vector<fs::path> folders;
    look_through(first, path, path, folders);
    while (!folders.empty()) {
      const fs::path folder = std::move(folders.back());
      folders.pop_back();
      const fs::directory_iterator each(folder, fault);
      if (fault) {
        tree_.skipped.push_back({folder.string(), Skip::unreadable, fault.message()});
      } else {
        look_through(each, folder, path, folders);
      }
    }
    return Done{};
  }

  Tree finish() && {
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(tree_.files.begin(), tree_.files.end(), by_path);
    std::sort(tree_.skipped.begin(), tree_.skipped.end(), by_path);
    return std::move(tree_);
  }

 private:
  /// One folder, whose own folders are left to be looked through. Where it stops being readable it is said, and left.
  void look_through(fs::directory_iterator each, const fs::path& folder, const fs::path& root,
                    std::vector<fs::path>& folders) {
    std::error_code fault;
    for (const fs::directory_iterator end; each != end && !fault; each.increment(fault)) look_at(*each, root, folders);
    if (fault) tree_.skipped.push_back({folder.string(), Skip::unreadable, fault.message()});
  }

  void look_at(const fs::directory_entry& entry, const fs::path& root, std::vector<fs::path>& folders) {
    std::error_code fault;
    const fs::file_status status = entry.symlink_status(fault);
    const std::string name = entry.path().filename().string();
    if (fault) {
      tree_.skipped.push_back({entry.path().string(), Skip::unreadable, fault.message()});
    } else if (fs::is_symlink(status)) {
      tree_.links += 1;
    } else if (fs::is_directory(status)) {
      if (!is_left_out(name)) folders.push_back(entry.path());
    } else if (fs::is_regular_file(status) && is_read(name)) {
      take(entry.path(), has_one_path_ ? entry.path().lexically_relative(root) : entry.path());
    }
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

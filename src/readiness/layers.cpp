#include "readiness/layers.hpp"

#include <fmt/format.h>

#include <boost/regex.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "config/node.hpp"
#include "readiness/embedded.hpp"
#include "text/catalogue/readiness.hpp"

namespace scoville::readiness {
namespace {

namespace fs = std::filesystem;
using text::ReadinessMsg;
using text::say;

const std::vector<std::string> kLayers{"compiler", "operator_library", "communication_library", "profiler"};

/// "libnccl.so.2.21.5" of "libnccl.so", or "" where the folder has none. The longest name says most.
std::string library_in(const std::string& folder, const std::string& name) {
  std::error_code failed;
  std::string best;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, failed)) {
    const std::string file = each.path().filename().string();
    const bool is_it = file == name || file.starts_with(name + ".");
    if (is_it && file.size() > best.size()) best = file;
  }
  return best;
}

struct Found {
  std::string evidence, version;
};

std::optional<Found> by_program(const Way& way, const Surroundings& here) {
  const environment::CommandResult result = here.tools.run(way.program);
  if (!result.ok()) return std::nullopt;
  boost::smatch match;
  const std::string said = result.output + result.errors;
  const bool has_version =
      !way.version.empty() && boost::regex_search(said, match, boost::regex(way.version)) && match.size() > 1;
  return Found{fmt::format("{}", fmt::join(way.program, " ")), has_version ? match[1].str() : ""};
}

std::optional<Found> by_library(const Way& way, const Surroundings& here) {
  for (const std::string& folder : here.library_folders) {
    const std::string file = library_in(folder, way.library);
    if (file.empty()) continue;
    return Found{folder + "/" + file, file.size() > way.library.size() ? file.substr(way.library.size() + 1) : ""};
  }
  return std::nullopt;
}

std::optional<Found> found_by(const Way& way, const Surroundings& here) {
  if (!way.program.empty()) return by_program(way, here);
  if (!way.library.empty()) return by_library(way, here);
  const auto package = here.packages.find(way.package);
  if (package == here.packages.end()) return std::nullopt;
  return Found{"python3: " + way.package, package->second};
}

std::string name_of_way(const Way& way) {
  return !way.program.empty() ? way.program.front() : !way.library.empty() ? way.library : way.package;
}

void add_folders_of(const fs::path& file, std::vector<std::string>& out) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('/')) out.push_back(line.substr(0, line.find_first_of(" \t\r#")));
  }
}

}  // namespace

Result<std::vector<Way>> read_ways(const std::string& yaml, const std::string& where) {
  const Result<config::Node> root = config::Node::parse(yaml, where);
  if (!root) return root.error();
  std::vector<Way> ways;
  for (const config::Node& entry : root->list("tools")) {
    Way way;
    way.vendor = entry.text("vendor");
    way.layer = static_cast<Item>(static_cast<std::size_t>(Item::compiler) + entry.choice("layer", kLayers));
    way.program = entry.maybe_texts("program");
    way.version = entry.text_or("version", "");
    way.library = entry.text_or("library", "");
    way.package = entry.text_or("package", "");
    if (way.program.empty() && way.library.empty() && way.package.empty()) entry.fault(say(ReadinessMsg::way_empty));
    try {
      boost::regex checked(way.version);
    } catch (const boost::regex_error& wrong) {
      entry.fault("version", wrong.what());
    }
    ways.push_back(std::move(way));
  }
  return root->finish(std::move(ways));
}

const std::vector<Way>& built_in_ways() {
  static const std::vector<Way> ways = read_ways(embedded_tools(), "data/readiness_tools.yaml").value();
  return ways;
}

Check find_layer(Item layer, const std::string& vendor, const std::vector<Way>& ways, const Surroundings& here) {
  std::string looked_for;
  for (const Way& way : ways) {
    if (way.layer != layer || way.vendor != vendor) continue;
    if (const std::optional<Found> found = found_by(way, here))
      return {layer, Verdict::yes, found->evidence, found->version};
    looked_for += (looked_for.empty() ? "" : ", ") + name_of_way(way);
  }
  if (vendor.empty()) return {layer, Verdict::unknown, say(ReadinessMsg::no_vendor), ""};
  if (looked_for.empty()) return {layer, Verdict::unknown, say(ReadinessMsg::no_way, vendor), ""};
  return {layer, Verdict::no, say(ReadinessMsg::looked_for, looked_for), ""};
}

std::vector<std::string> library_folders(const std::string& root, const environment::Variables& variables) {
  std::vector<std::string> folders;
  if (const auto given = variables.find("LD_LIBRARY_PATH"); given != variables.end()) {
    for (std::size_t from = 0; from <= given->second.size();) {
      const std::size_t end = std::min(given->second.find(':', from), given->second.size());
      if (end > from) folders.push_back(given->second.substr(from, end - from));
      from = end + 1;
    }
  }
  std::vector<std::string> system{"/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"};
  std::error_code failed;
  std::set<fs::path> files;
  for (const fs::directory_entry& each : fs::directory_iterator(root + "/etc/ld.so.conf.d", failed))
    files.insert(each.path());
  for (const fs::path& file : files) add_folders_of(file, system);
  for (const char* vendor : {"/usr/local/cuda/lib64", "/opt/rocm/lib", "/usr/local/Ascend/ascend-toolkit/latest/lib64",
                             "/usr/local/Ascend/cann/lib64", "/usr/local/neuware/lib64", "/usr/local/musa/lib",
                             "/opt/maca/lib", "/usr/local/corex/lib", "/opt/dtk/lib", "/usr/lib/habanalabs"}) {
    system.emplace_back(vendor);
  }
  for (const std::string& folder : system) folders.push_back(root + folder);
  return folders;
}

}  // namespace scoville::readiness

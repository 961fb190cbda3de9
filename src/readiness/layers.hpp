#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "environment/command.hpp"
#include "readiness/check.hpp"

namespace scoville::readiness {

/// One way to find one layer of one vendor's software: an entry of data/readiness_tools.yaml.
struct Way {
  std::string vendor;
  Item layer = Item::compiler;
  std::vector<std::string> program;  ///< its name and arguments; empty: none
  std::string version;               ///< regular expression with one group
  std::string library;               ///< "libnccl.so": a file of that name, or with a version behind it
  std::string package;
};

/// From YAML; faults with file, line and field.
Result<std::vector<Way>> read_ways(const std::string& yaml, const std::string& where);
const std::vector<Way>& built_in_ways();

/// What this machine has, as far as ways ask.
struct Surroundings {
  const environment::ToolRunner& tools;
  std::map<std::string, std::string> packages;  ///< Python distributions and their versions
  std::vector<std::string> library_folders;     ///< where shared libraries lie
};

/// The layer of that vendor, by the first way that finds it. None found: no, and what was looked for; no way known
/// for this vendor: unknown.
Check find_layer(Item layer, const std::string& vendor, const std::vector<Way>& ways, const Surroundings& here);

/// Folders of shared libraries: LD_LIBRARY_PATH, those of /etc/ld.so.conf.d, the usual ones and the vendors' own.
/// `root` is "" but in tests.
std::vector<std::string> library_folders(const std::string& root, const environment::Variables& variables);

}  // namespace scoville::readiness

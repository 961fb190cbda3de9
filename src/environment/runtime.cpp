#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <regex>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

/// Where a runtime says its version.
struct Place {
  const char* key;
  const char* variable;  ///< names its home, if set; "" for none
  const char* home;      ///< otherwise; may hold one "*" or be ""
  const char* file;      ///< below home; may hold one "*" if home holds none
  const char* pattern;   ///< whose first group is the version
};

constexpr const char* kWord = "([0-9][^\\s\"]*)";

/// The first place of a key that answers is taken. Seen in public guides and code, unless a line says otherwise.
constexpr std::array<Place, 28> kPlaces{{
    {"runtime.cuda", "CUDA_HOME", "/usr/local/cuda", "/version.json",
     "\"cuda\"\\s*:\\s*\\{[^}]*\"version\"\\s*:\\s*\"([^\"]+)\""},
    {"runtime.cuda", "CUDA_HOME", "/usr/local/cuda", "/version.txt", "CUDA Version (\\S+)"},
    {"runtime.rocm", "ROCM_PATH", "/opt/rocm", "/.info/version", kWord},
    {"runtime.dtk", "DTK_HOME", "/opt/dtk", "/.info/rocm_version", kWord},
    {"runtime.dtk", "DTK_HOME", "/opt/dtk", "/.info/version", kWord},
    {"runtime.dtk", "DTK_HOME", "/opt/dtk", "/.info/version-dev", kWord},
    {"runtime.dtk", "DTK_HOME", "/opt/dtk", "/.dtk_version", "(?:DTK-)?([0-9]\\S*)"},
    {"runtime.cann", "ASCEND_TOOLKIT_HOME", "/usr/local/Ascend/ascend-toolkit/latest",
     "/*-linux/ascend_toolkit_install.info", "(?:^|\\n)version=(\\S+)"},
    {"runtime.cann", "ASCEND_HOME_PATH", "/usr/local/Ascend/cann", "/*-linux/ascend_toolkit_install.info",
     "(?:^|\\n)version=(\\S+)"},
    {"runtime.cann", "ASCEND_TOOLKIT_HOME", "/usr/local/Ascend/ascend-toolkit/latest", "/version.cfg",
     "runtime_running_version=\\[(?:[^:\\]]*:)?([^\\]]+)\\]"},
    // Inference-only images carry nnrt instead of the toolkit; its file is unconfirmed.
    {"runtime.cann", "", "/usr/local/Ascend/nnrt/latest", "/version.cfg",
     "runtime_running_version=\\[(?:[^:\\]]*:)?([^\\]]+)\\]"},
    {"runtime.neuware", "NEUWARE_HOME", "/usr/local/neuware", "/version.txt", "(?:Neuware Version\\s+)?([0-9][^\\s]*)"},
    {"runtime.musa", "MUSA_HOME", "/usr/local/musa", "/version.json",
     "\"musa_toolkits\"\\s*:\\s*\\{[^}]*\"version\"\\s*:\\s*\"([^\"]+)\""},
    {"runtime.musa", "MUSA_HOME", "/usr/local/musa", "/version.txt", kWord},  // unconfirmed
    {"runtime.maca", "MACA_PATH", "/opt/maca", "/Version.txt", "(?:Version:\\s*)?([0-9]\\S*)"},
    {"runtime.maca", "MACA_PATH", "/opt/maca", "/version.txt", "(?:Version:\\s*)?([0-9]\\S*)"},
    {"runtime.corex", "COREX_HOME", "/usr/local/corex", "/version.txt", kWord},                 // unconfirmed
    {"runtime.xre", "XRE_HOME", "/usr/local/xpu", "/version.txt", kWord},                       // unconfirmed
    {"runtime.xre", "XRE_HOME", "/usr/local/xpu", "/tools/version.txt", kWord},                 // unconfirmed
    {"runtime.oneapi", "CMPLR_ROOT", "/opt/intel/oneapi/compiler/latest", "/.version", kWord},  // unconfirmed
    {"driver.huawei", "", "", "/usr/local/Ascend/driver/version.info", "(?:^|\\n)[Vv]ersion=(\\S+)"},
    {"firmware.huawei", "", "", "/usr/local/Ascend/firmware/version.info", "(?:^|\\n)[Vv]ersion=(\\S+)"},
    {"driver.nvidia", "", "", "/proc/driver/nvidia/version",
     "(?:Kernel Module|Open Kernel Module.*?)\\s+([0-9]+\\.[0-9.]+)"},
    {"driver.nvidia", "", "", "/sys/module/nvidia/version", kWord},
    {"driver.amd", "", "", "/sys/module/amdgpu/version", kWord},
    {"driver.habana", "", "", "/sys/module/habanalabs/version", kWord},
    {"driver.aws", "", "", "/sys/module/neuron/version", kWord},
    {"driver.tenstorrent", "", "", "/sys/module/tenstorrent/version", kWord},
}};

std::string home_of(const Place& place, const Variables& variables) {
  const auto told = variables.find(place.variable);
  std::string home = told != variables.end() && told->second.starts_with('/') ? told->second : place.home;
  while (home.ends_with('/')) home.pop_back();
  return home;
}

/// True once the key is settled: by a version, or by a file that is there and does not tell one.
bool try_path(const Root& root, const Place& place, const std::string& path, event::Fingerprint& print) {
  const Content content = root.read(path);
  if (content.status == event::FieldStatus::absent) return false;
  if (!content.ok()) {
    print.miss(place.key, content.status, path);
    return true;
  }
  std::smatch found;
  if (std::regex_search(content.text, found, std::regex(place.pattern))) {
    print.add(place.key, json::string(found[1].str()), path);
  } else {
    print.miss(place.key, event::FieldStatus::error, path + ": no version in it");
  }
  return true;
}

void collect_places(const Root& root, const Variables& variables, std::string_view prefix, event::Fingerprint& print) {
  for (const Place& place : kPlaces) {
    const std::string_view key = place.key;
    if (!key.starts_with(prefix)) continue;
    const event::FingerprintField* const known = print.find(key);
    if (known && known->status != event::FieldStatus::absent) continue;
    const std::string path = home_of(place, variables) + place.file;
    bool is_settled = false;
    for (const std::string& each : root.match(path)) is_settled = is_settled || try_path(root, place, each, print);
    if (!is_settled && !known) print.miss(place.key, event::FieldStatus::absent, path);
  }
}

}  // namespace

void collect_runtimes(const Root& root, const Variables& variables, event::Fingerprint& print) {
  collect_places(root, variables, "runtime.", print);
}

void collect_driver_files(const Root& root, event::Fingerprint& print) {
  collect_places(root, {}, "driver.", print);
  collect_places(root, {}, "firmware.", print);
}

}  // namespace scoville::environment

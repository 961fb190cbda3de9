#include <fmt/format.h>

#include <array>
#include <regex>

#include "environment/findings.hpp"
#include "environment/root.hpp"

namespace scoville::environment {
namespace {

/// How one vendor's boxed table is known and read. Patterns are ECMAScript; nullptr: the table does not say it.
struct Shape {
  const char* vendor;
  const char* mark;      ///< the table is this vendor's if this is found in it
  const char* driver;    ///< group 1
  const char* firmware;  ///< group 1: one for all devices
  const char* runtime_key;
  const char* runtime;  ///< group 1
  const char* row;      ///< groups: 1 number, 2 name, 3 firmware (optional)
  const char* memory;   ///< group 1, MiB: in the row's line or the one below
};

constexpr std::array<Shape, 6> kShapes{{
    // | npu-smi 25.5.2   Version: 25.5.2 |   | 0  910B3 | OK | 296.4 …   | 0 | 0000:C1:00.0 | 91  0 / 0  61825/ 65536 |
    {"huawei", "\\|\\s*npu-smi\\s+[0-9]", "npu-smi\\s+\\S+\\s+Version:\\s*([^\\s|]+)", nullptr, nullptr, nullptr,
     "^\\|\\s*([0-9]+)\\s+(\\S.*?)\\s*\\|\\s*(?:OK|Warning|Alarm|Critical|UNKNOWN|Offline)\\s*\\|",
     "/\\s*([1-9][0-9]*)\\s*\\|"},
    // | CNMON v5.10.13   Driver v5.10.13 |   | 0  /  MLU370-X8  v1.1.6 | 0000:39:00.0 | 0%  N/A |   (4.x: driver in the
    // row)
    {"cambricon", "\\|\\s*CNMON\\s+v[0-9]", "(?:Driver|\\|\\s*(?:On|Off))\\s+v([0-9][^\\s|]*)", nullptr, nullptr,
     nullptr, "^\\|\\s*([0-9]+)\\s+\\S+\\s+(MLU\\S*)\\s+v?([0-9]\\S*)\\s*\\|", "/\\s*([1-9][0-9]*)\\s*MiB"},
    // | MX-SMI 2.3.1   Kernel Mode Driver Version: 3.8.30 |   | MACA Version: 3.7.1.5   BIOS Version: 1.33.5.0 |
    {"metax", "MetaX System Management Interface", "Driver Version:\\s*([0-9][^\\s|]*)",
     "BIOS Version:\\s*([0-9][^\\s|]*)", "runtime.maca", "MACA Version:\\s*([0-9][^\\s|]*)",
     "^\\|\\s*([0-9]+)\\s+(\\S.*?)\\s*\\|(?:[^|]*\\|)?\\s*[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:",
     "/\\s*([1-9][0-9]*)\\s*MiB"},
    // |  IX-ML: 4.1.0   Driver Version: 4.1.0   CUDA Version: 10.2 |   (the CUDA version is the one that it imitates)
    {"iluvatar", "IX-ML:\\s*[0-9]", "Driver Version:\\s*([0-9][^\\s|]*)", nullptr, "runtime.corex",
     "IX-ML:\\s*([0-9][^\\s|]*)",
     "^\\|\\s*([0-9]+)\\s+(\\S.*?)\\s*\\|\\s*[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:", "/\\s*([1-9][0-9]*)\\s*MiB"},
    // | XPU-SMI   Driver Version: 515.58   XPU-RT Version: N/A |   |   0  P800 OAM   N/A | 00000000:03:00.0 N/A | 0 |
    {"kunlunxin", "XPU-SMI[^\\n]*XPU-RT Version", "Driver Version:\\s*([0-9][^\\s|]*)", nullptr, "runtime.xre",
     "XPU-RT Version:\\s*([0-9][^\\s|]*)",
     "^\\|\\s*([0-9]+)\\s+(\\S.*?)\\s*\\|\\s*[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:", "/\\s*([1-9][0-9]*)\\s*MiB"},
    // mthreads-gmi:1.14.0   Driver Version:2.7.0      0    MTT S80   |00000000:04:00.0    |0%    2MiB(16384MiB)
    {"mthreads", "mthreads-gmi:\\s*[0-9]", "Driver Version:\\s*([0-9][^\\s|]*)", nullptr, nullptr, nullptr,
     "^([0-9]+)\\s+(\\S.*?)\\s*\\|\\s*[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:", "MiB\\(([1-9][0-9]*)MiB\\)"},
}};

std::string group(const std::string& text, const char* pattern, std::size_t which = 1) {
  std::smatch found;
  return pattern && std::regex_search(text, found, std::regex(pattern)) ? found[which].str() : "";
}

/// Without the column that some versions put after the name: "MetaX N260    Off".
std::string without_mode(const std::string& name) {
  static const std::regex mode("\\s+(On|Off|N/A)$");
  return std::regex_replace(name, mode, "");
}

std::vector<Fact> read_row(const Shape& shape, const std::smatch& row, const std::string& lines,
                           const std::string& firmware) {
  std::vector<Fact> facts{{"name", json::string(without_mode(row[2].str()))}};
  const std::string own = row.size() > 3 ? row[3].str() : firmware;
  if (!own.empty()) facts.push_back({"firmware", json::string(own)});
  const std::string address = group(lines, "([0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9])");
  if (!address.empty()) facts.push_back({"address", json::string(lower(address)), false});
  const std::string memory = group(lines, shape.memory);
  if (!memory.empty()) facts.push_back({"memory_mib", number_or_text(memory)});
  return facts;
}

/// The part of the output that lists who uses the devices; not taken apart, only kept.
std::string processes_of(const std::string& text) {
  const std::size_t at = text.find("rocess");
  const std::size_t begin = at == std::string::npos ? at : text.rfind('\n', at);
  return begin == std::string::npos ? "" : std::string(trim(std::string_view(text).substr(begin))).substr(0, 2048);
}

Findings read_as(const Shape& shape, const std::string& text) {
  Findings out;
  out.vendor = shape.vendor;
  out.driver = group(text, shape.driver);
  if (const std::string version = group(text, shape.runtime); !version.empty())
    out.versions[shape.runtime_key] = version;
  const std::string firmware = group(text, shape.firmware);
  const std::string processes = processes_of(text);
  if (!processes.empty()) out.processes = json::string(processes);
  const std::regex pattern(shape.row);
  const std::vector<std::string_view> lines = lines_of(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].find("rocess") != std::string_view::npos) break;
    const std::string line(lines[i]);
    std::smatch row;
    if (!std::regex_search(line, row, pattern)) continue;
    const std::string both = i + 1 < lines.size() ? fmt::format("{}\n{}", line, lines[i + 1]) : line;
    out.devices.push_back(read_row(shape, row, both, firmware));
  }
  return out;
}

}  // namespace

std::optional<Findings> read_table(std::string_view output) {
  const std::string text(output.substr(0, 64 << 10));
  for (const Shape& shape : kShapes) {
    if (std::regex_search(text, std::regex(shape.mark))) return read_as(shape, text);
  }
  return std::nullopt;
}

}  // namespace scoville::environment

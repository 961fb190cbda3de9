#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace scoville::environment {

/// One fact of one device.
struct Fact {
  std::string key;  ///< below "device.VENDOR.N."
  json::value value;
  bool is_comparable = true;
};

/// What a vendor's tool said, once its words are understood. Empty texts: it did not say.
struct Findings {
  std::string vendor;  ///< as in data/pci_accelerators.yaml
  std::string driver;
  std::map<std::string, std::string> versions;  ///< "runtime.maca": "3.7.1.5"
  std::vector<std::vector<Fact>> devices;       ///< in the order of the tool's own numbers
  json::value processes;                        ///< null: not asked
};

/// Reads one tool's output; empty where it is not that tool's, whatever the program was called. Two vendors name theirs
/// xpu-smi, two mx-smi, and some ship an nvidia-smi of their own.
using Interpreter = std::optional<Findings> (*)(std::string_view output);

std::optional<Findings> read_nvidia(std::string_view output);    ///< nvidia-smi --query-gpu=kNvidiaQuery
std::optional<Findings> read_amd_smi(std::string_view output);   ///< amd-smi static --json
std::optional<Findings> read_rocm_smi(std::string_view output);  ///< rocm-smi --show… --json
std::optional<Findings> read_hygon(std::string_view output);     ///< hy-smi --showproductname --json
std::optional<Findings> read_intel(std::string_view output);     ///< xpu-smi discovery -j
std::optional<Findings> read_habana(std::string_view output);    ///< hl-smi -Q … -f csv,noheader
std::optional<Findings> read_neuron(std::string_view output);    ///< neuron-ls --json-output
std::optional<Findings> read_table(std::string_view output);     ///< the boxed tables of the other vendors

/// The columns that nvidia-smi is asked for.
std::string nvidia_query();
/// The columns that hl-smi is asked for.
inline constexpr const char* kHabanaQuery = "index,uuid,name,driver_version,memory.total";

/// Cells of a line of CSV, blanks taken off.
std::vector<std::string_view> cells_of(std::string_view line);
/// As a number where the whole of it is one, else as text.
json::value number_or_text(std::string_view text);
/// "N/A", "[Not Supported]", "-" and the like.
bool is_no_value(std::string_view text);

}  // namespace scoville::environment

#include "environment/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "environment/root.hpp"

namespace scoville::environment {
namespace {

/// What nvidia-smi calls it, what we call it, and what kind of value it is.
struct Column {
  const char* name;
  const char* key;  ///< "" for what is no fact of a device
  bool is_number;
  bool is_comparable;
};

constexpr std::array<Column, 19> kNvidia{{
    {"index", "", true, false},
    {"name", "name", false, true},
    {"driver_version", "", false, true},
    {"vbios_version", "vbios", false, true},
    {"uuid", "uuid", false, false},
    {"serial", "serial", false, false},
    {"pci.bus_id", "address", false, false},
    {"memory.total", "memory_mib", true, true},
    {"power.limit", "power_limit_w", true, true},
    {"power.max_limit", "power_limit_max_w", true, true},
    {"ecc.mode.current", "ecc", false, true},
    {"mig.mode.current", "mig", false, true},
    {"persistence_mode", "persistence", false, true},
    {"compute_mode", "compute_mode", false, true},
    {"pcie.link.gen.max", "pcie_gen_max", true, true},
    {"pcie.link.width.max", "pcie_width_max", true, true},
    {"pcie.link.width.current", "pcie_width", true, true},
    {"clocks.max.sm", "clock_sm_max_mhz", true, true},
    {"clocks.max.memory", "clock_memory_max_mhz", true, true},
}};

/// JSON at any depth of one key's value: "" where there is none or it says nothing.
std::string text_at(const json::value& value, std::initializer_list<std::string_view> path) {
  const json::value* at = &value;
  for (const std::string_view key : path) {
    const json::object* const object = at->if_object();
    at = object ? object->if_contains(key) : nullptr;
    if (!at) return "";
  }
  if (const json::object* const pair = at->if_object(); pair && pair->contains("value")) at = &pair->at("value");
  if (at->is_null()) return "";
  if (!at->is_string()) return compact(*at);
  const std::string text(at->as_string());
  return is_no_value(text) ? "" : text;
}

void add_text(std::vector<Fact>& facts, const char* key, const std::string& text, bool is_comparable = true) {
  if (!text.empty()) facts.push_back({key, json::string(text), is_comparable});
}

void add_number(std::vector<Fact>& facts, const char* key, const std::string& text) {
  if (!text.empty()) facts.push_back({key, number_or_text(text)});
}

json::value parse(std::string_view text) {
  boost::system::error_code failed;
  const std::size_t begin = text.find_first_of("[{");
  json::value value = json::parse(begin == std::string_view::npos ? "" : text.substr(begin), failed);
  return failed ? json::value() : value;
}

/// The object's members "card0", "card1", … in the order of their numbers.
std::vector<const json::value*> cards_of(const json::object& root) {
  std::vector<const json::value*> out;
  for (std::size_t n = 0; n < 256; ++n) {
    if (const json::value* card = root.if_contains(fmt::format("card{}", n))) out.push_back(card);
  }
  return out;
}

std::string first_of(const json::value& card, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (std::string text = text_at(card, {key}); !text.empty()) return text;
  }
  return "";
}

std::optional<Findings> read_cards(std::string_view output, const char* vendor) {
  const json::value told = parse(output);
  const json::object* const root = told.if_object();
  if (!root) return std::nullopt;
  Findings out;
  out.vendor = vendor;
  out.driver = first_of(root->contains("system") ? root->at("system") : json::value(), {"Driver version"});
  for (const json::value* card : cards_of(*root)) {
    std::vector<Fact> facts;
    add_text(facts, "name", first_of(*card, {"Card Series", "Card series", "Card Model", "Card model"}));
    add_text(facts, "sku", first_of(*card, {"Card SKU"}));
    add_text(facts, "vbios", first_of(*card, {"VBIOS version", "VBIOS Version"}));
    add_text(facts, "architecture", first_of(*card, {"GFX Version"}));
    out.devices.push_back(std::move(facts));
  }
  if (out.devices.empty()) return std::nullopt;
  return out;
}

}  // namespace

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = std::min(line.find(','), line.size());
    cells.push_back(trim(line.substr(0, comma)));
    if (comma == line.size()) return cells;
    line.remove_prefix(comma + 1);
  }
}

json::value number_or_text(std::string_view text) {
  if (const json::value whole = number_in(text); !whole.is_null()) return whole;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && std::abs(number) < 1e15) {
    if (number == static_cast<double>(static_cast<std::int64_t>(number))) return static_cast<std::int64_t>(number);
    return number;
  }
  return json::string(text);
}

bool is_no_value(std::string_view text) {
  const std::string word = lower(trim(text));
  return word.empty() || word == "n/a" || word == "-" || word == "none" || word == "err!" || word == "unknown" ||
         (word.starts_with('[') && word.ends_with(']'));
}

std::string nvidia_query() {
  std::string out;
  for (const Column& each : kNvidia) out += fmt::format("{}{}", out.empty() ? "" : ",", each.name);
  return out;
}

std::optional<Findings> read_nvidia(std::string_view output) {
  Findings out;
  out.vendor = "nvidia";
  for (const std::string_view line : lines_of(output)) {
    const std::vector<std::string_view> cells = cells_of(line);
    if (trim(line).empty()) continue;
    if (cells.size() != kNvidia.size() || number_in(cells[0]).is_null()) return std::nullopt;
    std::vector<Fact> facts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (is_no_value(cells[i])) continue;
      if (std::string_view(kNvidia[i].name) == "driver_version") out.driver = cells[i];
      if (*kNvidia[i].key == '\0') continue;
      facts.push_back({kNvidia[i].key, kNvidia[i].is_number ? number_or_text(cells[i]) : json::string(cells[i]),
                       kNvidia[i].is_comparable});
    }
    out.devices.push_back(std::move(facts));
  }
  if (out.devices.empty()) return std::nullopt;
  return out;
}

std::optional<Findings> read_amd_smi(std::string_view output) {
  const json::value told = parse(output);
  const json::value* list = &told;
  if (told.is_object() && told.as_object().contains("gpu_data")) list = &told.as_object().at("gpu_data");
  if (!list->is_array()) return std::nullopt;
  Findings out;
  out.vendor = "amd";
  for (const json::value& each : list->as_array()) {
    if (!each.is_object() || !each.as_object().contains("asic")) return std::nullopt;
    std::vector<Fact> facts;
    add_text(facts, "name", text_at(each, {"asic", "market_name"}));
    add_text(facts, "architecture", text_at(each, {"asic", "target_graphics_version"}));
    add_text(facts, "serial", text_at(each, {"asic", "asic_serial"}), false);
    add_text(facts, "address", text_at(each, {"bus", "bdf"}), false);
    for (const char* key : {"version", "vbios_version", "name"}) {
      const std::string version = text_at(each, {"vbios", key});
      if (version.empty()) continue;
      add_text(facts, "vbios", version);
      break;
    }
    add_number(facts, "power_limit_w", text_at(each, {"limit", "socket_power"}));
    add_number(facts, "power_limit_max_w", text_at(each, {"limit", "max_power"}));
    add_number(facts, "pcie_width_max", text_at(each, {"bus", "max_pcie_width"}));
    add_number(facts, "memory_mib", text_at(each, {"vram", "size"}));
    add_text(facts, "partition", text_at(each, {"partition", "compute_partition"}));
    for (const char* key : {"version", "driver_version"}) {
      if (const std::string version = text_at(each, {"driver", key}); !version.empty()) out.driver = version;
    }
    out.devices.push_back(std::move(facts));
  }
  if (out.devices.empty()) return std::nullopt;
  return out;
}

std::optional<Findings> read_rocm_smi(std::string_view output) { return read_cards(output, "amd"); }
std::optional<Findings> read_hygon(std::string_view output) { return read_cards(output, "hygon"); }

std::optional<Findings> read_intel(std::string_view output) {
  const json::value told = parse(output);
  const json::object* const root = told.if_object();
  const json::value* const list = root ? root->if_contains("device_list") : nullptr;
  if (!list || !list->is_array()) return std::nullopt;
  Findings out;
  out.vendor = "intel";
  for (const json::value& each : list->as_array()) {
    std::vector<Fact> facts;
    add_text(facts, "name", text_at(each, {"device_name"}));
    add_text(facts, "address", text_at(each, {"pci_bdf_address"}), false);
    add_text(facts, "uuid", text_at(each, {"uuid"}), false);
    out.devices.push_back(std::move(facts));
  }
  return out;
}

std::optional<Findings> read_habana(std::string_view output) {
  Findings out;
  out.vendor = "habana";
  for (const std::string_view line : lines_of(output)) {
    if (trim(line).empty()) continue;
    const std::vector<std::string_view> cells = cells_of(line);
    if (cells.size() != 5 || number_in(cells[0]).is_null()) return std::nullopt;
    std::vector<Fact> facts;
    add_text(facts, "uuid", std::string(cells[1]), false);
    add_text(facts, "name", std::string(cells[2]));
    out.driver = cells[3];
    add_number(facts, "memory_mib", std::string(cells[4].substr(0, cells[4].find(' '))));
    out.devices.push_back(std::move(facts));
  }
  if (out.devices.empty()) return std::nullopt;
  return out;
}

std::optional<Findings> read_neuron(std::string_view output) {
  const json::value told = parse(output);
  if (!told.is_array()) return std::nullopt;
  Findings out;
  out.vendor = "aws";
  json::array processes;
  for (const json::value& each : told.as_array()) {
    if (!each.is_object() || !each.as_object().contains("neuron_device")) return std::nullopt;
    std::vector<Fact> facts;
    add_number(facts, "cores", text_at(each, {"nc_count"}));
    add_number(facts, "memory_bytes", text_at(each, {"memory_size"}));
    add_text(facts, "connected_to", text_at(each, {"connected_to"}));
    add_text(facts, "address", text_at(each, {"bdf"}), false);
    if (const json::value* list = each.as_object().if_contains("neuron_processes"); list && list->is_array()) {
      for (const json::value& process : list->as_array()) processes.emplace_back(compact(process));
    }
    out.devices.push_back(std::move(facts));
  }
  out.processes = std::move(processes);
  return out;
}

}  // namespace scoville::environment

#include "environment/pci_names.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <regex>

#include "base/check.hpp"
#include "text/catalogue.hpp"

namespace scoville::environment {

const char* embedded_pci_accelerators();

namespace {

constexpr std::array<std::string_view, 7> kFields{"id", "vendor", "name", "classes", "source", "confidence", "note"};

Error at_fault(const std::string& where, const std::string& id, const std::string& what) {
  return {ErrorCode::invalid_argument, text::say(text::Msg::env_pci_data_fault, where, id, what)};
}

Result<PciEntry> read_entry(const YAML::Node& node, const std::string& where, const std::string& id) {
  for (const auto& pair : node) {
    const std::string name = pair.first.as<std::string>();
    if (std::find(kFields.begin(), kFields.end(), name) == kFields.end()) {
      return at_fault(where, id, fmt::format("{}?", name));
    }
  }
  PciEntry entry;
  for (auto [name, into] : {std::pair{"vendor", &entry.vendor}, std::pair{"name", &entry.name},
                            std::pair{"source", &entry.source}, std::pair{"confidence", &entry.confidence}}) {
    if (!node[name] || !node[name].IsScalar() || node[name].Scalar().empty()) return at_fault(where, id, name);
    *into = node[name].Scalar();
  }
  static const std::regex word("[a-z0-9_-]+"), digits("[0-9a-f]{2,6}");
  if (!std::regex_match(entry.vendor, word)) return at_fault(where, id, "vendor: [a-z0-9_-]+");
  if (entry.confidence != "high" && entry.confidence != "medium" && entry.confidence != "low") {
    return at_fault(where, id, "confidence: high, medium, low");
  }
  for (const YAML::Node& each : node["classes"]) {
    entry.classes.push_back(each.as<std::string>());
    if (!std::regex_match(entry.classes.back(), digits)) return at_fault(where, id, "classes: [\"03\", \"12\"]");
  }
  return entry;
}

}  // namespace

const PciNames& PciNames::embedded() {
  static const PciNames names = [] {
    Result<PciNames> parsed = parse(embedded_pci_accelerators(), "data/pci_accelerators.yaml");
    SCOVILLE_CHECK(parsed.ok(), "the embedded PCI data can be read");
    return *std::move(parsed);
  }();
  return names;
}

Result<PciNames> PciNames::parse(const std::string& yaml, const std::string& where) {
  PciNames out;
  try {
    const YAML::Node root = YAML::Load(yaml);
    if (!root.IsSequence()) return at_fault(where, "–", "- {id, vendor, name, source, confidence}");
    static const std::regex shape("[0-9a-f]{4}(:[0-9a-f]{4})?");
    for (const YAML::Node& node : root) {
      const std::string id = node.IsMap() && node["id"] && node["id"].IsScalar() ? node["id"].Scalar() : "";
      if (!std::regex_match(id, shape)) return at_fault(where, id.empty() ? "–" : id, "id: \"19e5:d802\"");
      Result<PciEntry> entry = read_entry(node, where, id);
      if (!entry) return entry.error();
      if (!out.entries_.emplace(id, *std::move(entry)).second) return at_fault(where, id, "id: 1×");
    }
  } catch (const YAML::Exception& fault) {
    return at_fault(where, fmt::format("{}:{}", fault.mark.line + 1, fault.mark.column + 1), fault.msg);
  }
  return out;
}

void PciNames::merge(const PciNames& other) {
  for (const auto& [id, entry] : other.entries_) entries_[id] = entry;
}

const PciEntry* PciNames::vendor(std::string_view vendor_id) const {
  const auto found = entries_.find(vendor_id);
  return found == entries_.end() ? nullptr : &found->second;
}

const PciEntry* PciNames::device(std::string_view vendor_id, std::string_view device_id) const {
  return vendor(fmt::format("{}:{}", vendor_id, device_id));
}

bool PciNames::is_accelerator(std::string_view vendor_id, std::string_view device_id,
                              std::string_view class_code) const {
  if (device(vendor_id, device_id)) return true;
  const PciEntry* const known = vendor(vendor_id);
  if (!known) return class_code.starts_with("12");
  return std::any_of(known->classes.begin(), known->classes.end(),
                     [&](const std::string& each) { return class_code.starts_with(each); });
}

}  // namespace scoville::environment

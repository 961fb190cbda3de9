#include <fmt/format.h>

#include <array>
#include <regex>
#include <set>

#include "environment/areas.hpp"
#include "environment/findings.hpp"

namespace scoville::environment {
namespace {

constexpr std::size_t kRawBytes = 2048;
constexpr std::size_t kTopologyBytes = 32 << 10;

/// One program of a vendor: what it is asked, and who may understand the answer. No reader: its output is kept raw,
/// because no sample of it has been seen.
struct Tool {
  std::string name;
  std::vector<std::string> words;
  std::vector<Interpreter> readers;
  std::vector<std::vector<std::string>> topology;  ///< ways to ask for the links between cards: the first that works
};

std::vector<Tool> tools() {
  return {
      {"nvidia-smi",
       {"--query-gpu=" + nvidia_query(), "--format=csv,noheader,nounits"},
       {&read_nvidia, &read_table},
       {{"topo", "-m"}}},
      {"amd-smi", {"static", "--json"}, {&read_amd_smi}, {{"topology"}}},
      {"rocm-smi",
       {"--showproductname", "--showvbios", "--showdriverversion", "--json"},
       {&read_rocm_smi},
       {{"--showtopo"}}},
      {"npu-smi", {"info"}, {&read_table}, {{"info", "-t", "topo"}}},
      {"cnmon", {}, {&read_table}, {{"topo"}}},
      {"hy-smi", {"--showproductname", "--json"}, {&read_hygon}, {{"--showtopo"}}},
      {"mthreads-gmi", {}, {&read_table}, {{"topo", "-m"}}},
      {"xpu-smi", {}, {&read_table}, {{"topo", "-m"}, {"topology", "-m"}}},
      {"mx-smi", {}, {&read_table}, {{"topo", "-m"}}},
      {"ixsmi", {}, {&read_table}, {{"topo", "-m"}}},
      {"hl-smi", {"-Q", kHabanaQuery, "-f", "csv,noheader"}, {&read_habana}, {}},
      {"neuron-ls", {"--json-output"}, {&read_neuron}, {}},
      {"efsmi", {}, {}, {}},
      {"brsmi", {}, {}, {}},
      {"rbln-stat", {}, {}, {}},
      {"furiosa-smi", {"info"}, {}, {}},
      {"tt-smi", {"-s"}, {}, {}},
  };
}

Inquiry inquiry(std::string id, const std::string& program, const std::vector<std::string>& arguments) {
  Inquiry out{std::move(id), {program}};
  out.words.insert(out.words.end(), arguments.begin(), arguments.end());
  return out;
}

/// Questions beyond the first one, by id.
std::vector<Inquiry> more_inquiries() {
  return {
      {"nvidia-smi.apps", {"nvidia-smi", "--query-compute-apps=pid,process_name,used_memory", "--format=csv,noheader"}},
      {"hy-smi.driver", {"hy-smi", "--showdriverversion"}},
      {"xpu-smi.discovery", {"xpu-smi", "discovery", "-j"}},
      {"xpu-smi.first", {"xpu-smi", "discovery", "-d", "0", "-j"}},
      {"hl-smi.list", {"hl-smi", "-L"}}};
}

std::string without_escapes(const std::string& text) {
  static const std::regex escape("\x1b\\[[0-9;]*[A-Za-z]");
  return std::regex_replace(text, escape, "");
}

/// JSON is UTF-8; a tool's output may be anything.
std::string as_utf8(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    bool is_whole = (lead < 0x80 || lead >= 0xc2) && lead < 0xf5 && i + size <= text.size();
    for (std::size_t k = 1; is_whole && k < size; ++k)
      is_whole = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
    if (is_whole) out += text.substr(i, size);
    if (!is_whole) out += '?';
    i += is_whole ? size : 1;
  }
  return out;
}

std::string found(const std::string& text, const char* pattern) {
  std::smatch match;
  return std::regex_search(text, match, std::regex(pattern)) ? match[1].str() : "";
}

/// "cuda" and its tool do not mean NVIDIA: if there are cards here and all are one other vendor's, they are that one's.
std::string vendor_here(const std::string& told, const event::Fingerprint& print) {
  std::set<std::string> vendors;
  for (std::size_t n = 0;; ++n) {
    const std::string vendor = print.text(fmt::format("pci.accelerator.{}.vendor", n));
    if (vendor.empty()) break;
    vendors.insert(vendor);
  }
  return vendors.size() == 1 && (told == "nvidia" || told == "amd") ? *vendors.begin() : told;
}

event::FieldStatus status_of(const CommandResult& result) {
  if (result.end == CommandResult::End::not_found) return event::FieldStatus::absent;
  const std::string said = lower(result.output.substr(0, kRawBytes) + result.errors.substr(0, kRawBytes));
  const bool is_denied =
      said.find("permission") != std::string::npos || said.find("not permitted") != std::string::npos;
  return result.end == CommandResult::End::exited && is_denied ? event::FieldStatus::denied : event::FieldStatus::error;
}

/// Turns the answers into fields.
class Reading {
 public:
  Reading(const Answers& answers, Nanos timeout, event::Fingerprint& print)
      : answers_(answers), timeout_(timeout), print_(print) {}

  void read(const Tool& tool) {
    const auto asked = answers_.find(tool.name);
    if (asked == answers_.end()) return;
    const Answer& answer = asked->second;
    const std::string key = "tool." + key_part(tool.name);
    if (!answer.result.ok()) return print_.miss(key, status_of(answer.result), complaint(answer, timeout_));
    std::optional<Findings> findings;
    for (const Interpreter reader : tool.readers) {
      if (!findings) findings = reader(answer.result.output);
    }
    if (!findings && tool.name == "xpu-smi") findings = read_intel(output("xpu-smi.discovery"));
    print_.add(key, json::string(findings ? "understood" : "kept as it is"), answer.command);
    if (!findings) {
      const std::string raw = as_utf8(without_escapes(answer.result.output).substr(0, kRawBytes));
      print_.add(fmt::format("device.tool.{}.raw", key_part(tool.name)), json::string(raw), answer.command, false);
      return read_topology(tool, key_part(tool.name));
    }
    findings->vendor = vendor_here(findings->vendor, print_);
    complete(tool, *findings);
    add(*findings, answer.command);
    read_topology(tool, findings->vendor);
  }

 private:
  std::string output(const std::string& id) const {
    const auto asked = answers_.find(id);
    return asked != answers_.end() && asked->second.result.ok() ? asked->second.result.output : "";
  }

  /// What the second question to the same tool adds.
  void complete(const Tool& tool, Findings& findings) const {
    if (tool.name == "nvidia-smi" && answers_.count("nvidia-smi.apps") && answers_.at("nvidia-smi.apps").result.ok()) {
      json::array processes;
      const std::string listed = output("nvidia-smi.apps");
      for (const std::string_view line : lines_of(listed)) processes.emplace_back(as_utf8(line));
      findings.processes = std::move(processes);
    }
    if (tool.name == "hy-smi") findings.driver = found(output("hy-smi.driver"), "Driver Version:\\s*(\\S+)");
    if (tool.name == "xpu-smi" && findings.vendor == "intel") {
      findings.driver = found(output("xpu-smi.first"), "\"driver_version\"\\s*:\\s*\"([^\"]+)\"");
      const std::string firmware = found(output("xpu-smi.first"), "\"gfx_firmware_version\"\\s*:\\s*\"([^\"]+)\"");
      if (!firmware.empty()) findings.versions["firmware.intel"] = firmware;
    }
    if (tool.name == "hl-smi") {
      const std::string firmware =
          found(output("hl-smi.list"), "\\[SPI\\] Version\\s*:\\s*(?:Preboot version )?(\\S+)");
      if (!firmware.empty()) findings.versions["firmware.habana"] = firmware;
    }
  }

  void add(const Findings& findings, const std::string& source) {
    if (!findings.driver.empty()) print_.add("driver." + findings.vendor, json::string(findings.driver), source);
    for (const auto& [key, version] : findings.versions) print_.add(key, json::string(version), source);
    const std::string prefix = "device." + findings.vendor;
    if (print_.find(prefix + ".count")) return;  // two tools of one vendor: the first has told more
    print_.add(prefix + ".count", findings.devices.size(), source);
    for (std::size_t n = 0; n < findings.devices.size(); ++n) {
      for (const Fact& fact : findings.devices[n]) {
        json::value value = fact.value;
        if (const json::string* text = value.if_string()) value = json::string(as_utf8(*text));
        print_.add(fmt::format("{}.{}.{}", prefix, n, fact.key), std::move(value), source, fact.is_comparable);
      }
    }
    if (findings.processes.is_null()) return;
    json::value processes = findings.processes;
    if (const json::string* text = processes.if_string()) processes = json::string(as_utf8(*text));
    print_.add(prefix + ".processes", std::move(processes), source, false);
  }

  void read_topology(const Tool& tool, const std::string& vendor) {
    const std::string key = "topology." + vendor;
    for (std::size_t n = 0; n < tool.topology.size(); ++n) {
      const auto asked = answers_.find(fmt::format("{}.topo.{}", tool.name, n));
      if (asked == answers_.end()) continue;
      const event::FingerprintField* const known = print_.find(key);
      if (known && known->status == event::FieldStatus::ok) return;
      const Answer& answer = asked->second;
      std::string text = as_utf8(without_escapes(answer.result.output).substr(0, kTopologyBytes));
      text.resize(text.find_last_not_of(" \t\r\n") + 1);  // blanks at the beginning of a line hold its columns in place
      if (answer.result.ok() && !text.empty()) {
        print_.add(key, json::string(text), answer.command);
      } else {
        print_.miss(key, status_of(answer.result), complaint(answer, timeout_));
      }
    }
  }

  const Answers& answers_;
  Nanos timeout_;
  event::Fingerprint& print_;
};

}  // namespace

std::vector<Inquiry> device_inquiries() {
  std::vector<Inquiry> out = more_inquiries();
  for (const Tool& tool : tools()) {
    out.push_back(inquiry(tool.name, tool.name, tool.words));
    for (std::size_t n = 0; n < tool.topology.size(); ++n) {
      out.push_back(inquiry(fmt::format("{}.topo.{}", tool.name, n), tool.name, tool.topology[n]));
    }
  }
  return out;
}

void collect_devices(const Answers& answers, Nanos timeout, event::Fingerprint& print) {
  Reading reading(answers, timeout, print);
  for (const Tool& tool : tools()) reading.read(tool);
}

}  // namespace scoville::environment

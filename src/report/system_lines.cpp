#include "report/system_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "environment/checklist.hpp"
#include "report/launch_lines.hpp"
#include "report/words.hpp"
#include "text/catalogue.hpp"

namespace scoville::report {
namespace {

using environment::RowState;
using event::Fingerprint;
using text::Msg;
using text::say;

constexpr std::size_t kShownHash = 12;

/// "a, b, c" of those that are not empty.
class List {
 public:
  explicit List(std::string separator = ", ") : separator_(std::move(separator)) {}
  void add(const std::string& item) {
    if (item.empty()) return;
    out_ += (out_.empty() ? "" : separator_) + item;
  }
  const std::string& text() const { return out_; }

 private:
  std::string separator_, out_;
};

std::string joined(const std::string& a, const std::string& b) { return a.empty() || b.empty() ? a + b : a + " " + b; }

/// Eight cards of one name are one phrase. What a person stated goes first: it is a name without a number.
std::string devices_of(const Fingerprint& system) {
  if (std::string stated = system.text("device.stated.name"); !stated.empty()) return stated;
  std::map<std::string, int> names;
  for (const event::FingerprintField& field : system.fields()) {
    if (field.key.starts_with("device.") && field.key.ends_with(".name") && field.value.is_string())
      ++names[std::string(field.value.as_string())];
  }
  List out;
  for (const auto& [name, count] : names) out.add(fmt::format("{} × {}", count, name));
  return out.text();
}

/// "driver 550.54, firmware 1.2" with the values of all keys below `area`, the same once.
std::string values_below(const Fingerprint& system, const std::string& area, bool names_them) {
  List out;
  for (const event::FingerprintField& field : system.fields()) {
    if (!field.key.starts_with(area + ".") || field.status != event::FieldStatus::ok) continue;
    const std::string name = field.key.substr(area.size() + 1);
    if (name.find('.') == std::string::npos)
      out.add(names_them ? name + " " + system.text(field.key) : system.text(field.key));
  }
  return out.text();
}

std::string engine_line(const Fingerprint& system) {
  List out;
  out.add(joined(system.text("engine.name"), system.text("engine.version")));
  if (system.text("engine.version").empty()) out.add(system.text("engine.build"));
  if (const std::string length = system.text("model.context_length"); !length.empty())
    out.add(say(Msg::system_context, length));
  for (const char* flag : {"tensor_parallel_size", "tp_size", "max_num_seqs", "gpu_memory_utilization"}) {
    if (const std::string value = system.text(std::string("engine.flags.") + flag); !value.empty())
      out.add(fmt::format("{}={}", flag, value));
  }
  return out.text();
}

std::string model_line(const Fingerprint& system) {
  List out;
  out.add(system.text("model.architecture"));
  if (const json::value* count = system.find("model.parameters") ? &system.find("model.parameters")->value : nullptr;
      count && count->is_number())
    out.add(say(Msg::system_parameters, fmt::format("{:.3g}", count->to_number<double>() / 1e9)));
  out.add(system.text("model.dtype"));
  out.add(system.text("model.quantisation"));
  if (const std::string hash = system.text("model.sha256"); !hash.empty())
    out.add("sha256 " + hash.substr(0, kShownHash));
  if (const std::string revision = system.text("model.revision"); !revision.empty())
    out.add(say(Msg::system_revision, revision.substr(0, kShownHash)));
  out.add(system.text("model.derivation"));
  return out.text();
}

std::string fingerprint_line(const Fingerprint& system) {
  List open(say(Msg::list_separator));
  for (const environment::ChecklistRow& row : environment::checklist(system, nullptr)) {
    if (row.state == RowState::unknown) open.add(title_of(row.row));
  }
  const std::string hash = system.comparable_hash().substr(0, kShownHash);
  return open.text().empty() ? say(Msg::system_fingerprint_whole, hash)
                             : say(Msg::system_fingerprint, hash, open.text());
}

}  // namespace

bool is_listed(const BenchSubject& subject) {
  return std::none_of(subject.warnings.begin(), subject.warnings.end(),
                      [](const dataset::Warning& each) { return each.code == "model_not_listed"; });
}

std::string hardware_of(const Fingerprint& system) {
  const std::string devices = devices_of(system);
  if (devices.empty()) return "";
  List out;
  out.add(devices);
  if (const std::string driver = values_below(system, "driver", false); !driver.empty())
    out.add(say(Msg::system_driver, driver));
  out.add(values_below(system, "runtime", true));
  return out.text();
}

std::string system_lines(const BenchSubject& subject, const plan::RequestShape& shape) {
  const Fingerprint& system = subject.system;
  std::string out =
      say(is_listed(subject) ? Msg::bench_head : Msg::bench_head_unlisted, shape.model, subject.url, subject.peer) +
      "\n";
  if (const std::string engine = engine_line(system); !engine.empty()) out += say(Msg::system_engine, engine) + "\n";
  if (const std::string model = model_line(system); !model.empty()) out += say(Msg::system_model, model) + "\n";
  const std::string hardware = hardware_of(system);
  const std::string kernel = system.text("os.kernel");
  const std::string host = kernel.empty() ? "" : say(Msg::system_host, system.text("cpu.model"), kernel);
  if (!hardware.empty()) {
    out += say(Msg::system_hardware, hardware) + "\n";
  } else if (!host.empty()) {
    out += say(Msg::system_host_only, host) + "\n";
  } else {
    out += say(Msg::system_not_seen) + "\n";
  }
  return out + fingerprint_line(system) + "\n" + launch_line(subject);
}

json::object system_json(const BenchSubject& subject, const plan::RequestShape& shape) {
  const Fingerprint& system = subject.system;
  const std::string hardware = hardware_of(system);
  const bool has_host = !system.text("os.kernel").empty();
  json::array checklist;
  for (const environment::ChecklistRow& row : environment::checklist(system, nullptr)) {
    checklist.push_back(
        json::object{{"row", json::string(name_of(row.row))}, {"state", json::string(name_of(row.state))}});
  }
  return {{"url", subject.url},
          {"peer", subject.peer},
          {"model", shape.model},
          {"hardware", hardware.empty() ? json::value(nullptr) : json::value(hardware)},
          {"seen", !hardware.empty() ? "a system"
                   : has_host        ? "a host without a known accelerator"
                                     : "a service; hardware not seen"},
          {"checklist", std::move(checklist)},
          {"fingerprint", system.to_json()}};
}

}  // namespace scoville::report

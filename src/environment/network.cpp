#include <fmt/format.h>

#include "environment/areas.hpp"

namespace scoville::environment {
namespace {

void add_interface(const Root& root, const std::string& name, event::Fingerprint& print) {
  const std::string folder = "/sys/class/net/" + name, key = "network." + key_part(name);
  const std::string driver = root.link_name(folder + "/device/driver");
  if (!driver.empty()) print.add(key + ".driver", json::string(driver), folder + "/device/driver");
  add_file(print, root, key + ".state", folder + "/operstate");
  add_number_file(print, root, key + ".mtu", folder + "/mtu");
  add_file(print, root, key + ".mac", folder + "/address", false);
  const Content speed = root.read(folder + "/speed");
  const json::value number = number_in(speed.text);
  if (speed.ok() && !number.is_null() && number.as_int64() > 0) {
    print.add(key + ".speed_mbit", number, folder + "/speed");
  } else {  // a link that is down answers -1 or EINVAL
    print.miss(key + ".speed_mbit", event::FieldStatus::absent, folder + "/speed");
  }
}

void add_adapter(const Root& root, const std::string& name, event::Fingerprint& print) {
  const std::string folder = "/sys/class/infiniband/" + name, key = "rdma." + key_part(name);
  add_file(print, root, key + ".firmware", folder + "/fw_ver");
  add_file(print, root, key + ".board_id", folder + "/board_id");
  add_file(print, root, key + ".guid", folder + "/node_guid", false);
  for (const std::string& port : root.list(folder + "/ports")) {
    const std::string ports = fmt::format("{}/ports/{}", folder, port), at = fmt::format("{}.port_{}", key, port);
    add_file(print, root, at + ".link_layer", ports + "/link_layer");
    add_file(print, root, at + ".rate", ports + "/rate");
    add_file(print, root, at + ".state", ports + "/state");
  }
}

}  // namespace

void collect_network(const Root& root, event::Fingerprint& print) {
  std::size_t interfaces = 0;
  for (const std::string& name : root.list("/sys/class/net")) {
    if (!root.has(fmt::format("/sys/class/net/{}/device", name))) continue;  // lo, bridges, a container's pair
    add_interface(root, name, print);
    ++interfaces;
  }
  print.add("network.interfaces", interfaces, "/sys/class/net");
  const std::vector<std::string> adapters = root.list("/sys/class/infiniband");
  for (const std::string& name : adapters) add_adapter(root, name, print);
  print.add("rdma.adapters", adapters.size(), "/sys/class/infiniband");
}

}  // namespace scoville::environment

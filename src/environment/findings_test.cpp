#include "environment/findings.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace scoville::environment {
namespace {

std::string fact(const Findings& findings, std::size_t device, std::string_view key) {
  for (const Fact& each : findings.devices.at(device)) {
    if (each.key != key) continue;
    return each.value.is_string() ? std::string(each.value.as_string()) : compact(each.value);
  }
  return "";
}

}  // namespace

TEST_CASE("nvidia-smi's columns, missing ones left out, identities not compared") {
  const auto found = read_nvidia(
      "0, NVIDIA H200, 580.65.06, 96.00.99.00.01, GPU-11111111-2222-3333-4444-555555555555, 1650000000001, "
      "00000000:31:00.0, 143771, 700.00, 700.50, Enabled, Disabled, Enabled, Default, 5, 16, 16, 1980, 3201\n"
      "1, NVIDIA H200, 580.65.06, 96.00.99.00.01, GPU-11111111-2222-3333-4444-666666666666, [N/A], "
      "00000000:32:00.0, 143771, [Not Supported], 700.00, [N/A], Disabled, Enabled, Default, 5, 16, 8, 1980, 3201\n");
  REQUIRE(found.has_value());
  CHECK(found->vendor == "nvidia");
  CHECK(found->driver == "580.65.06");
  REQUIRE(found->devices.size() == 2);
  CHECK(fact(*found, 0, "name") == "NVIDIA H200");
  CHECK(fact(*found, 0, "vbios") == "96.00.99.00.01");
  CHECK(fact(*found, 0, "memory_mib") == "143771");
  CHECK(fact(*found, 0, "power_limit_w") == "700");
  CHECK(fact(*found, 0, "power_limit_max_w") == "700.5");
  CHECK(fact(*found, 1, "power_limit_w") == "");
  CHECK(fact(*found, 1, "serial") == "");
  CHECK(fact(*found, 1, "pcie_width") == "8");
  const std::vector<Fact>& facts = found->devices[0];
  for (const char* key : {"uuid", "serial", "address"}) {
    const auto at = std::find_if(facts.begin(), facts.end(), [&](const Fact& each) { return each.key == key; });
    REQUIRE(at != facts.end());
    CHECK_FALSE(at->is_comparable);
  }
  const std::string query = nvidia_query();
  CHECK(query.starts_with("index,name,driver_version,"));
  CHECK(std::count(query.begin(), query.end(), ',') == 18);
}

TEST_CASE("what is not nvidia-smi's CSV is not read as such") {
  CHECK_FALSE(read_nvidia("").has_value());
  CHECK_FALSE(read_nvidia("No devices were found\n").has_value());
  CHECK_FALSE(read_nvidia("Field \"mig.mode.current\" is not a valid field to query.\n").has_value());
}

TEST_CASE("amd-smi, in both of its shapes") {
  const char* const card =
      R"({"gpu": 0, "asic": {"market_name": "AMD Instinct MI300X", "asic_serial": "0x12", "target_graphics_version": "gfx942"},
          "bus": {"bdf": "0000:0c:00.0", "max_pcie_width": 16}, "vbios": {"name": "N", "version": "022.040"},
          "limit": {"max_power": {"value": 750, "unit": "W"}, "socket_power": {"value": 700, "unit": "W"}},
          "driver": {"name": "amdgpu", "version": "6.10.5"}, "vram": {"size": {"value": 196592, "unit": "MB"}}})";
  for (const std::string& text : {"[" + std::string(card) + "]", "{\"gpu_data\": [" + std::string(card) + "]}"}) {
    const auto found = read_amd_smi(text);
    REQUIRE(found.has_value());
    CHECK(found->vendor == "amd");
    CHECK(found->driver == "6.10.5");
    CHECK(fact(*found, 0, "name") == "AMD Instinct MI300X");
    CHECK(fact(*found, 0, "vbios") == "022.040");
    CHECK(fact(*found, 0, "power_limit_w") == "700");
    CHECK(fact(*found, 0, "memory_mib") == "196592");
  }
  CHECK_FALSE(read_amd_smi("[]").has_value());
  CHECK_FALSE(read_amd_smi("ERROR: no driver").has_value());
}

TEST_CASE("rocm-smi and hy-smi: cards in the order of their numbers") {
  const char* const told = R"({"card1": {"Card Series": "B"}, "card0": {"Card Series": "A", "VBIOS version": "113-1"},
      "card10": {"Card series": "K"}, "system": {"Driver version": "6.8.5"}})";
  const auto rocm = read_rocm_smi(std::string("WARNING: low power state\n") + told);
  REQUIRE(rocm.has_value());
  CHECK(rocm->driver == "6.8.5");
  REQUIRE(rocm->devices.size() == 3);
  CHECK(fact(*rocm, 0, "name") == "A");
  CHECK(fact(*rocm, 0, "vbios") == "113-1");
  CHECK(fact(*rocm, 2, "name") == "K");
  CHECK(read_hygon(told)->vendor == "hygon");
  CHECK_FALSE(read_hygon("{}").has_value());
}

TEST_CASE("xpu-smi of Intel, hl-smi, neuron-ls") {
  const auto intel = read_intel(R"({"device_list": [{"device_id": 0, "device_name": "Intel(R) Data Center GPU Max 1550",
      "pci_bdf_address": "0000:4b:00.0", "uuid": "00000000-0000-0000-0000-0000004b0000"}]})");
  REQUIRE(intel.has_value());
  CHECK(fact(*intel, 0, "name") == "Intel(R) Data Center GPU Max 1550");

  const auto habana = read_habana("0, 01P0-HL3000A0-00-AAAAAA-00-00-00, HL-325L, 1.22.1-0abc123, 131072 MiB\n");
  REQUIRE(habana.has_value());
  CHECK(habana->driver == "1.22.1-0abc123");
  CHECK(fact(*habana, 0, "name") == "HL-325L");
  CHECK(fact(*habana, 0, "memory_mib") == "131072");
  CHECK_FALSE(read_habana("no device\n").has_value());

  const auto neuron = read_neuron(R"([{"neuron_device": 0, "bdf": "00:1e.0", "connected_to": [1, 3], "nc_count": 2,
      "memory_size": 34359738368, "neuron_processes": [{"pid": 7}]}])");
  REQUIRE(neuron.has_value());
  CHECK(neuron->vendor == "aws");
  CHECK(fact(*neuron, 0, "connected_to") == "[1,3]");
  CHECK(fact(*neuron, 0, "memory_bytes") == "34359738368");
  CHECK(neuron->processes.as_array().size() == 1);
  CHECK_FALSE(read_neuron("no neuron device found").has_value());
}

TEST_CASE("a text is a number only if all of it is one") {
  CHECK(compact(number_or_text("700.00")) == "700");
  CHECK(compact(number_or_text("0.5")) == "0.5");
  CHECK(compact(number_or_text("580.65.06")) == "\"580.65.06\"");
  CHECK(compact(number_or_text("")) == "\"\"");
  CHECK(is_no_value(" [Insufficient Permissions] "));
  CHECK(is_no_value("N/A"));
  CHECK_FALSE(is_no_value("0"));
}

}  // namespace scoville::environment

#include <doctest/doctest.h>

#include "environment/findings.hpp"

// The tables below have the shape that public guides show; the numbers in them are made up.
namespace scoville::environment {
namespace {

std::string fact(const Findings& findings, std::size_t device, std::string_view key) {
  for (const Fact& each : findings.devices.at(device)) {
    if (each.key != key) continue;
    return each.value.is_string() ? std::string(each.value.as_string()) : compact(each.value);
  }
  return "";
}

constexpr const char* kNpuSmi = R"(
+------------------------------------------------------------------------------------------------+
| npu-smi 25.5.2                   Version: 25.5.2                                               |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     910B3               | OK            | 296.4       52                0    / 0             |
| 0                         | 0000:C1:00.0  | 91          0    / 0          61825/ 65536         |
+===========================+===============+====================================================+
| 5     910B3               | Warning       | 97.4        50                0    / 0             |
| 0                         | 0000:01:00.0  | 0           0    / 0          3361 / 65536         |
+===========================+===============+====================================================+
| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |
+===========================+===============+====================================================+
| 0       0                 | 4711          | VLLM::Worker             | 58400                   |
+===========================+===============+====================================================+
)";

constexpr const char* kNpuSmiOld =
    R"(+-------------------+-----------------+------------------------------------------------------+
| npu-smi 22.0.0                       Version:22.0.2                                        |
+-------------------+-----------------+------------------------------------------------------+
| NPU     Name      | Health          | Power(W)     Temp(C)           Hugepages-Usage(page) |
| Chip    Device    | Bus-Id          | AICore(%)    Memory-Usage(MB)                        |
+===================+=================+======================================================+
| 0       310P3     | OK              | 16.2         42                0    / 0              |
| 0       0         | 0000:86:00.0    | 0            994  / 21534                            |
+===================+=================+======================================================+
)";

constexpr const char* kCnmon = R"(Wed Nov  8 16:16:45 2023
+------------------------------------------------------------------------------+
| CNMON v5.10.22                                               Driver v5.10.22 |
+-------------------------------+----------------------+-----------------------+
| Card  VF  Name       Firmware |               Bus-Id | Util        Ecc-Error |
| Fan   Temp      Pwr:Usage/Cap |         Memory-Usage | Mode     Compute-Mode |
|===============================+======================+=======================|
| 0     /   MLU370-X8    v1.1.6 |         0000:13:00.0 | 0%                  0 |
|  0%   28C        107 W/ 250 W |     0 MiB/ 20638 MiB | FULL          Default |
+-------------------------------+----------------------+-----------------------+
| Processes:                                                                   |
|  No running MLU processes found                                              |
+------------------------------------------------------------------------------+
)";

constexpr const char* kMxSmi = R"(mx-smi  version: 2.3.1

=================== MetaX System Management Interface Log ===================
Attached GPUs                                     : 1
+---------------------------------------------------------------------------------+
| MX-SMI 2.3.1                       Kernel Mode Driver Version: 3.8.30           |
| MACA Version: 3.7.1.5              BIOS Version: 1.33.5.0                       |
|------------------+-----------------+---------------------+----------------------|
| Board       Name | GPU   Persist-M | Bus-id              | GPU-Util      sGPU-M |
| Pwr:Usage/Cap    | Temp   Perf     | Memory-Usage        | GPU-State            |
|==================+=================+=====================+======================|
| 0     MetaX C500 | 0           Off | 0000:12:00.0        | 0%          Disabled |
| 37W / 350W       | 32C          P0 | 826/65536 MiB       | Available            |
+------------------+-----------------+---------------------+----------------------+
)";

constexpr const char* kMxSmiOld = R"(=================== MetaX System Management Interface Log ===================
| MX-SMI 2.2.8                        Kernel Mode Driver Version: 3.0.11          |
| MACA Version: unknown               BIOS Version: 1.26.1.0                      |
| 0       MetaX N260             Off | 0000:01:00.0        | 0%            Native |
| 37C     29W / 225W              P0 | 666/65536 MiB       | Available            |
)";

constexpr const char* kIxsmi = R"(Timestamp    Fri Dec 20 11:14:29 2024
+-----------------------------------------------------------------------------+
|  IX-ML: 4.1.0       Driver Version: 4.1.1       CUDA Version: 10.2          |
|-------------------------------+----------------------+----------------------|
| GPU  Name                     | Bus-Id               | Clock-SM  Clock-Mem  |
| Fan  Temp  Perf  Pwr:Usage/Cap|      Memory-Usage    | GPU-Util  Compute M. |
|===============================+======================+======================|
| 0    Iluvatar BI-V150         | 00000000:13:00.0     | 1500MHz   1600MHz    |
| 0%   32C   P0    N/A / N/A    | 116MiB / 32768MiB    | 0%        Default    |
+-------------------------------+----------------------+----------------------+
)";

constexpr const char* kKunlun = R"(+-----------------------------------------------------------------------------+
| XPU-SMI               Driver Version: 515.58       XPU-RT Version: N/A      |
|-------------------------------+----------------------+----------------------+
| XPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
|===============================+======================+======================|
|   0  P800 OAM           N/A   | 00000000:03:00.0 N/A |                    0 |
| N/A   39C  N/A     91W / 400W |  31058MiB / 98304MiB |      0%      Default |
|                               |      0MiB /    96MiB |             Disabled |
+-------------------------------+----------------------+----------------------+
)";

constexpr const char* kMthreads = R"(Mon Nov 11 16:07:07 2024
---------------------------------------------------------------
    mthreads-gmi:1.14.0          Driver Version:2.7.0
---------------------------------------------------------------
ID   Name           |PCIe                |%GPU  Mem
     Device Type    |Pcie Lane Width     |Temp  MPC Capable
+-------------------------------------------------------------+
0    MTT S4000      |00000000:04:00.0    |0%    2MiB(49152MiB)
     Physical       |4x(16x)             |49C   YES
---------------------------------------------------------------
)";

}  // namespace

TEST_CASE("npu-smi: one device a chip, the driver beside the tool's own version, memory from the last column") {
  const auto found = read_table(kNpuSmi);
  REQUIRE(found.has_value());
  CHECK(found->vendor == "huawei");
  CHECK(found->driver == "25.5.2");
  REQUIRE(found->devices.size() == 2);
  CHECK(fact(*found, 0, "name") == "910B3");
  CHECK(fact(*found, 0, "address") == "0000:c1:00.0");
  CHECK(fact(*found, 0, "memory_mib") == "65536");
  CHECK(fact(*found, 1, "name") == "910B3");
  CHECK(std::string(found->processes.as_string()).find("VLLM::Worker") != std::string::npos);
}

TEST_CASE("npu-smi of an older release, without HBM") {
  const auto found = read_table(kNpuSmiOld);
  REQUIRE(found.has_value());
  CHECK(found->driver == "22.0.2");
  REQUIRE(found->devices.size() == 1);
  CHECK(fact(*found, 0, "name") == "310P3");
  CHECK(fact(*found, 0, "memory_mib") == "21534");
}

TEST_CASE("cnmon: driver, firmware of each card") {
  const auto found = read_table(kCnmon);
  REQUIRE(found.has_value());
  CHECK(found->vendor == "cambricon");
  CHECK(found->driver == "5.10.22");
  REQUIRE(found->devices.size() == 1);
  CHECK(fact(*found, 0, "name") == "MLU370-X8");
  CHECK(fact(*found, 0, "firmware") == "1.1.6");
  CHECK(fact(*found, 0, "memory_mib") == "20638");
}

TEST_CASE("mx-smi of two releases: the name's column moves, the runtime may be unknown") {
  const auto found = read_table(kMxSmi);
  REQUIRE(found.has_value());
  CHECK(found->vendor == "metax");
  CHECK(found->driver == "3.8.30");
  CHECK(found->versions.at("runtime.maca") == "3.7.1.5");
  REQUIRE(found->devices.size() == 1);
  CHECK(fact(*found, 0, "name") == "MetaX C500");
  CHECK(fact(*found, 0, "firmware") == "1.33.5.0");
  CHECK(fact(*found, 0, "memory_mib") == "65536");

  const auto old = read_table(kMxSmiOld);
  REQUIRE(old.has_value());
  CHECK(old->versions.empty());
  REQUIRE(old->devices.size() == 1);
  CHECK(fact(*old, 0, "name") == "MetaX N260");
}

TEST_CASE("ixsmi: its CUDA version is not taken for a CUDA runtime") {
  const auto found = read_table(kIxsmi);
  REQUIRE(found.has_value());
  CHECK(found->vendor == "iluvatar");
  CHECK(found->driver == "4.1.1");
  CHECK(found->versions == std::map<std::string, std::string>{{"runtime.corex", "4.1.0"}});
  REQUIRE(found->devices.size() == 1);
  CHECK(fact(*found, 0, "name") == "Iluvatar BI-V150");
  CHECK(fact(*found, 0, "memory_mib") == "32768");
}

TEST_CASE("the xpu-smi of Kunlunxin is known by what it prints") {
  const auto found = read_table(kKunlun);
  REQUIRE(found.has_value());
  CHECK(found->vendor == "kunlunxin");
  CHECK(found->driver == "515.58");
  CHECK(found->versions.empty());  // N/A is no version
  REQUIRE(found->devices.size() == 1);
  CHECK(fact(*found, 0, "name") == "P800 OAM");
  CHECK(fact(*found, 0, "memory_mib") == "98304");
}

TEST_CASE("mthreads-gmi: memory in brackets") {
  const auto found = read_table(kMthreads);
  REQUIRE(found.has_value());
  CHECK(found->vendor == "mthreads");
  CHECK(found->driver == "2.7.0");
  REQUIRE(found->devices.size() == 1);
  CHECK(fact(*found, 0, "name") == "MTT S4000");
  CHECK(fact(*found, 0, "memory_mib") == "49152");
}

TEST_CASE("what no vendor prints is not guessed at") {
  CHECK_FALSE(read_table("").has_value());
  CHECK_FALSE(read_table("| SMI 1.0   Driver Version: 1.2.3 |\n| 0  Card | 0000:01:00.0 |").has_value());
  // another vendor's mx-smi
  CHECK_FALSE(read_table("│MOFFETT-SMI 2.3.0         Driver Version 3.5.2         SOLA Version 3.5.3 │").has_value());
}

}  // namespace scoville::environment

#include <doctest/doctest.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "environment/areas.hpp"
#include "environment/fixture.hpp"

namespace scoville::environment {
namespace {

using event::FieldStatus;
using event::Fingerprint;

template <class Collect>
Fingerprint collected(const FixtureRoot& files, Collect collect) {
  Fingerprint print;
  collect(Root(files.path()), print);
  return print;
}

Fingerprint container(const FixtureRoot& files, const Variables& variables = {}) {
  return collected(files, [&](const Root& root, Fingerprint& print) { collect_container(root, variables, print); });
}

FieldStatus status_of(const Fingerprint& print, const char* key) {
  const auto* field = print.find(key);
  REQUIRE(field != nullptr);
  return field->status;
}

}  // namespace

TEST_CASE("the operating system says its name, and only tuning words of the command line are compared") {
  FixtureRoot files;
  files
      .file("/etc/os-release",
            "NAME=\"openEuler\"\nID='openEuler'\nVERSION_ID=\"22.03\"\nPRETTY_NAME=\"openEuler 22.03 (LTS-SP3)\"\n")
      .file("/proc/sys/kernel/osrelease", "5.10.0-182.0.0.95.oe2203sp3.aarch64\n")
      .file("/proc/sys/kernel/arch", "aarch64\n")
      .file("/proc/cmdline", "BOOT_IMAGE=/vmlinuz root=UUID=0a1b isolcpus=2-3 iommu=pt api_token=abc quiet\n");
  const Fingerprint print = collected(files, collect_os);
  CHECK(print.text("os.name") == "openEuler 22.03 (LTS-SP3)");
  CHECK(print.text("os.id") == "openEuler");
  CHECK(print.text("os.arch") == "aarch64");
  CHECK(print.text("os.kernel") == "5.10.0-182.0.0.95.oe2203sp3.aarch64");
  CHECK(print.text("os.kernel_tuning") == R"(["isolcpus=2-3","iommu=pt"])");
  CHECK(print.text("os.kernel_cmdline") == "BOOT_IMAGE=/vmlinuz root=UUID=0a1b isolcpus=2-3 iommu=pt quiet");
  CHECK_FALSE(print.find("os.kernel_cmdline")->is_comparable);
  CHECK(status_of(print, "os.hostname") == FieldStatus::absent);
}

TEST_CASE("an x86 processor: model, sockets, cores, instruction sets, governor") {
  FixtureRoot files;
  files
      .file("/proc/cpuinfo",
            "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Xeon 8480\nmicrocode\t: 0x2b\n"
            "flags\t\t: fpu avx2 avx512f amx_bf16 hypervisor avx2_not_this\n\nprocessor\t: 1\nmodel name\t: other\n")
      .file("/sys/devices/system/cpu/smt/control", "on\n")
      .file("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n")
      .file("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n")
      .file("/sys/devices/system/node/node0/cpulist", "0-1\n")
      .file("/sys/devices/system/node/node1/cpulist", "2-3\n");
  for (int n = 0; n < 4; ++n) {  // two sockets of one core with two threads each
    const std::string folder = "/sys/devices/system/cpu/cpu" + std::to_string(n) + "/topology/";
    files.file(folder + "physical_package_id", std::to_string(n / 2)).file(folder + "core_id", "0");
  }
  const Fingerprint print = collected(files, collect_cpu);
  CHECK(print.text("cpu.model") == "Xeon 8480");
  CHECK(print.text("cpu.vendor") == "GenuineIntel");
  CHECK(print.text("cpu.logical") == "2");
  CHECK(print.text("cpu.instructions") == R"(["avx2","avx512f","amx_bf16"])");
  CHECK(print.text("cpu.cores") == "2");
  CHECK(print.text("cpu.sockets") == "2");
  CHECK(print.text("cpu.smt") == "on");
  CHECK(print.text("cpu.governor") == "performance, powersave");
  CHECK(print.text("cpu.numa.nodes") == "2");
  CHECK(print.text("cpu.numa.1.cpus") == "2-3");
  CHECK(print.text("machine.virtualised") == "true");
}

TEST_CASE("an aarch64 processor has no model name: its codes stand for it") {
  FixtureRoot files;
  files.file("/proc/cpuinfo",
             "processor\t: 0\nFeatures\t: fp asimd sve bf16\nCPU implementer\t: 0x48\nCPU part\t: 0xd01\n");
  const Fingerprint print = collected(files, collect_cpu);
  CHECK(print.text("cpu.model") == "implementer 0x48 part 0xd01");
  CHECK(print.text("cpu.vendor") == "HiSilicon");
  CHECK(print.text("cpu.instructions") == R"(["asimd","bf16","sve"])");
  CHECK(status_of(print, "cpu.governor") == FieldStatus::absent);
  CHECK(status_of(print, "cpu.cores") == FieldStatus::absent);
}

TEST_CASE("memory is compared in whole GiB; the chosen page policy is the one in brackets") {
  FixtureRoot files;
  files
      .file("/proc/meminfo",
            "MemTotal:       528095272 kB\nSwapTotal:  0 kB\nHugePages_Total:      16\nHugepagesize:  2048 kB\n")
      .file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  const Fingerprint print = collected(files, collect_memory);
  CHECK(print.text("memory.total_bytes") == "540769558528");  // 528095272 · 1024
  CHECK_FALSE(print.find("memory.total_bytes")->is_comparable);
  CHECK(print.text("memory.total_gib") == "504");  // 503.63
  CHECK(print.text("memory.swap_bytes") == "0");
  CHECK(print.text("memory.huge_pages") == "16");
  CHECK(print.text("memory.huge_page_bytes") == "2097152");
  CHECK(print.text("memory.transparent_huge_pages") == "madvise");
  CHECK(status_of(print, "memory.transparent_huge_page_defrag") == FieldStatus::absent);
}

TEST_CASE("cgroup v2: the tightest limit on the way up counts") {
  FixtureRoot files;
  const std::string id(64, 'a');
  files.file("/proc/self/cgroup", "0::/system.slice/docker-" + id + ".scope/inner\n")
      .file("/.dockerenv", "")
      .file("/sys/fs/cgroup/system.slice/docker-" + id + ".scope/cpu.max", "250000 100000\n")
      .file("/sys/fs/cgroup/system.slice/docker-" + id + ".scope/inner/cpu.max", "max 100000\n")
      .file("/sys/fs/cgroup/system.slice/memory.max", "8589934592\n")
      .file("/sys/fs/cgroup/system.slice/docker-" + id + ".scope/memory.max", "17179869184\n")
      .file("/sys/fs/cgroup/system.slice/cpuset.cpus.effective", "0-7\n");
  const Fingerprint print = container(files);
  CHECK(print.text("cgroup.version") == "2");
  CHECK(print.text("cgroup.cpus") == "2.5");
  CHECK(print.text("cgroup.memory_bytes") == "8589934592");
  CHECK(print.text("cgroup.cpuset") == "0-7");
  CHECK(print.text("container.kind") == "docker");
  CHECK(print.text("container.id") == id);
  CHECK_FALSE(print.find("container.id")->is_comparable);
}

TEST_CASE("cgroup v1: a quota of -1 and a limit of 2^63 less a page are none") {
  FixtureRoot files;
  files.file("/proc/self/cgroup", "5:memory:/kubepods/pod1\n4:cpuset:/\n3:cpu,cpuacct:/kubepods/pod1\n0::/\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/kubepods/cpu.cfs_quota_us", "-1\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/kubepods/cpu.cfs_period_us", "100000\n")
      .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n")
      .file("/sys/fs/cgroup/cpuset/cpuset.cpus", "0-3\n");
  Fingerprint print = container(files);
  CHECK(print.text("cgroup.version") == "1");
  CHECK(print.text("cgroup.cpus") == "unlimited");
  CHECK(print.text("cgroup.memory_bytes") == "unlimited");
  CHECK(print.text("cgroup.cpuset") == "0-3");
  CHECK(print.text("container.kind") == "kubernetes");

  files.file("/sys/fs/cgroup/cpu,cpuacct/kubepods/pod1/cpu.cfs_quota_us", "400000\n")
      .file("/sys/fs/cgroup/cpu,cpuacct/kubepods/pod1/cpu.cfs_period_us", "100000\n");
  print = container(files);
  CHECK(print.text("cgroup.cpus") == "4");
}

TEST_CASE("outside any container there is none, and no cgroup mount is no limit known") {
  FixtureRoot files;
  files.file("/proc/self/cgroup", "0::/user.slice\n");
  const Fingerprint print = container(files);
  CHECK(print.text("container.kind") == "none");
  CHECK(status_of(print, "cgroup.cpus") == FieldStatus::absent);
  CHECK(container(files, {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}).text("container.kind") == "kubernetes");
}

TEST_CASE("the machine: maker, hypervisor, IOMMU") {
  FixtureRoot files;
  files.file("/sys/class/dmi/id/sys_vendor", "Alibaba Cloud\n")
      .file("/sys/class/dmi/id/product_name", "Alibaba Cloud ECS\n")
      .file("/sys/class/dmi/id/product_serial", "SN-1\n")
      .file("/sys/class/iommu/dmar0/x", "")
      .file("/sys/kernel/iommu_groups/0/type", "DMA-FQ\n")
      .file("/sys/kernel/iommu_groups/1/type", "identity\n");
  const Fingerprint print = collected(files, collect_machine);
  CHECK(print.text("machine.hypervisor") == "kvm");
  CHECK(print.text("machine.iommu.units") == "1");
  CHECK(print.text("machine.iommu.domains") == R"(["DMA-FQ","identity"])");
  CHECK_FALSE(print.find("machine.serial")->is_comparable);
}

TEST_CASE("a file that is there and may not be read is denied, not absent") {
  FixtureRoot files;
  files.file("/sys/class/dmi/id/product_serial", "SN-1\n");
  REQUIRE(chmod((files.path() + "/sys/class/dmi/id/product_serial").c_str(), 0) == 0);
  if (geteuid() == 0) setfsuid(65534);  // root may read everything; this thread's file accesses may not, for a moment
  const Fingerprint print = collected(files, collect_machine);
  if (geteuid() == 0) setfsuid(0);
  CHECK(status_of(print, "machine.serial") == FieldStatus::denied);
}

TEST_CASE("network cards with a device behind them, and RDMA adapters") {
  FixtureRoot files;
  files.file("/sys/class/net/lo/mtu", "65536")
      .file("/sys/class/net/eth0/device/vendor", "0x15b3")
      .link("/sys/class/net/eth0/device/driver", "../../../bus/pci/drivers/mlx5_core")
      .file("/sys/class/net/eth0/mtu", "9000\n")
      .file("/sys/class/net/eth0/speed", "200000\n")
      .file("/sys/class/net/eth0/operstate", "up\n")
      .file("/sys/class/net/eth0/address", "02:00:00:00:00:01\n")
      .file("/sys/class/net/eth1/device/vendor", "0x15b3")
      .file("/sys/class/net/eth1/speed", "-1\n")
      .file("/sys/class/infiniband/mlx5_0/fw_ver", "28.39.1002\n")
      .file("/sys/class/infiniband/mlx5_0/ports/1/rate", "400 Gb/sec (4X NDR)\n");
  const Fingerprint print = collected(files, collect_network);
  CHECK(print.text("network.interfaces") == "2");
  CHECK(print.text("network.eth0.driver") == "mlx5_core");
  CHECK(print.text("network.eth0.speed_mbit") == "200000");
  CHECK_FALSE(print.find("network.eth0.mac")->is_comparable);
  CHECK(status_of(print, "network.eth1.speed_mbit") == FieldStatus::absent);
  CHECK(print.text("rdma.adapters") == "1");
  CHECK(print.text("rdma.mlx5_0.firmware") == "28.39.1002");
  CHECK(print.text("rdma.mlx5_0.port_1.rate") == "400 Gb/sec (4X NDR)");
}

TEST_CASE("runtimes say their version in files, each vendor in its own way") {
  FixtureRoot files;
  files
      .file("/usr/local/cuda/version.json",
            R"({"cuda": {"name": "CUDA SDK", "version": "12.4.1"}, "nvcc": {"version": "12.4.131"}})")
      .file("/opt/rocm/.info/version", "6.3.1-48\n")
      .file("/opt/dtk/.info/rocm_version", "25.04.4\n")
      .file("/usr/local/Ascend/ascend-toolkit/latest/version.cfg",
            "# version: 1.0\nruntime_running_version=[7.6.0.1.220:8.0.0]\n")
      .file("/usr/local/neuware/version.txt", "Neuware Version 4.6.2\n")
      .file("/usr/local/musa/version.json",
            R"({"mcc": {"version": "1.0"}, "musa_toolkits": {"branch": "r", "version": "5.1.0"}})")
      .file("/opt/maca/Version.txt", "Version:3.7.1.5\n")
      .file("/usr/local/corex/version.txt", "no digits at the start\n")
      .file("/usr/local/Ascend/driver/version.info", "Version=25.2.0\nascendhal_version=7.35.23\n")
      .file("/usr/local/Ascend/firmware/version.info", "Version=7.8.0.6.201\n")
      .file("/proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.127.05  Tue Oct  8 03:22:07 UTC 2024\n");
  Fingerprint print = collected(files, [](const Root& root, Fingerprint& out) { collect_runtimes(root, {}, out); });
  CHECK(print.text("runtime.cuda") == "12.4.1");
  CHECK(print.text("runtime.rocm") == "6.3.1-48");
  CHECK(print.text("runtime.dtk") == "25.04.4");
  CHECK(print.text("runtime.cann") == "8.0.0");
  CHECK(print.text("runtime.neuware") == "4.6.2");
  CHECK(print.text("runtime.musa") == "5.1.0");
  CHECK(print.text("runtime.maca") == "3.7.1.5");
  CHECK(status_of(print, "runtime.xre") == FieldStatus::absent);
  CHECK(status_of(print, "runtime.corex") == FieldStatus::error);

  files.file("/usr/local/Ascend/ascend-toolkit/latest/aarch64-linux/ascend_toolkit_install.info",
             "package_name=Ascend-cann-toolkit\nversion=8.0.RC3\ninnerversion=V100\n");
  print = collected(files, [](const Root& root, Fingerprint& out) { collect_runtimes(root, {}, out); });
  CHECK(print.text("runtime.cann") == "8.0.RC3");  // the toolkit's own file goes first

  print = collected(files, collect_driver_files);
  CHECK(print.text("driver.huawei") == "25.2.0");
  CHECK(print.text("firmware.huawei") == "7.8.0.6.201");
  CHECK(print.text("driver.nvidia") == "550.127.05");
  CHECK(status_of(print, "driver.amd") == FieldStatus::absent);
}

TEST_CASE("a home named by the environment goes before the usual place") {
  FixtureRoot files;
  files.file("/opt/cuda-11/version.txt", "CUDA Version 11.8.89\n")
      .file("/usr/local/cuda/version.txt", "CUDA Version 12.1\n");
  const Fingerprint print = collected(files, [](const Root& root, Fingerprint& out) {
    collect_runtimes(root, {{"CUDA_HOME", "/opt/cuda-11/"}}, out);
  });
  CHECK(print.text("runtime.cuda") == "11.8.89");
  CHECK(print.find("runtime.cuda")->source == "/opt/cuda-11/version.txt");
}

}  // namespace scoville::environment

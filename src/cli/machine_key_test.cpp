#include "cli/machine_key.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/version.hpp"

namespace scoville::cli {

TEST_CASE("a machine is named by its processor, their number, its kernel") {
  constexpr const char* x86 = "processor\t: 0\nmodel\t\t: 1\nmodel name\t: Some CPU @ 2.00GHz\nflags\t\t: fpu\n";
  CHECK(machine_from(x86, 2, "6.1.0-9-amd64") == "Some CPU @ 2.00GHz; 2 processors; kernel 6.1.0-9-amd64");
}

TEST_CASE("an Arm processor is named by its numbers, and one that tells nothing is unknown") {
  constexpr const char* arm = "processor\t: 0\nCPU implementer\t: 0x48\nCPU part\t: 0xd01\n";
  CHECK(machine_from(arm, 64, "4.19.90") == "Arm 0x48 0xd01; 64 processors; kernel 4.19.90");
  CHECK(machine_from("", 1, "5.10") == "unknown processor; 1 processors; kernel 5.10");
}

TEST_CASE("a calibration holds for one method; the machine is the same under each") {
  CHECK(machine_key() == machine_without_name() + "; method " + std::to_string(kMethodVersion));
}

}  // namespace scoville::cli

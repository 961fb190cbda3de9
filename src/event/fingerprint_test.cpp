#include "event/fingerprint.hpp"

#include <doctest/doctest.h>

using namespace scoville;
using event::FieldStatus;
using event::Fingerprint;

TEST_CASE("the order in which fields are learnt changes neither bytes nor hashes") {
  Fingerprint a, b;
  a.add("os.kernel", "6.1", "uname");
  a.add("cpu.model", json::object{{"b", 1}, {"a", 2}}, "/proc/cpuinfo");
  b.add("cpu.model", json::object{{"a", 2}, {"b", 1}}, "/proc/cpuinfo");
  b.add("os.kernel", "6.1", "uname");
  CHECK(compact(a.to_json()) == compact(b.to_json()));
  CHECK(a.full_hash() == b.full_hash());
}

TEST_CASE("a host name changes the full hash and leaves the comparable one") {
  Fingerprint a, b;
  for (Fingerprint* each : {&a, &b}) each->add("os.kernel", "6.1", "uname");
  a.add("host.name", "n1", "uname", false);
  b.add("host.name", "n2", "uname", false);
  CHECK(a.full_hash() != b.full_hash());
  CHECK(a.comparable_hash() == b.comparable_hash());
  b.add("os.kernel", "6.2", "uname");
  CHECK(a.comparable_hash() != b.comparable_hash());
}

TEST_CASE("a fingerprint survives its JSON, unknown fields with their reason") {
  Fingerprint a;
  a.add("os.kernel", "6.1", "uname");
  a.add("host.name", "n1", "uname", false);
  a.miss("device.0.driver", FieldStatus::denied, "nvidia-smi");
  const Result<Fingerprint> b = Fingerprint::from_json(a.to_json());
  REQUIRE(b.ok());
  CHECK(b->full_hash() == a.full_hash());
  CHECK(b->find("device.0.driver")->status == FieldStatus::denied);
  CHECK(b->text("device.0.driver").empty());
}

TEST_CASE("a file that is no fingerprint is refused with the field at fault") {
  CHECK_FALSE(Fingerprint::from_json(json::value{{"schema", "x"}}).ok());
  const json::value wrong{{"schema", "scoville.fingerprint/1"}, {"fields", {{"os.kernel", {{"status", "fine"}}}}}};
  const Result<Fingerprint> read = Fingerprint::from_json(wrong);
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message.find("os.kernel.status") != std::string::npos);
}

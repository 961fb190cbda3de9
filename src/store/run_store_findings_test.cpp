#include <doctest/doctest.h>

#include "store/made_store.hpp"
#include "store/run_store.hpp"

namespace scoville::store {
namespace {

std::vector<std::string> ids(const RunStore& store) {
  std::vector<std::string> out;
  const std::vector<Finding> all = store.findings("external").value();
  for (const Finding& each : all) out.push_back(each.id);
  return out;
}

}  // namespace

TEST_CASE("findings are added together, changed in place, and deleted") {
  const MadeFolder folder;
  RunStore store = made_store(folder.file("runs.db"));
  const Finding findings[]{{"a", "external", "s1", {}, json::object{{"tag", "x"}}},
                           {"b", "external", "s2", {}, json::object{{"tag", "y"}}}};
  REQUIRE(store.add_findings(findings));
  CHECK(ids(store) == std::vector<std::string>{"b", "a"});

  REQUIRE(store.replace_finding("a", json::object{{"tag", "z"}}));
  CHECK(store.findings("external", "s1").value().front().body.at("tag") == "z");
  CHECK(store.findings("external", "s2").value().front().body.at("tag") == "y");

  const std::string gone[]{"a"};
  REQUIRE(store.erase_findings(gone));
  CHECK(ids(store) == std::vector<std::string>{"b"});
}

TEST_CASE("where one of several findings cannot be added, none is") {
  const MadeFolder folder;
  RunStore store = made_store(folder.file("runs.db"));
  const Finding same{"a", "external", "s", {}, json::object{}};
  const Finding twice[]{same, same};  // an id is there once
  CHECK_FALSE(store.add_findings(twice));
  CHECK(ids(store).empty());
}

}  // namespace scoville::store

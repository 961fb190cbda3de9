#pragma once

#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "base/file.hpp"
#include "base/json.hpp"

#ifndef SCOVILLE_CASES_DIR  // tests/CMakeLists.txt says where; by hand, run from the root of the checkout
#define SCOVILLE_CASES_DIR "tests/cases/open"
#endif

namespace scoville::dataset {

/// For tests: a file of the open cases (tests/cases/README.md).
inline std::string case_file(const std::string& name) {
  auto content = read_file(SCOVILLE_CASES_DIR "/" + name);
  REQUIRE(content.ok());
  return *std::move(content);
}

/// The right answers of a case.
inline json::object expected(const std::string& id) {
  return json::parse(case_file(id + ".expect.json")).at("expect").as_object();
}

}  // namespace scoville::dataset

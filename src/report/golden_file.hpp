#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "base/file.hpp"
#include "text/catalogue.hpp"

#ifndef SCOVILLE_CASES_DIR  // tests/CMakeLists.txt says where; by hand, run from the root of the checkout
#define SCOVILLE_CASES_DIR "tests/cases/open"
#endif

namespace scoville::report {

/// For tests: holds a text against tests/golden/`name`. scripts/refresh_golden.sh writes the files anew instead; its
/// diff is then to be read like any other change.
inline void check_golden(const std::string& name, const std::string& text) {
  const std::string path = SCOVILLE_CASES_DIR "/../../golden/" + name;
  if (std::getenv("SCOVILLE_REFRESH_GOLDEN")) {
    REQUIRE(write_file(path, text).ok());
    return;
  }
  const auto golden = read_file(path);
  REQUIRE(golden.ok());
  CHECK(text == *golden);
}

/// For tests: what is said within this scope, is said in that language.
class Speaking {
 public:
  explicit Speaking(text::Language language) : before_(text::language()) { text::set_language(language); }
  ~Speaking() { text::set_language(before_); }
  Speaking(const Speaking&) = delete;
  Speaking& operator=(const Speaking&) = delete;

 private:
  text::Language before_;
};

}  // namespace scoville::report

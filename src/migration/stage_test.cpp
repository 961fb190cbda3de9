#include "migration/stage.hpp"

#include <doctest/doctest.h>

namespace scoville::migration {

TEST_CASE("seven stages from desk to decide, each needing earlier ones only") {
  REQUIRE(stages().size() == 7);
  for (std::size_t i = 0; i < stages().size(); ++i) {
    CHECK(stages()[i].number == i);
    CHECK_FALSE(stages()[i].commands.empty());
    for (const std::size_t each : stages()[i].needs) CHECK(each < i);
  }
  CHECK(stages()[3].needs == std::vector<std::size_t>{1, 2});  // bench after baseline and bring-up
  CHECK(stages()[1].needs.empty());
}

TEST_CASE("a stage goes by its name or its number") {
  CHECK(find_stage("bring-up")->number == 2);
  CHECK(find_stage("6")->id == "decide");
  CHECK(find_stage("7") == nullptr);
  CHECK(find_stage("") == nullptr);
  CHECK(stage_ids().front() == "desk");
}

}  // namespace scoville::migration

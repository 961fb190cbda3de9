#include "report/subject_json.hpp"

#include <doctest/doctest.h>

using namespace scoville;

TEST_CASE("what a report is about comes back from its JSON as it was, in both languages") {
  report::BenchSubject before;
  before.run_id = "r1";
  before.tag = "nightly";
  before.dataset = {"english", "中文"};
  before.dataset_hash = 0xffffffffffffffff;
  before.anchor.wall = Nanos(7);
  before.dns = Nanos(8);
  before.warnings = {{"code", {"a", "b"}}};
  before.set = "s1";
  before.system.add("os.kernel", "6.1", "uname");
  before.price = analyse::Price{{9.8, "CNY"}, 8};
  before.launch.emplace().command = {"engine", "--port", "1"};
  const json::object written = report::subject_json(before);
  const auto after = report::subject_from(written);
  REQUIRE(after.ok());
  CHECK(compact(report::subject_json(*after)) == compact(written));
  CHECK(after->system.text("os.kernel") == "6.1");
  CHECK(after->price->devices == 8);
  CHECK(after->dataset.chinese == "中文");
  CHECK(after->warnings.at(0).sentence.chinese == "b");
  CHECK(after->launch->command.size() == 3);
  json::object older = written;
  older.erase("launch");  // a run that was stored before there were launches
  CHECK_FALSE(report::subject_from(older)->launch.has_value());
  CHECK_FALSE(report::subject_from(json::value{{"launch", 1}}).ok());
  CHECK_FALSE(report::subject_from(json::value{{"seed", "x"}}).ok());
}

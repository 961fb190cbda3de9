#include "matrix/template.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "base/file.hpp"

namespace scoville::matrix {

TEST_CASE(
    "the built-in matrix has the seven dimensions, unit cost, ecosystem and flexibility, each with a method and "
    "measures") {
  const Result<Template> found = find_template("default");
  REQUIRE(found.ok());
  CHECK(found->version >= 1);
  CHECK(found->row_ids() == std::vector<std::string>{"correctness", "serving_throughput", "latency_tail",
                                                     "multi_card_scaling", "energy", "unit_cost", "stability",
                                                     "migration_cost", "ecosystem", "flexibility"});
  for (const RowTemplate& row : found->rows) {
    CAPTURE(row.id);
    CHECK_FALSE(row.method.english.empty());
    CHECK_FALSE(row.method.chinese.empty());
    CHECK_FALSE(row.needs.english.empty());
    CHECK_FALSE(row.measures.empty());
    for (const MeasureTemplate& each : row.measures) {
      CHECK(each.target.source.empty() == !each.target.is_set());  // a default says where it comes from
    }
  }
}

TEST_CASE("what the reference says of targets is in it") {
  const Template form = *find_template("default");
  CHECK(form.find_measure("score_ratio")->target.least == 0.99);
  CHECK(form.find_measure("soak_hours")->target.least == 72);
  CHECK(form.find_measure("drift")->target.most == 0.02);
  CHECK(form.find_measure("crashes")->is_exact);
  CHECK(form.find_measure("ttft_p95")->target.least_samples == 130);
  CHECK(form.find_measure("ttft_p99")->target.least_samples == 662);
  CHECK_FALSE(form.find_measure("goodput_ratio")->target.is_set());  // the owner is asked for it
  CHECK(form.find_measure("nothing") == nullptr);
  CHECK(form.find_row("nothing") == nullptr);
}

TEST_CASE("a template of one's own is a file, with its faults told by line") {
  const std::string folder = std::filesystem::temp_directory_path() / "scoville-template-test.yaml";
  REQUIRE(write_file(folder,
                     "id: mine\nversion: 2\nrows:\n  - id: a\n    title: A\n    method: by hand\n"
                     "    measures: [{key: k, title: K, better: higher}]\n")
              .ok());
  const Result<Template> found = find_template(folder);
  REQUIRE(found.ok());
  CHECK(found->id == "mine");
  CHECK(found->rows.front().title.chinese == "A");
  std::filesystem::remove(folder);

  CHECK(find_template("defualt").error().message.find("default") != std::string::npos);
  const auto bad = config::Node::parse(
      "id: mine\nversion: 1\nrows:\n  - {id: a, title: A, method: m, measures: [{key: k, title: K, better: more}]}\n",
      "t.yaml");
  REQUIRE(bad.ok());
  const auto read = bad->finish(read_template(*bad));
  REQUIRE_FALSE(read.ok());
  CHECK(read.error().message.starts_with("t.yaml:4: rows[0].measures[0].better:"));
}

TEST_CASE("two rows or two measures of one name are a fault") {
  const auto twice = config::Node::parse(
      "id: m\nversion: 1\nrows:\n"
      "  - {id: a, title: A, method: m, measures: [{key: k, title: K, better: lower}]}\n"
      "  - {id: b, title: B, method: m, measures: [{key: k, title: K, better: lower}]}\n",
      "t.yaml");
  REQUIRE(twice.ok());
  CHECK(twice->finish(read_template(*twice)).error().message.starts_with("t.yaml:5:"));
}

TEST_CASE("the folder of a path") {
  CHECK(folder_of("a/b/c.yaml") == "a/b/");
  CHECK(folder_of("c.yaml").empty());
}

}  // namespace scoville::matrix

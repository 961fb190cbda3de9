#include "report/next.hpp"

#include <doctest/doctest.h>

#include "report/golden_file.hpp"
#include "report/matrix_words.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using text::Language;

constexpr const char* kLog =
    "{\"kind\":\"entered\",\"date\":\"2026-08-01\",\"stage\":\"desk\"}\n"
    "{\"kind\":\"left\",\"date\":\"2026-08-05\",\"stage\":\"desk\",\"met\":true,\"result\":\"0.93 is plausible, "
    "break-even at 0.89\"}\n"
    "{\"kind\":\"entered\",\"date\":\"2026-08-06\",\"stage\":\"bring-up\"}\n"
    "{\"kind\":\"booked\",\"date\":\"2026-08-20\",\"item\":\"operators\",\"days\":14,\"done\":false,\"who\":\"li\"}\n"
    "{\"kind\":\"booked\",\"date\":\"2026-08-21\",\"item\":\"image\",\"days\":3.5,\"done\":true}\n";

NextView view_of(const std::string& log) {
  const auto root = config::Node::load(SCOVILLE_CASES_DIR "/../../../examples/matrix/migration.yaml");
  REQUIRE(root.ok());
  const auto plan = root->finish(migration::read_plan(root->map("migration")));
  REQUIRE_MESSAGE(plan.ok(), plan.error().message);
  NextView view{"scoville-next.jsonl", *migration::Log::parse(log, "n"), *plan, {}};
  view.estimate = migration::work_out(view.plan, &view.log);
  return view;
}

std::string table_in(Language language, const std::string& log) {
  const Speaking speaking(language);
  return next_table(view_of(log));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("golden: an adoption under way, in English and in Chinese") {
  check_golden("next.en.txt", table_in(Language::english, kLog));
  check_golden("next.zh.txt", table_in(Language::chinese, kLog));
}

TEST_CASE("no line of it is wider than a hundred columns, but commands that are to be copied") {
  for (const Language language : {Language::english, Language::chinese}) {
    std::string text = table_in(language, kLog);
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string line = text.substr(0, end);
      text.erase(0, end + 1);
      CAPTURE(line);
      if (line.find("scoville ") == std::string::npos) CHECK(text::display_width(line) <= kDecisionWidth);
    }
  }
}

TEST_CASE("nothing entered yet: what may be, and the command for it") {
  const std::string table = table_in(Language::english, "");
  CHECK(has(table, "Not begun"));
  CHECK(has(table, "scoville next enter desk"));
  CHECK(has(table, "scoville next enter baseline"));
  CHECK_FALSE(has(table, "scoville next enter bring-up"));
}

TEST_CASE("the first token takes the place of the ranges up to it") {
  const std::string token = std::string(kLog) + "{\"kind\":\"first_token\",\"date\":\"2026-09-05\"}\n";
  CHECK(has(table_in(Language::english, token), "First token on 2026-09-05, after 30 days."));
  const json::object object = next_json(view_of(token));
  const json::object& work = object.at("migration").as_object();
  CHECK(work.at("first_token").as_object().at("after_days") == 30);
  CHECK(work.at("items").as_array()[0].as_object().at("state") == "logged");
  CHECK(work.at("cost").as_object().at("currency") == "CNY");
}

TEST_CASE("the JSON has each stage with its phase and what it lacks") {
  const json::object object = next_json(view_of(kLog));
  CHECK(object.at("open") == json::array{"bring-up"});
  CHECK(object.at("enterable") == json::array{"baseline"});
  const json::array& stages = object.at("stages").as_array();
  CHECK(stages[0].as_object().at("phase") == "met");
  CHECK(stages[3].as_object().at("lacking") == json::array{"baseline", "bring-up"});
}

}  // namespace scoville::report

#include "report/batch_output.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "analyse/made_record.hpp"
#include "base/json.hpp"

namespace scoville::report {
namespace {

std::vector<json::value> lines_of(const std::string& text) {
  std::vector<json::value> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(json::parse(line));
  return out;
}

TEST_CASE("every row has one line: its answer, or why there is none; a retried row that of its last attempt") {
  run::RunResult run;
  event::RequestRecord good = analyse::answered(0, {10, 20}, 30);
  good.index = 1;
  good.prompt_tokens = 5;
  good.text = std::make_shared<event::RequestText>();
  good.text->answers = {"forty-two"};
  event::RequestRecord bad = analyse::failure(0, 5, event::Failure::http_status);
  bad.http_status = 429;
  event::RequestRecord again = analyse::answered(10, {20}, 30);
  again.attempt = 1;
  again.text = std::make_shared<event::RequestText>();
  run.add(good);
  run.add(bad);
  run.add(again);
  event::RequestRecord lost = analyse::failure(0, 5, event::Failure::reset);
  lost.index = 2;
  lost.error_message = "gone";
  run.add(lost);
  const auto text = batch_output(run, [](std::uint64_t index) { return BatchRow{"id-" + std::to_string(index), "m"}; });
  REQUIRE(text);
  const auto lines = lines_of(*text);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].at("custom_id") == "id-0");
  CHECK(lines[0].at("error").is_null());
  const json::value& body = lines[1].at("response").at("body");
  CHECK(body.at("choices").at(0).at("message").at("content") == "forty-two");
  CHECK(body.at("model") == "m");
  CHECK(body.at("usage").at("total_tokens") == 7);
  CHECK(lines[2].at("response").is_null());
  CHECK(lines[2].at("error").at("code") == "reset");
  CHECK(lines[2].at("error").at("message") == "gone");
}

}  // namespace
}  // namespace scoville::report

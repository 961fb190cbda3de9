#include "report/workload.hpp"

#include <doctest/doctest.h>

#include "report/golden_file.hpp"
#include "workload/made_request.hpp"

namespace scoville::report {
namespace {

using text::Language;

/// Two conversations on one system prompt, of which the second fails in its second turn, and a line that is none.
workload::Learned two_conversations() {
  workload::SourceFile file;
  file.name = "requests.jsonl";
  file.log.block_chars = 256;
  file.log.skipped = 2;
  file.log.bad.push_back({7, {}, "not JSON"});
  const auto add = [&](double at, const char* roles, std::vector<std::uint64_t> messages, std::uint32_t input) {
    workload::LoggedRequest row = workload::made_request(at, 1, roles, messages);
    row.prompt->chars = 4 * input;
    row.prompt->prefix_hashes.assign({1, 2});
    row.input_tokens = input;
    row.output_tokens = 50;
    file.log.rows.push_back(row);
  };
  add(0, "su", {1, 2}, 200);
  add(2, "su", {1, 3}, 210);
  add(4.5, "suau", {1, 2, 4, 5}, 300);
  add(7, "suau", {1, 3, 6, 7}, 280);
  file.log.rows.back().output_tokens.reset();
  file.log.rows.back().failure = "client_closed";
  std::vector<workload::SourceFile> files;
  files.push_back(std::move(file));
  return workload::learn(std::move(files), {});
}

std::string table_in(Language language) {
  const Speaking speaking(language);
  return workload_table(two_conversations(), "workload.jsonl");
}

}  // namespace

TEST_CASE("golden: what was learned, as a table in both languages") {
  check_golden("learned.en.txt", table_in(Language::english));
  check_golden("learned.zh.txt", table_in(Language::chinese));
}

TEST_CASE("what was learned, as an object") {
  const json::object seen = workload_json(two_conversations(), "w.jsonl");
  CHECK(seen.at("requests") == 4);
  CHECK(seen.at("chains") == 2);
  CHECK(seen.at("conversations") == 2);
  CHECK(seen.at("failed") == 1);
  CHECK(seen.at("bad_lines") == 1);
  CHECK(seen.at("first_bad_line").at("line") == 7);
  CHECK(seen.at("arrivals").at("requests_per_s").to_number<double>() == doctest::Approx(3.0 / 7));
  CHECK(seen.at("chain_starts").at("requests_per_s").as_double() == doctest::Approx(0.5));  // 2 s apart
  CHECK(seen.at("added_input_tokens").at("max").as_double() == 50);                         // 300 - 200 - 50
  CHECK(seen.at("added_input_tokens").at("min").as_double() == 20);                         // 280 - 210 - 50
  CHECK(seen.at("think_s").at("max").as_double() == 4);                                     // 7 - (2 + 1)
  CHECK(seen.at("shared_prefixes").at("block_tokens") == 64);
  CHECK(seen.at("shared_prefixes").at("share_of_input_tokens").to_number<double>() == doctest::Approx(256.0 / 410));
  CHECK(seen.at("estimates").at("output_from_median") == 1);
  CHECK(seen.at("estimates").at("input_assumed_tokens").is_null());
}

}  // namespace scoville::report

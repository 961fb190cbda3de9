#include "dataset/checks.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/rng.hpp"
#include "dataset/case_file.hpp"

namespace scoville::dataset {
namespace {

std::vector<json::object> rows_of(const std::string& id) {
  std::istringstream lines(case_file(id + ".jsonl"));
  std::vector<json::object> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(json::parse(line).as_object());
  return rows;
}

/// The flags of a case: here one.
std::string flag_of(const json::object& expect) { return std::string(expect.at("flags").at(0).as_string()); }

}  // namespace

TEST_CASE("MEAS-13: random prompts that change their length are measured by usage and flagged") {
  const auto expect = expected("MEAS-13");
  std::vector<AskedAndMeasured> requests;
  for (const auto& row : rows_of("MEAS-13")) {
    requests.push_back({row.at("asked").as_int64(), row.at("usage_prompt_tokens").as_int64()});
  }
  const auto check = check_lengths(requests);
  REQUIRE(check.has_value());
  CHECK(std::abs(check->mean_measured - expect.at("mean_prompt").as_double()) < 0.0005);
  CHECK(std::abs(check->mean_absolute_deviation - expect.at("mean_abs_dev").as_double()) < 1e-12);
  CHECK(check->is_off);
  CHECK(check->exact_share == 0);
  CHECK(check->shorter_share == doctest::Approx(1.0 / 3));
  REQUIRE(warning_of(*check).has_value());
  CHECK(warning_of(*check)->code == flag_of(expect));
  CHECK(warning_of(*check)->sentence.english ==
        "prompts had 1029.3 tokens on average where 1000.0 were asked (mean deviation 4.2 %, 0 % exact): "
        "rates use the true lengths");
}

TEST_CASE("prompts of the right length are not flagged, nor is a mean that is off by just 1 %") {
  const std::vector<AskedAndMeasured> exact{{512, 512}, {600, 600}}, edge{{1000, 1010}};
  CHECK_FALSE(check_lengths(exact)->is_off);
  CHECK(check_lengths(exact)->exact_share == 1);
  CHECK_FALSE(warning_of(*check_lengths(exact)).has_value());
  CHECK_FALSE(check_lengths(edge)->is_off);
  CHECK_FALSE(check_lengths({}).has_value());
}

TEST_CASE("a prompt of exact length that the server counts shorter was cut; one of uncertain length was not") {
  const std::vector<AskedAndMeasured> cut{{4000, 4000}, {5000, 4096}};
  REQUIRE(truncation_of(*check_lengths(cut), true).has_value());
  CHECK(truncation_of(*check_lengths(cut), true)->code == "prompt_truncated");
  CHECK_FALSE(truncation_of(*check_lengths(cut), false).has_value());
  CHECK_FALSE(truncation_of(*check_lengths(std::vector<AskedAndMeasured>{{9, 9}}), true).has_value());
}

TEST_CASE("MEAS-24: a handful of prompts replayed is reported as the share of distinct ones") {
  const auto expect = expected("MEAS-24");
  std::vector<std::uint64_t> hashes;
  for (const auto& row : rows_of("MEAS-24")) hashes.push_back(hash_bytes(std::string(row.at("prompt").as_string())));
  const auto check = check_distinct(hashes);
  REQUIRE(check.has_value());
  CHECK(static_cast<std::int64_t>(check->requests) == expect.at("requests").as_int64());
  CHECK(static_cast<std::int64_t>(check->distinct) == expect.at("distinct").as_int64());
  CHECK(check->share == expect.at("share").as_double());
  REQUIRE(warning_of(*check).has_value());
  CHECK(warning_of(*check)->code == flag_of(expect));
}

TEST_CASE("distinct prompts are not flagged: 99 of 100 is enough") {
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t i = 0; i < 99; ++i) hashes.push_back(i);
  hashes.push_back(0);
  CHECK_FALSE(check_distinct(hashes)->is_repeated);
  hashes.push_back(0);
  CHECK(check_distinct(hashes)->is_repeated);
  CHECK_FALSE(check_distinct({}).has_value());
}

TEST_CASE("cached prompt tokens above 1 % are warned of, and told apart from the shared template") {
  const std::vector<CachedTokens> cold{{1000, 10}, {1000, 10}}, warm{{1000, 512}, {1000, 0}},
      shared{{500, 24}, {500, 24}};
  CHECK(check_cached(cold)->share == 0.01);
  CHECK_FALSE(warning_of(*check_cached(cold)).has_value());
  CHECK(check_cached(warm)->share == 0.256);
  CHECK(warning_of(*check_cached(warm, 24))->sentence.english.find("flatter") != std::string::npos);
  CHECK(check_cached(shared, 24)->is_template_only);
  CHECK(warning_of(*check_cached(shared, 24))->sentence.english.find("none beyond the chat template") !=
        std::string::npos);
  CHECK_FALSE(check_cached(shared, 23)->is_template_only);
  CHECK_FALSE(check_cached({}).has_value());
}

}  // namespace scoville::dataset

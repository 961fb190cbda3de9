#include "telemetry/prometheus.hpp"

#include <doctest/doctest.h>

#include <cmath>

using namespace scoville;
using namespace scoville::telemetry;

// Lines and their meanings are those of prometheus.io/docs/instrumenting/exposition_formats and of OpenMetrics 1.0.

TEST_CASE("a sample has a name, labels, a value and a time in milliseconds") {
  const Exposition e = parse_exposition(
      "# HELP http_requests_total The total number of HTTP requests.\n"
      "# TYPE http_requests_total counter\n"
      "http_requests_total{method=\"post\",code=\"200\"} 1027 1395066363000\n"
      "http_requests_total{method=\"post\",code=\"400\"}    3 1395066363000\n");
  REQUIRE(e.samples.size() == 2);
  CHECK(e.bad_count == 0);
  CHECK(e.samples[0].value == 1027);
  CHECK(e.samples[0].label("code") == "200");
  CHECK(e.samples[0].label("path").empty());
  CHECK(e.samples[0].at == Nanos(1395066363000000000));
  CHECK(e.family("http_requests_total")->type == "counter");
  CHECK(e.family("http_requests_total")->help == "The total number of HTTP requests.");
}

TEST_CASE("escapes in label values and help texts are undone, each by its own rule") {
  const Exposition e = parse_exposition(
      "# HELP m a \\\\ and a \\n and a \\\"\n"
      "m{path=\"C:\\\\DIR\\\\F.TXT\",error=\"Cannot find:\\n\\\"F.TXT\\\"\",odd=\"\\t\"} 1.458255915e9\n");
  REQUIRE(e.samples.size() == 1);
  CHECK(e.samples[0].label("path") == "C:\\DIR\\F.TXT");
  CHECK(e.samples[0].label("error") == "Cannot find:\n\"F.TXT\"");
  CHECK(e.samples[0].label("odd") == "\\t");
  CHECK(e.samples[0].value == 1.458255915e9);
  CHECK(e.family("m")->help == "a \\ and a \n and a \\\"");
}

TEST_CASE("NaN and the infinities are values") {
  const Exposition e = parse_exposition("a NaN\nb +Inf\nc -Inf\nd 1e-3 -3982045\n");
  REQUIRE(e.samples.size() == 4);
  CHECK(std::isnan(e.samples[0].value));
  CHECK(e.samples[1].value == INFINITY);
  CHECK(e.samples[2].value == -INFINITY);
  CHECK(e.samples[3].at == Nanos(-3982045000000));
}

TEST_CASE("blanks, tabs, empty lines, comments, a last comma and a missing last line feed are borne") {
  const Exposition e =
      parse_exposition("\n  # a comment\n#\n# TYPE x gauge\n\tx { a = \"1\" , }\t 2 \r\n\nminimal 12.47");
  CHECK(e.bad_count == 0);
  REQUIRE(e.samples.size() == 2);
  CHECK(e.samples[0].label("a") == "1");
  CHECK(e.samples[1].name == "minimal");
}

TEST_CASE("in OpenMetrics times are seconds, and a bucket may carry an exemplar") {
  const Exposition e = parse_exposition(
      "# TYPE foo histogram\n# UNIT foo seconds\n"
      "foo_bucket{le=\"0.1\"} 8 1520879607.5 # {} 0.054\n"
      "foo_bucket{le=\"1\"} 11 # {trace_id=\"KOO5S4vxi0o\"} 0.67 1520879607.789\n"
      "foo_count 17\n# EOF\n");
  CHECK(e.is_openmetrics);
  CHECK(e.bad_count == 0);
  REQUIRE(e.samples.size() == 3);
  CHECK(e.samples[0].at == Nanos(1520879607500000000));
  REQUIRE(e.samples[1].exemplar);
  CHECK(e.samples[1].exemplar->value == 0.67);
  CHECK(e.samples[1].exemplar->labels == std::vector<Label>{{"trace_id", "KOO5S4vxi0o"}});
  CHECK(e.samples[1].exemplar->at.has_value());
  CHECK(e.family("foo_bucket")->type == "histogram");
  CHECK(e.family("foo_count")->unit == "seconds");
}

TEST_CASE("names outside of the classic alphabet stand in quotes") {
  const Exposition e = parse_exposition("{\"my.dotted.metric\", \"error.code\"=\"7\"} 3\n");
  REQUIRE(e.samples.size() == 1);
  CHECK(e.samples[0].name == "my.dotted.metric");
  CHECK(e.samples[0].label("error.code") == "7");
}

TEST_CASE("a line that cannot be read is named by its number and costs no other line") {
  const Exposition e = parse_exposition(
      "good 1\n"
      "9bad 1\n"
      "a{b=\"1\" 1\n"
      "a{b=1} 1\n"
      "a one\n"
      "a\n"
      "a 1 soon\n"
      "a 1 2 3\n"
      "# TYPE a\n"
      "a 1 # {x=\"1\"}\n"
      "a 1e999\n"
      "{} 1\n"
      "a 1 1e300\n"
      "# EOF\n"
      "late 1\n");
  CHECK(e.samples.size() == 1);
  CHECK(e.bad_count == 13);
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const BadLine& each : e.bad) found.emplace_back(each.line, name_of(each.fault));
  const std::vector<std::pair<std::size_t, std::string>> expected{
      {2, "name"},      {3, "labels"},     {4, "labels"},    {5, "value"},     {6, "value"},
      {7, "timestamp"}, {8, "timestamp"},  {9, "comment"},   {10, "exemplar"}, {11, "value"},
      {12, "name"},     {13, "timestamp"}, {15, "after_end"}};
  CHECK(found == expected);
}

TEST_CASE("a text full of bad lines names the first and counts all") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "!\n";
  const Exposition e = parse_exposition(text);
  CHECK(e.bad_count == 1000);
  CHECK(e.bad.size() == Exposition::kMaxBadLines);
}

TEST_CASE("every cut of a text is read without harm") {
  const std::string text =
      "# HELP a b\\n\na{b=\"c\\\"\",d=\"e\"} 1.5e3 17 # {f=\"g\"} 2 3\n{\"h.i\",j=\"k\"} NaN\n# EOF\n";
  for (std::size_t n = 0; n <= text.size(); ++n) CHECK(parse_exposition(text.substr(0, n)).samples.size() <= 2);
}

TEST_CASE("an answer of vLLM gives its cache configuration, its counters by label, and sums over them") {
  const Exposition e = parse_exposition(
      "# HELP vllm:cache_config_info Information of the LLMEngine CacheConfig\n"
      "# TYPE vllm:cache_config_info gauge\n"
      "vllm:cache_config_info{block_size=\"16\",cache_dtype=\"auto\",enable_prefix_caching=\"True\",engine=\"0\","
      "gpu_memory_utilization=\"0.9\",num_gpu_blocks=\"27856\",num_gpu_blocks_override=\"None\"} 1.0\n"
      "# TYPE vllm:request_success_total counter\n"
      "vllm:request_success_total{engine=\"0\",finished_reason=\"stop\",model_name=\"q\"} 3.0\n"
      "vllm:request_success_total{engine=\"0\",finished_reason=\"length\",model_name=\"q\"} 9.0\n");
  CHECK(e.bad_count == 0);
  const Sample* const info = e.find("vllm:cache_config_info");
  REQUIRE(info);
  CHECK(info->label("num_gpu_blocks") == "27856");
  const Label length{"finished_reason", "length"};
  CHECK(e.find("vllm:request_success_total", {&length, 1})->value == 9);
  CHECK(e.sum("vllm:request_success_total") == 12);
  CHECK_FALSE(e.sum("vllm:request_success_total", std::vector<Label>{{"engine", "1"}}).has_value());
  CHECK(e.has_prefix("vllm:"));
  CHECK_FALSE(e.has_prefix("sglang:"));
  CHECK(e.family("vllm:cache_config_info")->help == "Information of the LLMEngine CacheConfig");
}

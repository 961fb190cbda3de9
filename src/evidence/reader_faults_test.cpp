#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "evidence/made_results.hpp"
#include "evidence/reader.hpp"

namespace scoville::evidence {
namespace {

std::string fault_of(std::string_view text) {
  const FileText file{"x.json", std::string(text)};
  const auto read = read_results({&file, 1});
  return read ? "" : read.error().message;
}

std::string with(std::string_view text, std::string_view was, std::string_view is) {
  std::string out(text);
  out.replace(out.find(was), was.size(), is);
  return out;
}

constexpr std::string_view kAll[]{kVllm,          kSglang,           kAiperf,   kAiperfLines, kGuidellm,
                                  kInferencePerf, kEvalscope,        kAisbench, kAisbenchCsv, kInferencex,
                                  kEvalscopeRows, kEvalscopeColumns, kLoadgen,  kGenaiBench,  kEndpoints};

}  // namespace

TEST_CASE("what is no known result says what is") {
  for (const std::string_view text :
       {"", "x", "{}", "[]", "42", "\"text\"", "null", "{\"a\": 1}", "{\"benchmarks\": 3}", "{\"benchmarks\": []}",
        "\xEF\xBB\xBF", "\n\n", "[[]]", "[1, 2]"}) {
    CAPTURE(text);
    const std::string fault = fault_of(text);
    CHECK(fault.find("x.json: this is not a bundle") == 0);
    CHECK(fault.find("guidellm") != std::string::npos);
  }
}

TEST_CASE("a member of another type is named, with what was expected") {
  struct Case {
    std::string_view text, was, is, says;
  };
  const Case cases[]{
      {kVllm, "\"completed\": 2", "\"completed\": \"two\"", "completed: expected a number"},
      {kVllm, "\"completed\": 2", "\"completed\": 2.5", "completed: expected a number"},
      {kVllm, "\"mean_ttft_ms\": 55.0", "\"mean_ttft_ms\": []", "mean_ttft_ms: expected a number"},
      {kVllm, "\"model_id\": \"org/tiny\"", "\"model_id\": 7", "model_id: expected a text"},
      {kVllm, "\"ttfts\": [0.05, 0.06, 0.0]", "\"ttfts\": [0.05, \"x\", 0.0]", "ttfts: expected a list of numbers"},
      {kVllm, "\"ttfts\": [0.05, 0.06, 0.0]", "\"ttfts\": [0.05, 0.06]", "expected as many places"},
      {kVllm, "[[0.01, 0.02], [0.03], []]", "[[0.01, 0.02], 0.03, []]", "itls: expected a list"},
      {kAiperf, "\"unit\": \"us\"", "\"unit\": \"parsecs\"", "inter_token_latency.unit: expected a unit of time"},
      {kAiperf, "\"avg\": 120.5", "\"avg\": true", "time_to_first_token.avg: expected a number"},
      {kGuidellm, "\"successful\": 50", "\"successful\": {}",
       "benchmarks[0].metrics.request_totals.successful: expected"},
      {kGuidellm, "\"metrics\": {\n  \"request_totals\"", "\"metrics\": [], \"x\": {\n  \"request_totals\"",
       "benchmarks[0].metrics: expected an object"},
      {kInferencePerf, "\"latency\": {", "\"latency\": 1, \"x\": {", "successes.latency: expected an object"},
      {kEvalscopeRows, "\"TTFT (ms)\": 90.0", "\"TTFT (ms)\": \"a\"", "[0].TTFT (ms): expected a number"},
      {kAisbench, "\"15.0 req/s\"", "\"fast\"", "Request Throughput.total: expected a number"},
      {kAisbenchCsv, "100.5 ms", "soon", "line 3: TTFT.Average: expected a number"},
      {kAisbenchCsv, "TTFT,total,", "TTFT,", "line 3: columns: expected as many columns as the first line (10)"},
      {kLoadgen, ": 2000000000", ": soon", "line 16: Mean latency (ns): expected a number"},
      {kInferencex, "\"tp\": 8", "\"tp\": \"8\"", "tp: expected a number"},
      {kEndpoints, "\"tpot\": {}", "\"tpot\": 3", "tpot: expected an object"},
      {kGenaiBench, "\"num_error_requests\": 1", "\"num_error_requests\": \"1\"", "num_error_requests: expected"},
      {kSglang, "\"completed\": 8", "\"completed\": false", "completed: expected a number"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.says);
    const std::string fault = fault_of(with(each.text, each.was, each.is));
    CHECK(fault.find(each.says) != std::string::npos);
    CHECK(fault.find("x.json") == 0);
  }
}

TEST_CASE("of several results the line is named") {
  const std::string two = std::string(kVllm) + "\n" + with(kVllm, "\"completed\": 2", "\"completed\": \"x\"");
  const auto lines = std::count(kVllm.begin(), kVllm.end(), '\n') + 2;
  CHECK(fault_of(two).find("line " + std::to_string(lines) + ": completed: expected a number") != std::string::npos);
}

TEST_CASE("a file cut off anywhere is an error or a smaller result, and never a crash") {
  for (const std::string_view whole : kAll) {
    for (std::size_t length = 0; length < whole.size(); length += 7) {
      const FileText file{"x", std::string(whole.substr(0, length))};
      const auto read = read_results({&file, 1});
      if (!read) CHECK(read.error().message.find("x") == 0);
    }
  }
}

TEST_CASE("a changed byte never crashes, and every value that is read is finite") {
  for (const std::string_view whole : kAll) {
    for (std::size_t place = 0; place < whole.size(); place += 3) {
      for (const char byte : {'"', '0', '[', '\x80', 'e'}) {
        FileText file{"x", std::string(whole)};
        file.text[place] = byte;
        const auto read = read_results({&file, 1});
        if (!read) continue;
        for (const ExternalResult& each : *read) {
          for (const Figure& figure : each.figures) CHECK((!figure.value || std::isfinite(*figure.value)));
        }
      }
    }
  }
}

TEST_CASE("a number too large for us is unknown or refused, not infinite") {
  for (const std::string_view huge : {"1e308", "1e400", "-1e308"}) {
    const auto text = with(kGenaiBench, "\"mean\": 0.2", "\"mean\": " + std::string(huge));
    const FileText file{"x", text};
    const auto read = read_results({&file, 1});
    if (!read) continue;
    for (const Figure& each : read->front().figures) CHECK((!each.value || std::isfinite(*each.value)));
  }
}

}  // namespace scoville::evidence

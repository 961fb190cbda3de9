#include <doctest/doctest.h>

#include <algorithm>

#include <sstream>
#include <string>
#include <vector>

#include "report/bench_report.hpp"
#include "report/golden_file.hpp"
#include "report/made_bench.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using text::Language;

std::string table_of(const MadeBench& made) {
  return bench_table(made.analysis(), made.plan, made.shape, made.subject);
}

std::string table_in(Language language, const MadeBench& made = made_bench()) {
  const Speaking speaking(language);
  return table_of(made);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool is_rule(const std::string& line) { return line.starts_with("  ─"); }

/// Whether a word begins at this display column, behind two blanks.
bool has_word_at(const std::string& line, std::size_t column) {
  std::size_t byte = 0;
  while (byte < line.size() && text::display_width(line.substr(0, byte)) < column) ++byte;
  return byte >= 2 && byte < line.size() && line[byte] != ' ' && line.substr(byte - 2, 2) == "  ";
}

/// Every row of a table of numbers is as wide as the rule under its header; in the table of words, whose last column is
/// flush left, that column begins in one place. Returns the number of tables.
std::size_t check_alignment(const std::string& report) {
  const auto lines = lines_of(report);
  std::size_t tables = 0;
  for (std::size_t rule = 1; rule < lines.size(); ++rule) {
    if (!is_rule(lines[rule])) continue;
    ++tables;
    const std::string value = text::say(text::Msg::column_value);
    const bool is_of_words = lines[rule - 1].ends_with(value);
    const std::size_t value_column = text::display_width(lines[rule - 1]) - text::display_width(value);
    for (std::size_t row = rule - 1; row < lines.size() && !lines[row].empty(); ++row) {
      CAPTURE(lines[row]);
      if (row != rule && is_of_words) {
        CHECK(has_word_at(lines[row], value_column));
      } else {
        CHECK(text::display_width(lines[row]) == text::display_width(lines[rule]));
      }
    }
  }
  return tables;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("golden: the report in English") { check_golden("bench.en.txt", table_in(Language::english)); }
TEST_CASE("golden: the report in Chinese") { check_golden("bench.zh.txt", table_in(Language::chinese)); }

TEST_CASE("the rows of every table end in one column, with double-width characters too") {
  for (const Language language : {Language::english, Language::chinese}) {
    const Speaking speaking(language);
    CHECK(check_alignment(table_of(made_bench())) == 5);
  }
}

TEST_CASE("the six figures stand together, those that were not measured with their reason") {
  const std::string report = table_in(Language::english);
  for (const char* figure : {"1  TTFT", "2  TPOT", "3  throughput", "4  memory", "5  power", "6  unit cost"}) {
    CHECK(has(report, figure));
  }
  CHECK(has(report, "not measured: no power sensor"));
  CHECK(has(report, "not computed: no price given"));
}

TEST_CASE("a report ends in one sentence on what its figures hold for") {
  const std::string report = table_in(Language::english);
  const std::string end = report.substr(report.rfind("\n\n") + 2);
  std::string sentence;  // in one line again
  for (const std::string& line : lines_of(end)) sentence += (sentence.empty() ? "" : " ") + line;
  CHECK(sentence ==  // (50 · 1024 + 147 · 128) / 197 = 355.4
        "These figures hold for tiny-1b at http://127.0.0.1:8000/v1/chat/completions under this load (open loop, "
        "constant gaps, "
        "10 requests/s; 355.4 prompt and 16 output tokens on average), from 197 of 200 requests in one run of 20.1 s; "
        "another "
        "load, length or day needs another run.");
}

TEST_CASE("a report opens with what was measured, in six lines at the most") {
  MadeBench made = made_bench();
  const std::string report = table_in(Language::english, made);
  CHECK(has(report, "\nEngine: vllm 0.11.0, context 8192, tensor_parallel_size=2\n"));
  CHECK(has(report, "\nHardware: 2 × NVIDIA H800, driver 550.54.15, cuda 12.4\n"));
  CHECK(has(report, "not known: framework, links between cards\n"));
  const std::string head = report.substr(0, report.find("Load:"));
  CHECK(std::count(head.begin(), head.end(), '\n') <= 6);
  made.subject.system = {};
  CHECK(has(table_in(Language::english, made), "\nMeasured: a service; hardware not seen"));
}

TEST_CASE("a report of a client that was the bottleneck says so before anything else") {
  MadeBench made = made_bench();
  CHECK_FALSE(has(table_in(Language::english, made), "BOTTLENECK"));
  made.run.steal_share = 0.06;
  CHECK(table_in(Language::english, made).starts_with("!! THE CLIENT WAS THE BOTTLENECK"));
  CHECK(has(table_in(Language::english, made), "the client was the bottleneck (the hypervisor took CPU time)"));
}

TEST_CASE("an error bound that is large beside its median is warned of, a small one is not") {
  MadeBench made = made_bench();
  analyse::Analysis analysis = made.analysis();
  const auto codes = [&] {
    std::string out;
    for (const dataset::Warning& each : all_warnings(analysis, made.subject)) out += each.code + " ";
    return out;
  };
  analysis.error_bound.ttft = analyse::ms(11);  // of 60 ms
  CHECK_FALSE(has(codes(), "error_bound_large"));
  analysis.error_bound.icl = analyse::ms(3);  // of 10.5 ms
  CHECK(has(codes(), "error_bound_large"));
}

TEST_CASE("a model that the server does not list lends its name to no figure") {
  MadeBench made = made_bench();
  made.subject.warnings.push_back(dataset::make_warning("model_not_listed", text::Msg::doubt_single_run));
  const std::string report = table_in(Language::english, made);
  CHECK(report.starts_with("Asked for model tiny-1b, which is not among those"));
  CHECK(has(report, "These figures hold for whatever was served for tiny-1b"));
}

TEST_CASE("a quantile without enough samples carries a star, and one beyond a time-out a >") {
  const std::string report = table_in(Language::english);
  CHECK(has(report, "> 8.00 s"));  // the longest: it was given up
  CHECK(has(report, "ms*"));
  CHECK(has(report, "rest on too few requests (198 here)"));
}

TEST_CASE("a report of a run in which nothing succeeded shows dashes, not zeros") {
  MadeBench made = made_bench();
  made.run.records.erase(made.run.records.begin() + 31, made.run.records.end());
  made.run.records.erase(made.run.records.begin(), made.run.records.begin() + 30);  // one 503
  const std::string report = table_in(Language::english, made);
  CHECK(has(report, "0 of 1 requests succeeded"));
  CHECK(has(report, "(http_status)"));
  for (const std::string& line : lines_of(report)) {
    if (line.starts_with("  TTFT")) CHECK_FALSE(has(line, "0 ns"));
  }
}

TEST_CASE("every warning has a sentence in both languages, and its code in the JSON") {
  analyse::Analysis analysis;
  constexpr int kCodes = static_cast<int>(analyse::Doubtful::no_keep_alive) + 1;
  for (int i = 0; i < kCodes; ++i) analysis.warnings.push_back({static_cast<analyse::Doubtful>(i), 0.25, 3, ""});
  const Speaking speaking(Language::chinese);
  const auto warnings = all_warnings(analysis, BenchSubject());
  REQUIRE(warnings.size() == kCodes + 1);  // and that of a single run
  for (const dataset::Warning& each : warnings) {
    CAPTURE(each.code);
    CHECK_FALSE(each.code.empty());
    CHECK_FALSE(each.sentence.english.empty());
    CHECK(each.sentence.chinese != each.sentence.english);
    CHECK_FALSE(has(each.sentence.english, "{"));
  }
}

}  // namespace scoville::report

#include "portability/scan.hpp"

#include <doctest/doctest.h>

namespace scoville::portability {
namespace {

const Matcher& matcher() {
  static const Matcher made(built_in_rules());
  return made;
}

std::vector<std::string> ids(const Scan& scanned) {
  std::vector<std::string> out;
  for (const Finding& each : scanned.findings) out.push_back(built_in_rules().rules[each.rule].id);
  return out;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("a place is counted once, by the narrower rule, with line, column and text") {
  const Scan scanned = scan(matcher(), Language::python, "a.py", "x = 1\n  with torch.autocast(\"cuda\"):\n");
  REQUIRE(ids(scanned) == Ids{"cuda-autocast"});
  CHECK(scanned.findings[0].line == 2);
  CHECK(scanned.findings[0].column == 14);
  CHECK(scanned.findings[0].text == "with torch.autocast(\"cuda\"):");
  CHECK(scanned.lines == 2);
}

TEST_CASE("two places of one line are two") {
  CHECK(ids(scan(matcher(), Language::python, "a.py", "x.cuda(); y.cuda()")) == Ids{"cuda-method", "cuda-method"});
}

TEST_CASE("what stands in comments and docstrings is a mention, not a place") {
  const Scan scanned =
      scan(matcher(), Language::python, "a.py", "\"\"\"Calls torch.cuda.synchronize().\"\"\"\n# x.cuda()\n");
  CHECK(scanned.findings.empty());
  CHECK(scanned.mentions.size() == 2);
}

TEST_CASE("code in an f-string is code") {
  CHECK(ids(scan(matcher(), Language::python, "a.py", "s = f\"{torch.cuda.current_device()}\"")) ==
        Ids{"cuda-device-calls"});
  CHECK(ids(scan(matcher(), Language::python, "a.py", "s = f\"cuda:{rank}\"")) == Ids{"cuda-string"});
}

TEST_CASE("packages are found in lists, in setup.py and in a command over several lines, not in other strings") {
  CHECK(ids(scan(matcher(), Language::requirements, "requirements.txt", "flash-attn>=2\n")) == Ids{"attention-wheels"});
  CHECK(ids(scan(matcher(), Language::python, "setup.py", "r = ['flash-attn']")) == Ids{"attention-wheels"});
  CHECK(ids(scan(matcher(), Language::python, "a.py", "r = ['flash-attn']")).empty());
  CHECK(ids(scan(matcher(), Language::dockerfile, "Dockerfile", "RUN pip install \\\n  numpy \\\n  flash-attn\n")) ==
        Ids{"attention-wheels"});
  CHECK(ids(scan(matcher(), Language::dockerfile, "Dockerfile", "RUN echo flash-attn\n")).empty());
}

TEST_CASE("a kernel in a string of Python is found: it is compiled at run time") {
  CHECK(ids(scan(matcher(), Language::python, "a.py", "src = '''\n__global__ void f() {}\n'''")) ==
        Ids{"device-function"});
}

TEST_CASE("bytes that are no UTF-8 and controls are shown as ?") {
  const Scan scanned = scan(matcher(), Language::python, "a.py", "x.cuda()\t'\xff\x1b'");
  REQUIRE(scanned.findings.size() == 1);
  CHECK(scanned.findings[0].text == "x.cuda() '?\?'");
}

TEST_CASE("a line of more than 64 KiB is said, not looked at") {
  const Scan scanned = scan(matcher(), Language::python, "a.py", std::string(70000, ' ') + "x.cuda()\ny.cuda()\n");
  CHECK(scanned.unread_lines == 1);
  REQUIRE(scanned.findings.size() == 1);
  CHECK(scanned.findings[0].line == 2);
}

TEST_CASE("a notebook's cells of code are read with their numbers, its shell lines as shell, its text not") {
  const std::string json =
      R"json({"cells": [{"cell_type": "markdown", "source": "x.cuda()"},
                    {"cell_type": "code", "source": ["!nvidia-smi\n", "x.cuda()"]}]})json";
  const Result<Scan> scanned = scan_notebook(matcher(), "n.ipynb", json);
  REQUIRE(scanned.ok());
  CHECK(ids(*scanned) == Ids{"cuda-method", "nvidia-smi"});
  CHECK(scanned->findings[0].cell == 2);
  CHECK(scanned->findings[0].line == 2);
  CHECK(scanned->lines == 2);
  CHECK_FALSE(scan_notebook(matcher(), "n.ipynb", "[]").ok());
  CHECK_FALSE(scan_notebook(matcher(), "n.ipynb", "{").ok());
}

}  // namespace scoville::portability

#include "report/page.hpp"

#include <doctest/doctest.h>

namespace scoville::report {
namespace {

Page made() {
  Page page{"A < B", "en", {}};
  page.lead("hold: <script> cannot tell", "open");
  page.table({"figure", "a|b"}, {{"TTFT", "1_0"}});
  page.list({"one & two"});
  return page;
}

}  // namespace

TEST_CASE("in Markdown what could be markup stands as itself") {
  CHECK(page_markdown(made()) ==
        "# A \\< B\n\n**hold: \\<script\\> cannot tell**\n\n| figure | a\\|b |\n|---|---:|\n| TTFT | 1\\_0 |\n\n- one "
        "& two\n");
}

TEST_CASE("in HTML no text becomes an element, and nothing is fetched") {
  const std::string html = page_html(made());
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("hold: &lt;script&gt; cannot tell") != std::string::npos);
  CHECK(html.find("<li>one &amp; two</li>") != std::string::npos);
  CHECK(html.find("http") == std::string::npos);
  CHECK(html.find("src=") == std::string::npos);
}

}  // namespace scoville::report

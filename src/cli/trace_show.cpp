#include "cli/trace_show.hpp"

#include <cstdio>

#include "report/trace.hpp"
#include "trace/read.hpp"

namespace scoville::cli {

Exit show_trace(const std::vector<std::string>& files, bool as_json, const trace::Rules& rules) {
  json::array tables;
  std::string out;
  for (const std::string& file : files) {
    const Result<trace::OperatorTable> table = trace::read_operators(file, rules);
    if (!table) {
      complain(table.error().message);
      return Exit::failed;
    }
    if (as_json) {
      tables.push_back(report::trace_json(*table));
    } else {
      out += (out.empty() ? "" : "\n") + report::trace_table(*table);
    }
  }
  if (as_json) out = pretty(json::object{{"tables", std::move(tables)}});
  std::fputs(out.c_str(), stdout);
  return Exit::fine;
}

}  // namespace scoville::cli

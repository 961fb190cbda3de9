#include "operators/fallback_signs.hpp"

#include "base/check.hpp"
#include "config/node.hpp"

namespace scoville::operators {

const char* embedded_fallback_signs();

Result<FallbackSigns> parse_fallback_signs(const std::string& yaml, const std::string& where) {
  const Result<config::Node> root = config::Node::parse(yaml, where);
  if (!root) return root.error();
  root->count("version", 1, 1);
  FallbackSigns signs;
  for (const config::Node& each : root->list("switches")) {
    signs.switches.push_back(
        {each.text("name"), each.text_or("strict", ""), each.text_or("lenient", ""), each.text_or("backend", "")});
  }
  signs.warnings = root->maybe_texts("warnings");
  return root->finish(std::move(signs));
}

const FallbackSigns& built_in_fallback_signs() {
  static const FallbackSigns signs = [] {
    Result<FallbackSigns> parsed = parse_fallback_signs(embedded_fallback_signs(), "data/fallback_switches.yaml");
    SCOVILLE_CHECK(parsed.ok(), parsed.ok() ? "" : parsed.error().message.c_str());
    return std::move(*parsed);
  }();
  return signs;
}

}  // namespace scoville::operators

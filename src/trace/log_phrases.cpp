#include "trace/log_phrases.hpp"

#include "base/check.hpp"
#include "config/node.hpp"
#include "text/catalogue/trace.hpp"

namespace scoville::trace {

const char* embedded_log_phrases();

namespace {

using config::Node;
using text::say;
using text::TraceMsg;

const std::vector<std::string>& kind_names() {
  static const std::vector<std::string> kNames{
      "fallback",   "fallback_list", "deliberate",   "counter",       "unsupported", "unused_kernel", "offload",
      "preemption", "retraction",    "config_limit", "out_of_memory", "engine_dead", "http_500"};
  return kNames;
}

boost::regex pattern(const Node& node, const std::string& key) {
  const std::string text = node.text(key);
  try {
    return boost::regex(text, boost::regex::perl);
  } catch (const boost::regex_error& error) {
    node.fault(key, say(TraceMsg::trace_bad_pattern, text, error.what()));
    return boost::regex();
  }
}

}  // namespace

Result<Phrases> Phrases::parse(const std::string& yaml, const std::string& where) {
  Result<Node> root = Node::parse(yaml, where);
  if (!root) return root.error();
  auto held = std::make_shared<Held>();
  held->prompts = root->maybe_texts("prompts");
  held->ranks = pattern(*root, "ranks");
  held->times = pattern(*root, "times");
  const Node counters = root->map("counters");
  held->fallback_counter = pattern(counters, "fallback");
  held->sync_counters = counters.maybe_texts("sync");
  held->recompile_counters = counters.maybe_texts("recompile");
  for (const Node& node : root->list("phrases")) {
    Phrase each;
    each.kind = static_cast<PhraseKind>(node.choice("kind", kind_names()));
    each.backend = node.text_or("backend", "");
    each.contains = node.text("contains");
    each.name = node.text_or("name", "");
    each.match = pattern(node, "match");
    held->phrases.push_back(std::move(each));
  }
  if (Status status = root->finish(); !status) return status.error();
  return Phrases(std::move(held));
}

const Phrases& Phrases::built_in() {
  static const Phrases phrases = [] {
    Result<Phrases> read = parse(embedded_log_phrases(), "data/log_phrases.yaml");
    SCOVILLE_CHECK(read.ok(), "the phrases that are built in are sound");
    return *read;
  }();
  return phrases;
}

}  // namespace scoville::trace

#include "trace/rules.hpp"

#include <boost/regex.hpp>

#include <algorithm>
#include <set>
#include <vector>

#include "base/check.hpp"
#include "config/node.hpp"
#include "text/catalogue/trace.hpp"

namespace scoville::trace {

const char* embedded_kernel_origins();
const char* embedded_trace_operators();

namespace {

using config::Node;
using text::say;
using text::TraceMsg;

using Patterns = std::vector<boost::regex>;

struct OriginRule {
  KernelOrigin origin;
  Patterns match;
};

Patterns patterns(const Node& node, const std::string& key) {
  Patterns out;
  for (const std::string& each : node.maybe_texts(key)) {
    try {
      out.emplace_back(each, boost::regex::perl);
    } catch (const boost::regex_error& error) {
      node.fault(key, say(TraceMsg::trace_bad_pattern, each, error.what()));
    }
  }
  return out;
}

bool any_fits(const Patterns& patterns, const std::string& text) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const boost::regex& each) {
    try {
      return boost::regex_search(text, each);
    } catch (const std::exception&) {  // it gave up on a name that takes too many steps: no match
      return false;
    }
  });
}

bool any_in(const std::vector<std::string>& parts, std::string_view text) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& each) { return text.find(each) != std::string_view::npos; });
}

std::set<std::string> names(const Node& node, const std::string& key) {
  const std::vector<std::string> list = node.maybe_texts(key);
  return {list.begin(), list.end()};
}

}  // namespace

struct Rules::Held {
  Patterns communication, to_host;
  std::vector<OriginRule> origins;
  std::set<std::string> to_cpu, copies, reads;
  std::uint64_t scalar_bytes = 0;
  std::vector<std::string> no_work, copy_tasks, device_cpu;

  Status take_kernels(const Node& root) {
    for (boost::regex& each : patterns(root, "communication")) communication.push_back(std::move(each));
    for (boost::regex& each : patterns(root, "to_host")) to_host.push_back(std::move(each));
    static const std::vector<std::string> kNames(kOriginNames.begin(), kOriginNames.end());
    for (const Node& node : root.maybe_list("origins")) {
      const Origin origin = static_cast<Origin>(node.choice("origin", kNames));
      origins.push_back({{origin, node.text_or("library", "")}, patterns(node, "match")});
    }
    return root.finish();
  }
  Status take_operators(const Node& root) {
    to_cpu = names(root, "to_cpu");
    copies = names(root, "copies");
    reads = names(root, "reads");
    scalar_bytes = root.count("scalar_bytes", 0, 1 << 20);
    const Node ascend = root.map("ascend");
    no_work = ascend.maybe_texts("no_work");
    copy_tasks = ascend.maybe_texts("copies");
    device_cpu = ascend.maybe_texts("device_cpu");
    return root.finish();
  }
};

Result<Rules> Rules::made(const std::string* path) {
  auto held = std::make_shared<Held>();
  if (path) {
    Result<Node> own = Node::load(*path);
    if (!own) return own.error();
    if (Status taken = held->take_kernels(*own); !taken) return taken.error();
  }
  Result<Node> kernels = Node::parse(embedded_kernel_origins(), "data/kernel_origins.yaml");
  if (!kernels) return kernels.error();
  if (Status taken = held->take_kernels(*kernels); !taken) return taken.error();
  Result<Node> operators = Node::parse(embedded_trace_operators(), "data/trace_operators.yaml");
  if (!operators) return operators.error();
  if (Status taken = held->take_operators(*operators); !taken) return taken.error();
  return Rules(std::move(held));
}

const Rules& Rules::built_in() {
  static const Rules rules = [] {
    Result<Rules> read = made(nullptr);
    SCOVILLE_CHECK(read.ok(), "the rules that are built in are sound");
    return *read;
  }();
  return rules;
}

Result<Rules> Rules::with(const std::string& path) { return made(&path); }

KernelOrigin Rules::origin_of(const std::string& kernel) const {
  for (const OriginRule& rule : held_->origins) {
    if (any_fits(rule.match, kernel)) return rule.origin;
  }
  return {};
}

bool Rules::is_communication(const std::string& kernel) const { return any_fits(held_->communication, kernel); }
bool Rules::is_to_host(const std::string& copy) const { return any_fits(held_->to_host, copy); }
bool Rules::moves_to_cpu(const std::string& op) const { return held_->to_cpu.contains(op); }
bool Rules::copies_on_purpose(const std::string& op) const { return held_->copies.contains(op); }
bool Rules::reads_scalars(const std::string& op) const { return held_->reads.contains(op); }
std::uint64_t Rules::scalar_bytes() const { return held_->scalar_bytes; }

AscendTask Rules::ascend_task(std::string_view type) const {
  if (any_in(held_->device_cpu, type)) return AscendTask::device_cpu;
  if (any_in(held_->no_work, type)) return AscendTask::no_work;
  if (any_in(held_->copy_tasks, type)) return AscendTask::copy;
  return AscendTask::kernel;
}

}  // namespace scoville::trace

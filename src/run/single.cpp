#include "run/single.hpp"

#include "run/in_memory.hpp"

#include <strings.h>

#include "text/catalogue.hpp"

namespace scoville::run {
namespace {

constexpr int kMostRedirects = 5;

bool is_redirect(const event::RequestRecord& record) {
  const int status = record.http_status;
  return !record.location.empty() &&
         (status == 301 || status == 302 || status == 303 || status == 307 || status == 308);
}

/// The same server, or the same host with TLS where there was none.
bool is_trusted(const wire::Url& to, const wire::Url& from) {
  const bool is_upgrade = to.is_tls && !from.is_tls;
  return to.host == from.host && (is_upgrade || (to.port == from.port && to.is_tls == from.is_tls));
}

void forget_key(plan::RequestShape& shape) {
  shape.api_key.clear();
  std::erase_if(shape.headers, [](const auto& header) {
    return strcasecmp(header.first.c_str(), "Authorization") == 0 || strcasecmp(header.first.c_str(), "Cookie") == 0;
  });
}

}  // namespace

Result<std::vector<event::RequestRecord>> run_single(wire::Target& target, const wire::TargetOptions& options,
                                                     const load::Dialect& dialect, plan::RequestShape& shape,
                                                     const plan::Timeouts& timeouts, const dataset::Prompt& prompt,
                                                     std::size_t requests, const std::atomic<bool>& stop) {
  plan::LoadPlan plan;
  plan.max_concurrency = 1;
  plan.num_prompts = requests;
  plan.timeouts = timeouts;
  plan.keeps_text = true;
  plan.slot_waits_for_body = true;
  const FixedPrompt prompts(prompt);
  for (int redirects = 0;; ++redirects) {
    Result<RunResult> result = run_in_memory({target, dialect, shape, plan, prompts}, stop);
    if (!result) return result.error();
    if (result->records.empty()) return Error{ErrorCode::aborted, text::say(text::Msg::run_stopped)};
    const event::RequestRecord& first = result->records.front();
    if (!is_redirect(first) || redirects == kMostRedirects) return std::move(result->records);
    Result<wire::Url> location = wire::resolve_location(target.url, first.location);
    if (!location) return location.error();
    if (!is_trusted(*location, target.url)) forget_key(shape);
    const bool same_server =
        location->host == target.url.host && location->port == target.url.port && location->is_tls == target.url.is_tls;
    if (same_server) {
      target.url = *location;
    } else {
      Result<wire::Target> moved = wire::make_target(*location, options);
      if (!moved) return moved.error();
      target = std::move(*moved);
    }
  }
}

}  // namespace scoville::run

#include "cli/step_run.hpp"

#include <algorithm>

#include "text/catalogue.hpp"

namespace scoville::cli {

Result<Measured> StepRunner::run(const StepLoad& step, bool shows_progress) {
  plan::LoadPlan plan = base_;
  plan.arrivals.rate = step.rate;
  plan.arrivals.is_constant = step.is_constant;
  plan.arrivals.seed = base_.arrivals.seed + ++steps_;
  plan.max_concurrency = step.users;
  plan.num_prompts = step.requests;
  plan.duration = step.duration;
  if (step.users > 0) plan.threads = static_cast<unsigned>(std::min<std::size_t>(plan.threads, step.users));
  load_.plan() = plan;
  Result<Measured> measured = session_.measure(set_, shows_progress);
  if (!measured) return measured;
  if (session_.storage_fault())
    return Error{ErrorCode::io, text::say(text::Msg::store_lost, session_.storage_fault()->message)};
  if (const std::optional<Error> loss = session_.engine_loss()) return *loss;
  return measured;
}

}  // namespace scoville::cli

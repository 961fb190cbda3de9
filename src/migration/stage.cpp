#include "migration/stage.hpp"

#include <algorithm>

#include "text/catalogue/next.hpp"

namespace scoville::migration {

using text::NextMsg;

const std::vector<Stage>& stages() {
  static const std::vector<Stage> all{
      {0,
       "desk",
       NextMsg::stage_desk,
       NextMsg::stage_desk_does,
       NextMsg::stage_desk_gate,
       {},
       {"scoville claim check CLAIM.yaml", "scoville fit --model-path MODEL --device DEVICE --context N",
        "scoville scenario show SCENARIO", "scoville cost COST.yaml"}},
      {1,
       "baseline",
       NextMsg::stage_baseline,
       NextMsg::stage_baseline_does,
       NextMsg::stage_baseline_gate,
       {},
       {"scoville env --json -o CURRENT.json", "scoville calibrate",
        "scoville baseline --base-url CURRENT --system CURRENT.json --max-concurrency N --num-prompts 700 --tag "
        "current",
        "scoville bench --base-url CURRENT --max-concurrency N --num-prompts 700 --repeats 20 --tag current-aa",
        "scoville compare --aa current-aa"}},
      {2,
       "bring-up",
       NextMsg::stage_bring_up,
       NextMsg::stage_bring_up_does,
       NextMsg::stage_bring_up_gate,
       {0},
       {"scoville env --json -o CANDIDATE.json", "scoville once --base-url CANDIDATE", "scoville next first-token",
        "scoville probe correctness --base-url CURRENT --base-url CANDIDATE --tasks TASKS.jsonl"}},
      {3,
       "poc",
       NextMsg::stage_poc,
       NextMsg::stage_poc_does,
       NextMsg::stage_poc_gate,
       {1, 2},
       {"scoville saturate --base-url CANDIDATE --slo ttft:p99:2s,tpot:p99:100ms --system CANDIDATE.json",
        "scoville duel CURRENT CANDIDATE --max-concurrency N --num-prompts 700",
        "scoville sweep --base-url CANDIDATE --vary concurrency=1:64:x2 --repeats 3", "scoville evaluate PLAN.yaml"}},
      {4,
       "soak",
       NextMsg::stage_soak,
       NextMsg::stage_soak_does,
       NextMsg::stage_soak_gate,
       {3},
       {"scoville bench --base-url CANDIDATE --request-rate 80_PERCENT_OF_SATURATION --duration 72h --tag soak",
        "scoville history soak"}},
      {5,
       "canary",
       NextMsg::stage_canary,
       NextMsg::stage_canary_does,
       NextMsg::stage_canary_gate,
       {4},
       {"scoville canary CONTROL CANDIDATE --slo ttft:2000 --p99 ttft:2000 --step 1 --for 24h",
        "scoville canary CONTROL CANDIDATE --slo ttft:2000 --p99 ttft:2000 --step 5 --for 24h",
        "scoville canary CONTROL CANDIDATE --slo ttft:2000 --p99 ttft:2000 --step 25 --for 24h"}},
      {6,
       "decide",
       NextMsg::stage_decide,
       NextMsg::stage_decide_does,
       NextMsg::stage_decide_gate,
       {5},
       {"scoville cost COST.yaml --detail", "scoville evaluate PLAN.yaml"}},
  };
  return all;
}

const Stage* find_stage(std::string_view name) {
  const auto found = std::find_if(stages().begin(), stages().end(), [&](const Stage& each) {
    return each.id == name || std::to_string(each.number) == name;
  });
  return found == stages().end() ? nullptr : &*found;
}

std::vector<std::string> stage_ids() {
  std::vector<std::string> out;
  for (const Stage& each : stages()) out.push_back(each.id);
  return out;
}

}  // namespace scoville::migration

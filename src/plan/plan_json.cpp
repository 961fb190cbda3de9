#include "plan/plan_json.hpp"

#include <array>

#include "base/json_fields.hpp"

namespace scoville::plan {
namespace {

constexpr std::array<std::string_view, 3> kRampNames{"none", "linear", "exponential"};

template <class Archive, class T>
void fields(Archive& archive, T& plan) requires std::is_same_v<std::remove_const_t<T>, LoadPlan> {
  archive.nested("arrivals", [&](auto& inner) {
    inner("rate_per_s", plan.arrivals.rate);
    inner("burstiness", plan.arrivals.burstiness);
    inner("constant", plan.arrivals.is_constant);
    inner.named("ramp_up", plan.arrivals.ramp_up, kRampNames);
    inner("ramp_start_per_s", plan.arrivals.ramp_start);
    inner("ramp_end_per_s", plan.arrivals.ramp_end);
    inner("seed", plan.arrivals.seed);
    inner("trace_speed", plan.arrivals.trace_speed);
  });
  archive("max_concurrency", plan.max_concurrency);
  archive("num_prompts", plan.num_prompts);
  archive("duration_ns", plan.duration);
  archive("num_warmups", plan.num_warmups);
  archive("finds_warmup", plan.finds_warmup);
  archive("threads", plan.threads);
  archive.nested("timeouts_ns", [&](auto& inner) {
    inner("request", plan.timeouts.request);
    inner("idle", plan.timeouts.idle);
    inner("token_idle", plan.timeouts.token_idle);
    inner("connect", plan.timeouts.connect);
    inner("linger", plan.timeouts.linger);
  });
  archive("keeps_text", plan.keeps_text);
  archive("slot_waits_for_body", plan.slot_waits_for_body);
  archive("retries", plan.retries);
  archive("offline", plan.is_offline);
  archive("cancel_share", plan.cancel.share);
  archive("cancel_after_ns", plan.cancel.after);
  archive("probe_rate_per_s", plan.probe_rate);
}

template <class Archive, class T>
void fields(Archive& archive, T& shape) requires std::is_same_v<std::remove_const_t<T>, RequestShape> {
  archive.named("dialect", shape.dialect, dialect_names());
  archive("model", shape.model);
  archive("max_tokens", shape.max_tokens);
  archive("ignore_eos", shape.ignore_eos);
  archive("n", shape.n);
  archive("inputs", shape.inputs);
  archive("include_usage", shape.include_usage);
  archive("max_tokens_field", shape.max_tokens_field);
  archive("temperature", shape.temperature);
  archive("top_p", shape.top_p);
  archive("extra_body", shape.extra_body);
}

template <class Archive, class T>
void fields(Archive& archive, T& limits) requires std::is_same_v<std::remove_const_t<T>, Limits> {
  archive("ttft_ns", limits.ttft);
  archive("tpot_ns", limits.tpot);
  archive("e2e_ns", limits.e2e);
}

template <class T>
json::object written(const T& value) {
  JsonOut out;
  fields(out, value);
  return std::move(out).object();
}

template <class T>
Result<T> read(const json::value& value, const char* path) {
  T out;
  JsonIn in(value, path);
  fields(in, out);
  if (Status status = in.status(); !status) return status.error();
  return out;
}

}  // namespace

json::object to_json(const LoadPlan& plan) { return written(plan); }
json::object to_json(const RequestShape& shape) {
  json::object out = written(shape);
  json::array names;
  for (const auto& [name, value] : shape.headers) names.emplace_back(name);
  out["header_names"] = std::move(names);
  return out;
}
json::object to_json(const Limits& limits) { return written(limits); }

Result<LoadPlan> load_plan_from(const json::value& value) { return read<LoadPlan>(value, "plan"); }
Result<RequestShape> request_shape_from(const json::value& value) { return read<RequestShape>(value, "shape"); }
Result<Limits> limits_from(const json::value& value) { return read<Limits>(value, "limits"); }

}  // namespace scoville::plan

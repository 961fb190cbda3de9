#include "cli/measured.hpp"

#include "analyse/run_statistics.hpp"
#include "base/json_fields.hpp"
#include "base/version.hpp"
#include "plan/plan_json.hpp"
#include "report/subject_json.hpp"
#include "run/outcome_json.hpp"

namespace scoville::cli {
namespace {

constexpr const char* kSchema = "scoville.manifest/1";

template <class Archive, class Options>
void option_fields(Archive& archive, Options& options) {
  archive("quantiles", options.quantiles);
  archive("fixed_prompt_tokens", options.fixed_prompt_tokens);
  archive("shares_prefixes", options.shares_prefixes);
  archive.named("transport", options.transport, analyse::kTransportNames);
}

const json::value& member(const json::value& object, std::string_view key) {
  static const json::value null;
  const json::object* const members = object.if_object();
  const json::value* const found = members ? members->if_contains(key) : nullptr;
  return found ? *found : null;
}

Status read_manifest(const json::value& manifest, Measured& out) {
  auto plan = plan::load_plan_from(member(manifest, "plan"));
  if (!plan) return plan.error();
  auto shape = plan::request_shape_from(member(manifest, "shape"));
  if (!shape) return shape.error();
  auto limits = plan::limits_from(member(manifest, "limits"));
  if (!limits) return limits.error();
  auto subject = report::subject_from(member(manifest, "subject"));
  if (!subject) return subject.error();
  JsonIn options(member(manifest, "analysis"), "analysis");
  option_fields(options, out.options);
  if (const json::value& calibration = member(manifest, "calibration"); !calibration.is_null()) {
    auto made = analyse::calibration_from(calibration);
    if (!made) return made.error();
    out.options.calibration = std::make_shared<analyse::Calibration>(std::move(*made));
  }
  out.plan = std::move(*plan);
  out.shape = std::move(*shape);
  out.options.limits = *limits;
  out.subject = std::move(*subject);
  if (const json::value& made_by = member(member(manifest, "scoville"), "version"); made_by.is_string())
    out.subject.client_version = made_by.as_string();
  return options.status();
}

}  // namespace

json::object manifest_of(const Measured& measured) {
  JsonOut options;
  option_fields(options, measured.options);
  const analyse::Calibration* const calibration = measured.options.calibration.get();
  return {{"schema", kSchema},
          {"method_version", kMethodVersion},
          {"scoville", {{"version", version()}, {"revision", revision()}, {"compiler", compiler()}}},
          {"plan", plan::to_json(measured.plan)},
          {"shape", plan::to_json(measured.shape)},
          {"limits", plan::to_json(measured.options.limits)},
          {"analysis", std::move(options).object()},
          {"calibration", calibration ? json::value(analyse::to_json(*calibration)) : json::value(nullptr)},
          {"subject", report::subject_json(measured.subject)}};
}

Result<Measured> read_head(const store::RunStore& store, const std::string& id) {
  const Result<json::value> manifest = store.document(id, "manifest");
  if (!manifest) return manifest.error();
  Measured out;
  if (Status read = read_manifest(*manifest, out); !read) return std::move(read.error()).within("run " + id);
  if (!out.subject.launch) return out;
  const Result<json::value> launch = store.document(id, "launch");
  if (!launch) return launch.error();
  const json::value& ending = member(*launch, "ending");
  if (ending.is_null()) return out;  // cut off before the engine was stopped
  Result<event::LaunchEnding> read = event::ending_from(ending);
  if (!read) return std::move(read.error()).within("run " + id);
  out.subject.launch->ending = std::move(*read);
  return out;
}

Result<Measured> read_measured(const store::RunStore& store, const std::string& id) {
  Result<Measured> head = read_head(store, id);
  if (!head) return head.error();
  const Result<json::value> outcome = store.document(id, "outcome");
  if (!outcome) return outcome.error();
  Result<std::shared_ptr<const event::RecordSource>> records = store.records(id);
  if (!records) return records.error();
  Measured out = std::move(*head);
  Status read = run::take_outcome(*outcome, out.result);
  if (!read) return std::move(read.error()).within("run " + id);
  out.result.anchor = out.subject.anchor;
  if (read = out.result.take_records(std::move(*records)); !read) return std::move(read.error()).within("run " + id);
  if (read = analyse_measured(out); !read) return std::move(read.error()).within("run " + id);
  return out;
}

Status keep_statistics(store::RunStore& store, const Measured& measured) {
  const analyse::RunStatistics statistics = analyse::statistics_of(measured.result, measured.analysis);
  return store.set_document(measured.subject.run_id, kStatistics, analyse::to_json(statistics));
}

Status analyse_measured(Measured& measured) {
  Result<analyse::Analysis> analysis = analyse::analyse(measured.result, measured.plan, measured.options);
  if (!analysis) return analysis.error();
  measured.analysis = std::move(*analysis);
  return Done{};
}

}  // namespace scoville::cli

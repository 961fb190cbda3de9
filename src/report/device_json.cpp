#include <algorithm>

#include "probe/copy_fit.hpp"
#include "probe/roofline.hpp"
#include "probe/specialisation.hpp"
#include "report/device.hpp"

namespace scoville::report {
namespace {

using probe::Point;

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

json::value times_json(const std::optional<probe::Times>& times) {
  if (!times) return nullptr;
  return json::object{{"median_ns", times->median},
                      {"min_ns", times->min},
                      {"p5_ns", times->p5},
                      {"p95_ns", times->p95},
                      {"first_call_ns", number_or_null(times->first_call)},
                      {"n", times->samples},
                      {"noisy", times->is_noisy},
                      {"steady", times->is_steady}};
}

json::value fault_json(const std::optional<probe::Fault>& fault) {
  if (!fault) return nullptr;
  return json::object{{"reason", std::string(name_of(fault->reason))}, {"message", fault->message}};
}

/// `row`, and what all rows have.
json::object with_times(json::object row, const Point& point) {
  row["hot"] = times_json(point.hot);
  row["cold"] = times_json(point.cold);
  row["threads"] = point.threads ? json::value(*point.threads) : json::value(nullptr);
  row["oversubscribed"] = point.is_oversubscribed;
  row["fault"] = fault_json(point.fault);
  return row;
}

template <class P, class Make>
json::array rows(const std::vector<P>& points, Make make) {
  json::array out;
  for (const P& each : points) out.push_back(with_times(make(each), each));
  return out;
}

std::optional<double> ratio(std::optional<double> value, std::optional<double> of) {
  return value && of ? std::optional(*value / *of) : std::nullopt;
}

json::object gemm_row(const probe::GemmPoint& point, const DeviceView& view, const std::vector<probe::Best>& bests) {
  const auto speed = probe::rate(point);
  const auto best = std::ranges::find(bests, point.dtype, &probe::Best::dtype);
  const auto like = point.rel_l2 ? probe::precision_like(*point.rel_l2, point.dtype) : std::nullopt;
  return {
      {"group", point.label},
      {"note", text_or_null(point.note)},
      {"m", point.m},
      {"n", point.n},
      {"k", point.k},
      {"batch", point.batch},
      {"dtype", point.dtype},
      {"operations", probe::operations(point)},
      {"ideal_bytes", number_or_null(probe::ideal_bytes(point))},
      {"intensity", number_or_null(probe::intensity(point))},
      {"operations_per_second", number_or_null(speed)},
      {"share_of_best", number_or_null(ratio(speed, best == bests.end() ? std::nullopt : std::optional(best->rate)))},
      {"share_of_catalogue_peak", number_or_null(ratio(speed, catalogue_peak(view.catalogued, point.dtype)))},
      {"rel_l2", number_or_null(point.rel_l2)},
      {"max_abs", number_or_null(point.max_abs)},
      {"poisoned", number_or_null(point.poisoned)},
      {"computed_as", like ? json::value(*like) : json::value(nullptr)},
      {"precision", std::string(name_of(probe::precise(point)))},
      {"kernel", text_or_null(point.kernel)}};
}

json::object gemm_json(const DeviceView& view) {
  const std::vector<probe::Best> bests = probe::bests(view.survey.gemm);
  json::array best;
  for (const probe::Best& each : bests) {
    const std::optional<double> peak = catalogue_peak(view.catalogued, each.dtype);
    best.push_back(json::object{{"dtype", each.dtype},
                                {"operations_per_second", each.rate},
                                {"m", each.at.m},
                                {"n", each.at.n},
                                {"k", each.at.k},
                                {"catalogue_peak", number_or_null(peak)},
                                {"share_of_catalogue_peak", number_or_null(ratio(each.rate, peak))}});
  }
  return {{"says", "one device, dense products; nothing about a model"},
          {"best", std::move(best)},
          {"points", rows(view.survey.gemm, [&](const auto& each) { return gemm_row(each, view, bests); })}};
}

json::object bandwidth_row(const probe::BandwidthPoint& point) {
  return {{"operation", text_or_null(point.operation)},
          {"stores", text_or_null(point.stores)},
          {"array_bytes", point.array_bytes},
          {"moved_bytes", point.moved_bytes},
          {"bytes_per_second", number_or_null(probe::rate(point))}};
}

json::object bandwidth_json(const DeviceView& view) {
  const std::optional<double> best = probe::memory_rate(view.survey.bandwidth);
  const std::optional<double> peak =
      view.catalogued && view.catalogued->bandwidth ? std::optional(view.catalogued->bandwidth->value) : std::nullopt;
  return {{"memory_bytes_per_second", number_or_null(best)},
          {"catalogue_bytes_per_second", number_or_null(peak)},
          {"share_of_catalogue", number_or_null(ratio(best, peak))},
          {"points", rows(view.survey.bandwidth, bandwidth_row)},
          {"sweep", rows(view.survey.sweep, bandwidth_row)}};
}

json::array copy_json(const DeviceView& view) {
  json::array out;
  for (const probe::CopyLine& line : probe::copy_lines(view.survey.copies)) {
    json::value fit;
    if (line.fit) {
      fit = {{"start_ns", line.fit->start_ns},
             {"bytes_per_second", line.fit->bytes_per_second},
             {"worst", line.fit->worst},
             {"sizes", line.fit->sizes}};
    }
    out.push_back(json::object{
        {"direction", line.direction},
        {"pinned", line.is_pinned ? json::value(*line.is_pinned) : json::value(nullptr)},
        {"fit", std::move(fit)},
        {"points", rows(line.points, [](const probe::CopyPoint& each) {
           return json::object{{"bytes", each.bytes}, {"bytes_per_second", number_or_null(probe::rate(each))}};
         })}});
  }
  return out;
}

json::array roofline_json(const DeviceView& view) {
  json::array out;
  const probe::Survey& survey = view.survey;
  for (const probe::Roofline& line :
       probe::rooflines(survey.gemm, probe::memory_rate(survey.bandwidth), probe::launch_time(survey.launches))) {
    json::array points;
    for (const probe::RoofPoint& each : line.points) {
      points.push_back(json::object{{"group", each.of.label},
                                    {"m", each.of.m},
                                    {"n", each.of.n},
                                    {"k", each.of.k},
                                    {"intensity", each.intensity},
                                    {"operations_per_second", each.rate},
                                    {"roof", each.roof},
                                    {"share_of_roof", each.share()},
                                    {"bound", std::string(name_of(each.bound))}});
    }
    out.push_back(json::object{{"dtype", line.dtype},
                               {"peak", line.roof.peak},
                               {"bytes_per_second", line.roof.bandwidth},
                               {"ridge", line.roof.ridge()},
                               {"points", std::move(points)}});
  }
  return out;
}

json::array specialisation_json(const DeviceView& view) {
  json::array out;
  const auto add = [&](const std::vector<probe::Specialisation>& all) {
    for (const probe::Specialisation& each : all) {
      out.push_back(json::object{{"dtype", each.dtype},
                                 {"kind", each.kind},
                                 {"shapes", each.shapes},
                                 {"median", each.median},
                                 {"p5", each.p5},
                                 {"least", each.least},
                                 {"worst", each.worst}});
    }
  };
  add(probe::gemm_specialisation(view.survey.gemm));
  add(probe::attention_specialisation(view.survey.attention));
  return out;
}

json::array missing_json(const probe::Survey& survey) {
  json::array out;
  for (const probe::Missing& each : survey.missing) {
    out.push_back(json::object{{"part", std::string(name_of(each.part))},
                               {"what", text_or_null(each.what)},
                               {"reason", std::string(name_of(each.fault.reason))},
                               {"message", text_or_null(each.fault.message)}});
  }
  return out;
}

json::object attention_row(const probe::AttentionPoint& point) {
  return {{"label", point.label},
          {"batch", point.batch},
          {"heads", point.heads},
          {"kv_heads", point.kv_heads},
          {"head_dim", point.head_dim},
          {"query_len", point.query_len},
          {"kv_len", point.kv_len},
          {"causal", point.is_causal},
          {"dtype", point.dtype},
          {"operations", probe::operations(point)},
          {"operations_per_second", number_or_null(probe::rate(point))},
          {"rel_l2", number_or_null(point.rel_l2)},
          {"kernel", text_or_null(point.kernel)}};
}

json::value catalogue_json(const std::optional<fit::Device>& device) {
  if (!device) return nullptr;
  return json::object{{"id", device->id}, {"name", device->name}, {"vendor", device->vendor}};
}

}  // namespace

json::object device_json(const DeviceView& view) {
  const probe::Survey& survey = view.survey;
  const probe::Description& told = survey.description;
  json::array dtypes(survey.dtypes.begin(), survey.dtypes.end());
  return {{"format", "scoville-device"},
          {"format_version", 1},
          {"key", json::object{{"device", told.device_name().empty() ? survey.plan.device : told.device_name()},
                               {"stack", told.stack}}},
          {"device", survey.plan.device},
          {"level", std::string(name_of(survey.plan.level))},
          {"dtypes", std::move(dtypes)},
          {"probe", told.told},
          {"catalogue", catalogue_json(view.catalogued)},
          {"gemm", gemm_json(view)},
          {"bandwidth", bandwidth_json(view)},
          {"latency", rows(survey.latency,
                           [](const probe::LatencyPoint& each) {
                             return json::object{{"working_set_bytes", each.working_set_bytes}};
                           })},
          {"copy", copy_json(view)},
          {"launch", rows(survey.launches,
                          [](const probe::LaunchPoint& each) {
                            return json::object{{"kind", each.kind}};
                          })},
          {"attention", rows(survey.attention, attention_row)},
          {"roofline", roofline_json(view)},
          {"specialisation", specialisation_json(view)},
          {"missing", missing_json(survey)}};
}

}  // namespace scoville::report

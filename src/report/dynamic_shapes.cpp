#include "report/dynamic_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/cells.hpp"
#include "text/catalogue/shapes.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using probe::Bucket;
using probe::LengthTimes;
using probe::ShapeDoubt;
using probe::ShapeFinding;
using probe::ShapeVerdict;
using text::say;
using text::ShapesMsg;

std::string line(const std::string& sentence) { return "  " + text::wrapped(sentence, kLineWidth, 2); }

std::string time_cell(double nanos) { return nanos > 0 ? span(Nanos(std::llround(nanos))) : std::string(kNone); }

std::size_t payers(const ShapeFinding& finding) {
  return static_cast<std::size_t>(std::ranges::count(finding.pays, true));
}

std::string free_sentence(const DynamicShapesView& view) {
  const auto one = std::ranges::find(view.finding.pays, true);
  if (one == view.finding.pays.end()) return say(ShapesMsg::verdict_free);
  const auto place = static_cast<std::size_t>(one - view.finding.pays.begin());
  return say(ShapesMsg::verdict_free_but_one, view.times[place].length);
}

std::string verdict_sentence(const DynamicShapesView& view) {
  const ShapeFinding& finding = view.finding;
  const std::size_t all = view.times.size();
  switch (finding.doubt) {
    case ShapeDoubt::too_few_lengths:
      return say(ShapesMsg::doubt_too_few);
    case ShapeDoubt::too_noisy:
      return say(ShapesMsg::doubt_noisy, number(finding.limit));
    case ShapeDoubt::irregular:
      return say(ShapesMsg::doubt_irregular, payers(finding), all);
    case ShapeDoubt::none:
      break;
  }
  if (finding.verdict == ShapeVerdict::free_of_charge) return free_sentence(view);
  const auto sentence =
      finding.verdict == ShapeVerdict::bucketed ? ShapesMsg::verdict_bucketed : ShapesMsg::verdict_recompiles;
  return say(sentence, payers(finding), all, time_cell(finding.surcharge.value_or(0)));
}

std::string bucket_sentence(const Bucket& bucket) {
  if (!bucket.payer) return say(ShapesMsg::bucket_before, bucket.from, bucket.to);
  return say(ShapesMsg::bucket_paid, bucket.from, bucket.to, *bucket.payer);
}

json::array rows(const DynamicShapesView& view) {
  json::array all;
  for (std::size_t i = 0; i < view.times.size(); ++i) {
    const LengthTimes& each = view.times[i];
    const bool is_judged = i < view.finding.ratios.size();
    const auto time = [](double nanos) { return nanos > 0 ? json::value(nanos) : json::value(); };
    all.push_back(json::object{{"length", each.length},
                               {"first_ns", time(each.first)},
                               {"second_ns", time(each.second)},
                               {"third_ns", time(each.third)},
                               {"ratio", is_judged ? json::value(view.finding.ratios[i]) : json::value()},
                               {"pays", is_judged ? json::value(bool(view.finding.pays[i])) : json::value()}});
  }
  return all;
}

json::array buckets(const ShapeFinding& finding) {
  json::array all;
  for (const Bucket& each : finding.buckets) {
    all.push_back(json::object{
        {"from", each.from}, {"to", each.to}, {"payer", each.payer ? json::value(*each.payer) : json::value()}});
  }
  return all;
}

std::string title(const DynamicShapesView& view) {
  if (view.device.empty()) return say(ShapesMsg::title_server, view.url, view.model);
  return say(ShapesMsg::title_device_plain, view.device, view.preset, view.dtype);
}

std::string table_of(const DynamicShapesView& view) {
  text::Table table({say(ShapesMsg::column_length), say(ShapesMsg::column_first), say(ShapesMsg::column_again),
                     say(ShapesMsg::column_once_more), say(ShapesMsg::column_ratio), say(ShapesMsg::column_pays)});
  std::vector<std::size_t> order(view.times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return view.times[i].length; });
  for (const std::size_t i : order) {
    const LengthTimes& each = view.times[i];
    const bool is_judged = i < view.finding.ratios.size();
    table.add_row({std::to_string(each.length), time_cell(each.first), time_cell(each.second), time_cell(each.third),
                   is_judged ? number(view.finding.ratios[i]) : kNone,
                   is_judged && view.finding.pays[i] ? say(ShapesMsg::cell_pays) : ""});
  }
  return table.render();
}

}  // namespace

json::object dynamic_shapes_json(const DynamicShapesView& view) {
  const ShapeFinding& finding = view.finding;
  const bool is_judged = !finding.ratios.empty();
  const auto text = [](const std::string& words) { return words.empty() ? json::value() : json::value(words); };
  json::array warnings(view.warnings.begin(), view.warnings.end());
  return {
      {"kind", "dynamic_shapes"},
      {"device", text(view.device)},
      {"preset", text(view.preset)},
      {"dtype", text(view.dtype)},
      {"base_url", text(view.url)},
      {"model", text(view.model)},
      {"verdict", std::string(probe::name_of(finding.verdict))},
      {"doubt", finding.doubt == ShapeDoubt::none ? json::value() : json::value(std::string(name_of(finding.doubt)))},
      {"lengths", view.times.size()},
      {"paying", is_judged ? json::value(payers(finding)) : json::value()},
      {"surcharge_ns", number_or_null(finding.surcharge)},
      {"ratio_median", is_judged ? json::value(finding.median_ratio) : json::value()},
      {"ratio_limit", is_judged ? json::value(finding.limit) : json::value()},
      {"scatter", is_judged ? json::value(finding.scatter) : json::value()},
      {"compilations", nullptr},
      {"buckets", buckets(finding)},
      {"rows", rows(view)},
      {"warnings", std::move(warnings)}};
}

std::string dynamic_shapes_table(const DynamicShapesView& view) {
  std::string out = title(view) + "\n\n" + table_of(view) + "\n" + line(verdict_sentence(view));
  for (const Bucket& each : view.finding.buckets) out += "    " + bucket_sentence(each) + "\n";
  if (!view.finding.ratios.empty()) {
    out +=
        line(say(ShapesMsg::limit_is, number(view.finding.limit), fmt::format("{:.1f}", view.finding.scatter * 100)));
  }
  for (const std::string& each : view.warnings) out += line(each);
  return out;
}

}  // namespace scoville::report

#include "report/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/cells.hpp"
#include "text/catalogue.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using decide::LengthStanding;
using decide::LengthVerdict;
using text::Msg;
using text::say;

constexpr const char* kSchema = "scoville.shapes/1";

std::string line(const std::string& sentence) { return text::wrapped(sentence, kLineWidth, 2); }
std::string micros(double seconds) { return number(seconds * 1e6); }
std::string percent(double share) { return fmt::format("{:.1f} %", std::abs(share) * 100); }

std::string standing_text(const LengthVerdict& length) {
  switch (length.standing) {
    case LengthStanding::slow:
      return say(Msg::shapes_slow, percent(length.excess.value_or(0)));
    case LengthStanding::fast:
      return say(Msg::shapes_fast, percent(length.excess.value_or(0)));
    case LengthStanding::edge:
      return say(Msg::shapes_edge);
    case LengthStanding::few:
      return say(Msg::shapes_few);
    case LengthStanding::inside:
      break;
  }
  return "";
}

std::string length_table(const ShapesView& view) {
  text::Table table({say(Msg::shapes_column_length), say(Msg::column_requests), say(Msg::shapes_column_median),
                     say(Msg::shapes_column_interval), say(Msg::shapes_column_p), say(Msg::shapes_column_verdict)});
  table.flush_left(5);
  for (const LengthVerdict& each : view.lengths) {
    table.add_row({std::to_string(each.tokens), std::to_string(each.n),
                   each.per_token_s ? micros(*each.per_token_s) : kNone,
                   each.interval ? micros(each.interval->lower) + " … " + micros(each.interval->upper) : kNone,
                   each.p ? fmt::format("{:.3g}", *each.p) : kNone, standing_text(each)});
  }
  return table.render();
}

std::string closing(const ShapesView& view) {
  if (view.is_client_limited) return line(say(Msg::shapes_client));
  if (view.lengths.empty()) return line(say(Msg::shapes_none_told));
  std::string bad;
  for (const LengthVerdict& each : view.lengths) {
    if (each.standing == LengthStanding::slow) bad += (bad.empty() ? "" : ", ") + std::to_string(each.tokens);
  }
  return line(bad.empty() ? say(Msg::shapes_none, view.requests) : say(Msg::shapes_bad, bad));
}

}  // namespace

json::object shapes_json(const ShapesView& view) {
  json::array lengths, bad;
  for (const LengthVerdict& each : view.lengths) {
    lengths.push_back(
        json::object{{"prompt_tokens", each.tokens},
                     {"n", each.n},
                     {"ttft_per_token_s", number_or_null(each.per_token_s)},
                     {"low", each.interval ? json::value(each.interval->lower) : json::value(nullptr)},
                     {"high", each.interval ? json::value(each.interval->upper) : json::value(nullptr)},
                     {"level", each.interval ? json::value(each.interval->coverage) : json::value(nullptr)},
                     {"p_holm", number_or_null(each.p)},
                     {"excess", number_or_null(each.excess)},
                     {"verdict", json::string(decide::name_of(each.standing))}});
    if (each.standing == LengthStanding::slow && !view.is_client_limited) bad.push_back(each.tokens);
  }
  return {{"schema", kSchema},
          {"url", view.url},
          {"model", view.model},
          {"run", view.run.empty() ? json::value(nullptr) : json::value(json::string(view.run))},
          {"instrument", view.instrument},
          {"requests_per_length", view.requests},
          {"alpha", view.alpha},
          {"bad", std::move(bad)},
          {"lengths", std::move(lengths)}};
}

std::string shapes_table(const ShapesView& view) {
  return line(say(Msg::shapes_head, view.url, view.lengths.size(), view.requests)) + "\n" + length_table(view) + "\n" +
         closing(view);
}

}  // namespace scoville::report

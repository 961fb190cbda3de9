#include "report/capacity.hpp"

#include <fmt/format.h>

#include <array>

#include "base/byte_size.hpp"
#include "report/cells.hpp"
#include "text/catalogue/capacity.hpp"
#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using text::CapacityMsg;
using text::say;

std::optional<double> share(const CapacityView& view, std::int64_t bytes) {
  if (!view.nominal || *view.nominal <= 0) return std::nullopt;
  return static_cast<double>(bytes) / *view.nominal;
}

std::string share_cell(std::optional<double> part) {
  return part ? fmt::format("{:.1f} %", *part * 100) : say(CapacityMsg::cell_unknown);
}

std::string size_cell(std::optional<std::int64_t> bytes) {
  return bytes ? format_byte_size(*bytes) : say(CapacityMsg::cell_unknown);
}

std::string origin(const CapacityView& view) {
  switch (view.from) {
    case NominalFrom::given:
      return say(CapacityMsg::from_given);
    case NominalFrom::catalogue:
      return say(CapacityMsg::from_catalogue, view.catalogue_id);
    case NominalFrom::probe:
      return say(CapacityMsg::from_probe);
    case NominalFrom::nobody:
      break;
  }
  return say(CapacityMsg::from_nobody);
}

CapacityMsg limit_sentence(const std::string& limit) {
  if (limit == "cgroup") return CapacityMsg::limit_cgroup;
  if (limit == "host") return CapacityMsg::limit_host;
  if (limit == "asked") return CapacityMsg::limit_asked;
  return CapacityMsg::limit_allocator;
}

}  // namespace

json::object capacity_json(const CapacityView& view) {
  constexpr std::array<const char*, 4> kOrigins{"nobody", "given", "catalogue", "probe"};
  const auto whole = [](std::optional<std::int64_t> bytes) { return bytes ? json::value(*bytes) : json::value(); };
  return {{"kind", "device_capacity"},
          {"device", view.device},
          {"nominal_bytes", number_or_null(view.nominal)},
          {"nominal_from", view.nominal ? json::value(kOrigins[static_cast<std::size_t>(view.from)]) : json::value()},
          {"catalogue_id", view.catalogue_id.empty() ? json::value() : json::value(view.catalogue_id)},
          {"free_before_bytes", whole(view.capacity.free_before)},
          {"largest_single_bytes", view.capacity.largest_single},
          {"largest_single_share", number_or_null(share(view, view.capacity.largest_single))},
          {"total_bytes", view.capacity.total},
          {"total_share", number_or_null(share(view, view.capacity.total))},
          {"pieces", view.capacity.pieces},
          {"limit", view.capacity.limit}};
}

std::string capacity_table(const CapacityView& view) {
  text::Table table({say(CapacityMsg::column_what), say(CapacityMsg::column_size), say(CapacityMsg::column_share)});
  const auto nominal = view.nominal ? std::optional(static_cast<std::int64_t>(*view.nominal)) : std::nullopt;
  const probe::Capacity& found = view.capacity;
  table.add_row({say(CapacityMsg::row_nominal, origin(view)), size_cell(nominal), ""});
  const auto free_share = found.free_before ? share(view, *found.free_before) : std::nullopt;
  table.add_row({say(CapacityMsg::row_free), size_cell(found.free_before), share_cell(free_share)});
  table.add_row(
      {say(CapacityMsg::row_single), size_cell(found.largest_single), share_cell(share(view, found.largest_single))});
  table.add_row(
      {say(CapacityMsg::row_total, found.pieces), size_cell(found.total), share_cell(share(view, found.total))});
  return say(CapacityMsg::title, view.device) + "\n\n" + table.render() + "\n  " +
         text::wrapped(say(limit_sentence(found.limit)), kLineWidth, 2);
}

}  // namespace scoville::report

#include "config/quantity.hpp"

#include "text/catalogue/config.hpp"

namespace scoville::config {

std::optional<Quantity> maybe_quantity(const Node& parent, const std::string& key, Range range) {
  const Node found = parent.maybe(key);
  if (!found.exists()) return std::nullopt;
  Quantity out;
  out.line = found.line();
  if (!found.is_map()) {
    out.value = found.as_number(range);
    return out;
  }
  out.value = found.number("value", range);
  out.low = found.maybe_number("low", range);
  out.high = found.maybe_number("high", range);
  out.source = found.text_or("source", "");
  out.date = found.maybe_date("date").value_or("");
  if ((out.low && *out.low > out.value) || (out.high && *out.high < out.value))
    found.fault(text::say(text::ConfigMsg::low_high));
  return out;
}

Quantity quantity(const Node& parent, const std::string& key, Range range) {
  if (std::optional<Quantity> found = maybe_quantity(parent, key, range)) return *found;
  parent.number(key, range);  // notes that it is missing
  return {};
}

Quantity quantity_or(const Node& parent, const std::string& key, Range range, const Quantity& fallback) {
  return maybe_quantity(parent, key, range).value_or(fallback);
}

}  // namespace scoville::config

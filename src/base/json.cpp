#include "base/json.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/check.hpp"

namespace scoville {
namespace {

void append(std::string& out, const json::value& value, int indent);

void line_break(std::string& out, int indent) {
  if (indent < 0) return;
  out += '\n';
  out.append(static_cast<std::size_t>(indent) * 2, ' ');
}

template <class Range, class Each>
void append_items(std::string& out, const Range& range, char open, char close, int indent, Each each) {
  out += open;
  bool first = true;
  for (const auto& item : range) {
    if (!first) out += indent < 0 ? "," : ", ";
    if (!first && indent >= 0) out.pop_back();
    first = false;
    line_break(out, indent < 0 ? -1 : indent + 1);
    each(item);
  }
  if (!first) line_break(out, indent);
  out += close;
}

void append(std::string& out, const json::value& value, int indent) {
  const int inner = indent < 0 ? -1 : indent + 1;
  if (value.is_object()) {
    append_items(out, value.get_object(), '{', '}', indent, [&](const json::key_value_pair& pair) {
      out += json::serialize(json::string_view(pair.key()));
      out += indent < 0 ? ":" : ": ";
      append(out, pair.value(), inner);
    });
  } else if (value.is_array()) {
    append_items(out, value.get_array(), '[', ']', indent, [&](const json::value& item) { append(out, item, inner); });
  } else if (value.is_double()) {
    SCOVILLE_CHECK(std::isfinite(value.get_double()), "a number in JSON is finite");
    out += fmt::format("{}", value.get_double());
    if (out.ends_with(".0")) out.resize(out.size() - 2);
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

json::value number_or_null(std::optional<double> value) {
  if (!value) return nullptr;
  SCOVILLE_CHECK(std::isfinite(*value), "a number in JSON is finite");
  return *value;
}

json::value nanos_or_null(std::optional<Nanos> span) {
  if (!span) return nullptr;
  return span->count();
}

json::value millis_or_null(std::optional<Nanos> span) {
  if (!span) return nullptr;
  return to_millis(*span);
}

std::string pretty(const json::value& value) {
  std::string out;
  append(out, value, 0);
  return out + '\n';
}

std::string compact(const json::value& value) {
  std::string out;
  append(out, value, -1);
  return out;
}

}  // namespace scoville

#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>

#include "base/units.hpp"

namespace scoville {

namespace json = boost::json;

/// A number, or null where there is none. NaN and infinity are not JSON: they are refused as our own bug.
json::value number_or_null(std::optional<double> value);
json::value nanos_or_null(std::optional<Nanos> span);
json::value millis_or_null(std::optional<Nanos> span);

/// Indented by two blanks, keys in the order they were put in, numbers in their shortest form ("50", "0.1"),
/// a line feed at the end.
std::string pretty(const json::value& value);
/// The same on one line, without the line feed.
std::string compact(const json::value& value);

}  // namespace scoville

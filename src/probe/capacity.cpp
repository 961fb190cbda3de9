#include "probe/capacity.hpp"

namespace scoville::probe {
namespace {

std::optional<std::int64_t> whole(const json::object& object, std::string_view key) {
  const json::value* const value = object.if_contains(key);
  boost::system::error_code failed;
  if (!value || !value->is_number()) return std::nullopt;
  const auto number = value->to_number<std::int64_t>(failed);
  if (failed || number < 0) return std::nullopt;
  return number;
}

}  // namespace

std::optional<Capacity> read_capacity(const json::object& result) {
  const auto single = whole(result, "largest_single_bytes"), total = whole(result, "total_bytes");
  if (!single || !total) return std::nullopt;
  Capacity capacity{whole(result, "nominal_bytes"),
                    whole(result, "free_before_bytes"),
                    *single,
                    *total,
                    whole(result, "pieces").value_or(0),
                    "allocator"};
  if (const json::value* limit = result.if_contains("limit"); limit && limit->is_string())
    capacity.limit = limit->as_string();
  return capacity;
}

}  // namespace scoville::probe

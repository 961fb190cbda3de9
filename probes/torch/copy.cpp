#include <stdexcept>

#include "bench.hpp"
#include "questions.hpp"
#include "tensors.hpp"
#include "trouble.hpp"

namespace scoville::torch_probe {
namespace {

struct Way {
  at::Tensor from, to;
};

Way make_way(const Bench& bench, const std::string& direction, bool is_pinned, std::int64_t bytes) {
  const bool is_within = direction == "d2d";
  if (bench.device().is_cpu() && !is_within) throw Trouble(probe::Reason::unsupported, "host and device are one");
  at::Tensor host = gaussian({std::max<std::int64_t>(1, bytes / 4)}, bench.seed());
  if (is_pinned && !is_within) host = pinned(host, bench.device());
  const at::Tensor there = host.to(bench.device());
  if (direction == "h2d") return {host, at::zeros_like(there)};
  if (direction == "d2h")
    return {there, is_pinned ? pinned(at::zeros_like(host), bench.device()) : at::zeros_like(host)};
  return {there, at::zeros_like(there)};
}

void measure(Bench& bench, const std::string& direction, bool is_pinned, std::int64_t bytes, json::object& row) {
  const Way way = make_way(bench, direction, is_pinned, bytes);
  const auto call = [&] { way.to.copy_(way.from, /*non_blocking=*/true); };
  call();
  bench.synchronise(way.to);
  if (!at::equal(way.from.to(at::kCPU), way.to.to(at::kCPU))) {
    row["fault"] = {{"reason", "wrong_result"}, {"message", "the copy differs from what was copied"}};
  }
  bench.time(call, way.to.device() == bench.device() ? way.to : at::Tensor(), row);
}

}  // namespace

probe::Answer copy(const probe::Question& question, probe::Speaker& speaker) {
  Bench bench(question);
  const auto directions = texts_in(question, "directions", {"h2d", "d2h", "d2d"});
  const auto sizes = sizes_in(question, "bytes", {std::int64_t{64} << 20});
  std::vector<bool> kinds;
  if (const json::value* given = question.params.if_contains("pinned"); given && given->is_array()) {
    for (const json::value& each : given->as_array()) kinds.push_back(each.is_bool() && each.as_bool());
  } else {
    kinds = {question.flag("pinned", false)};
  }
  std::size_t done = 0;
  for (const std::string& direction : directions) {
    if (direction != "h2d" && direction != "d2h" && direction != "d2d") {
      throw std::invalid_argument("directions: none is called \"" + direction + "\"");
    }
    for (const bool is_pinned : kinds) {
      for (const std::int64_t bytes : sizes) {
        speaker.progress(done++, directions.size() * kinds.size() * sizes.size(),
                         direction + " " + std::to_string(bytes) + " B");
        json::object row{{"direction", direction}, {"pinned", is_pinned}, {"bytes", bytes}};
        tell(speaker, std::move(row), [&](json::object& into) { measure(bench, direction, is_pinned, bytes, into); });
      }
    }
  }
  return json::object{{"device", bench.device().str()}};
}

}  // namespace scoville::torch_probe

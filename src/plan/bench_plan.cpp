#include "plan/bench_plan.hpp"

#include <array>

namespace scoville::plan {
namespace {

constexpr std::array<std::string_view, 6> kDialects{
    "openai", "openai-completions", "ollama-chat", "ollama-generate", "tgi", "triton"};

}  // namespace

std::string_view name_of(Dialect dialect) { return kDialects[static_cast<std::size_t>(dialect)]; }

std::optional<Dialect> dialect_from(std::string_view name) {
  for (std::size_t i = 0; i < kDialects.size(); ++i) {
    if (kDialects[i] == name) return static_cast<Dialect>(i);
  }
  return std::nullopt;
}

}  // namespace scoville::plan

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plan/bench_plan.hpp"

namespace scoville::cli {

/// The dialect behind a name that --backend has in vLLM's or SGLang's client; empty for one that is not known.
std::optional<plan::Dialect> dialect_of_backend(std::string_view backend);

/// The other way: the name by which vLLM's client calls a dialect.
std::string_view backend_of(plan::Dialect dialect);

/// All names, with commas between.
std::string backend_names();

/// The dialect that a path says by itself: "/v1/chat/completions"; empty for a path that says nothing.
std::optional<plan::Dialect> dialect_of_path(std::string_view path);

/// It takes OpenAI's sampling members, and those that servers have added to them.
bool is_openai(plan::Dialect dialect);

}  // namespace scoville::cli

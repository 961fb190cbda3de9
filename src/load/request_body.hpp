#pragma once

#include <string>

#include "base/json.hpp"
#include "dataset/prompt_source.hpp"
#include "plan/bench_plan.hpp"

namespace scoville::load {

/// The limit that a request carries: the prompt's own, else the plan's; 0: none.
std::uint32_t token_limit(const dataset::Prompt& prompt, const plan::RequestShape& shape);

/// The model that a request names: the prompt's own, else the plan's.
const std::string& model_of(const dataset::Prompt& prompt, const plan::RequestShape& shape);

/// The messages of a chat request: those that the prompt brings, else its text as one message of the user.
json::value chat_messages(const dataset::Prompt& prompt);

/// `body` with these messages, as with_extra() has it. What the prompt brings is put in as it stands: an image is a
/// megabyte.
std::string with_messages(json::object body, const dataset::Prompt& prompt, const plan::RequestShape& shape);

/// The body that the prompt brings, with `ours` put in; the run's model where it names none.
std::string given_body(const dataset::Prompt& prompt, const plan::RequestShape& shape, const json::object& ours);

/// `body` as text, with the members of shape.extra_body put in; theirs win.
std::string with_extra(json::object body, const plan::RequestShape& shape);

}  // namespace scoville::load

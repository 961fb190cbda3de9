#include <array>

#include "cli/synonyms.hpp"

namespace scoville::cli {
namespace {

using text::Msg;

/// A word of another tool that sets nothing here.
struct Word {
  const char* name;
  const char* value;  ///< empty: a switch
  Msg reason;
  std::string_view harmless = "";  ///< of a refused one: a value that asks for nothing
};

constexpr std::array kIdle{
    Word{"--tokenizer-mode", "MODE", Msg::word_tokenizer},
    Word{"--tokenizer-path", "PATH", Msg::word_tokenizer},
    Word{"--tokenizer-revision", "NAME", Msg::word_tokenizer},
    Word{"--model-tokenizer", "NAME", Msg::word_tokenizer},
    Word{"--skip-tokenizer-init", "", Msg::word_tokenizer},
    Word{"--trust-remote-code", "", Msg::word_tokenizer},
    Word{"--tokenizer-trust-remote-code", "", Msg::word_tokenizer},
    Word{"--request-id-prefix", "TEXT", Msg::word_request_id},
    Word{"--streaming", "", Msg::word_streaming},
    Word{"--stream", "", Msg::word_streaming},
    Word{"--disable-shuffle", "", Msg::word_shuffle},
    Word{"--skip-chat-template", "", Msg::word_raw_text},
    Word{"--custom-skip-chat-template", "", Msg::word_raw_text},
};

constexpr std::array kRefused{
    Word{"--random-range-ratio", "R", Msg::word_range_ratio},
    Word{"--api-key", "KEY", Msg::word_api_key},
    Word{"--random-prefix-len", "N", Msg::word_prefix, "0"},
    Word{"--prefix-length", "N", Msg::word_prefix, "0"},
    Word{"--min-prompt-length", "N", Msg::word_prompt_range},
    Word{"--max-prompt-length", "N", Msg::word_prompt_range},
    Word{"--synthetic-input-tokens-stddev", "N", Msg::word_stddev, "0"},
    Word{"--output-tokens-stddev", "N", Msg::word_stddev, "0"},
    Word{"--isl-stddev", "N", Msg::word_stddev, "0"},
    Word{"--osl-stddev", "N", Msg::word_stddev, "0"},
    Word{"--hf-subset", "NAME", Msg::word_dataset},
    Word{"--hf-split", "NAME", Msg::word_dataset},
    Word{"--hf-output-len", "N", Msg::word_dataset},
    Word{"--sonnet-input-len", "N", Msg::word_dataset},
    Word{"--sonnet-output-len", "N", Msg::word_dataset},
    Word{"--sonnet-prefix-len", "N", Msg::word_dataset},
    Word{"--no-oversample", "", Msg::word_oversample},
    Word{"--use-beam-search", "", Msg::word_beam},
    Word{"--chat-template-kwargs", "JSON", Msg::word_template},
    Word{"--apply-chat-template", "", Msg::word_template_local},
    Word{"--disable-stream", "", Msg::word_needs_stream},
    Word{"--no-stream", "", Msg::word_needs_stream},
    Word{"--profile", "", Msg::word_profile},
    Word{"--plot-timeline", "", Msg::word_plot},
    Word{"--plot-dataset-stats", "", Msg::word_plot},
    Word{"--timeline-itl-thresholds", "LIST", Msg::word_plot},
    Word{"--rate-type", "NAME", Msg::word_rate_type},
    Word{"--task", "NAME", Msg::word_task, "text-to-text"},
    Word{"--traffic-scenario", "TEXT", Msg::word_scenario},
    Word{"--data", "TEXT", Msg::word_scenario},
};

Parameter parameter_of(const Word& word, bool is_refused) {
  Parameter out{word.name, word.value, word.reason, "", [](std::string_view) -> Status { return Done{}; }};
  out.is_repeatable = out.takes_many = is_refused && out.value == "NAMES";
  out.group = Group::others;
  (is_refused ? out.refusal : out.note) = word.reason;
  out.harmless_value = word.harmless;
  return out;
}

}  // namespace

void declare_foreign_words(Parameters& parameters) {
  for (const Word& each : kIdle) parameters.add(parameter_of(each, false));
  for (const Word& each : kRefused) parameters.add(parameter_of(each, true));
}

}  // namespace scoville::cli

#pragma once

#include <boost/regex.hpp>
#include <string>
#include <vector>

#include "trace/engine_log.hpp"

namespace scoville::trace {

/// What a line means, as data/log_phrases.yaml names it.
enum class PhraseKind {
  fallback,
  fallback_list,
  deliberate,
  counter,
  unsupported,
  unused_kernel,
  offload,
  preemption,
  retraction,
  config_limit,
  out_of_memory,
  engine_dead,
  http_500
};

struct Phrase {
  PhraseKind kind;
  std::string backend, contains, name;
  boost::regex match;
};

struct Phrases::Held {
  std::vector<std::string> prompts;
  boost::regex ranks, times, fallback_counter;
  std::vector<std::string> sync_counters, recompile_counters;
  std::vector<Phrase> phrases;
};

}  // namespace scoville::trace

#include "explain.hpp"

#include <array>
#include <string>
#include <string_view>

#include "shim.hpp"
#include "trouble.hpp"

namespace scoville::torch_probe {
namespace {

using probe::Reason;

struct Phrase {
  std::string_view words;
  Reason reason;
};

/// In the order in which they are looked for; the wordings of torch and its backends.
constexpr std::array kPhrases{
    Phrase{"out of memory", Reason::oom},
    Phrase{"can't allocate memory", Reason::oom},
    Phrase{"RESOURCE_EXHAUSTED", Reason::oom},
    Phrase{"Could not run '", Reason::unsupported},
    Phrase{"not implemented for", Reason::unsupported},
    Phrase{"not currently implemented for", Reason::unsupported},
    Phrase{"not current implemented for", Reason::unsupported},
    Phrase{"feature not supported", Reason::unsupported},
    Phrase{"Unsupported", Reason::unsupported},
    Phrase{"unsupported", Reason::unsupported},
    Phrase{"not supported", Reason::unsupported},
    Phrase{"no kernel image is available", Reason::unsupported},
    Phrase{"View operators don't support", Reason::unsupported},
    Phrase{"No available kernel", Reason::unsupported},
    Phrase{"is not linked with support for", Reason::no_device},
    Phrase{"No CUDA GPUs are available", Reason::no_device},
    Phrase{"ermission denied", Reason::no_permission},
};

}  // namespace

probe::Fault explain(const std::exception& thrown) {
  const std::string all = thrown.what();
  const std::string first = all.substr(0, all.find('\n'));
  if (const auto* known = dynamic_cast<const Trouble*>(&thrown)) return {known->reason(), first};
  if (dynamic_cast<const c10::OutOfMemoryError*>(&thrown)) return {Reason::oom, first};
  if (dynamic_cast<const c10::NotImplementedError*>(&thrown)) return {Reason::unsupported, first};
  for (const Phrase& phrase : kPhrases) {
    if (all.find(phrase.words) != std::string::npos) return {phrase.reason, first};
  }
  return {Reason::failed, first};
}

}  // namespace scoville::torch_probe

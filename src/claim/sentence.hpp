#pragma once

#include <string>
#include <vector>

#include "claim/claim.hpp"
#include "claim/verdict.hpp"
#include "text/catalogue.hpp"

namespace scoville::claim {

/// The narrowest sentence that the evidence supports, with its conditions, in both languages.
text::Phrase narrow_sentence(const Claim& claim, const Ruling& ruling);

/// The conditions that a claim states, for a sentence: "Llama-2-70B, 32768 → 1024 tokens, fp16". "" where it states
/// none.
std::string conditions_of(const Claim& claim);

/// What a claim says of the size: "30×", "up to 1.6×", "1.3×–1.4×", "1800 tokens/s"; "" where it names none.
std::string size_of(const Claim& claim, text::Language language);

/// One result: "2.1× [2.0, 2.2]", or "2.1×" where nobody said how far it is to be trusted. Of a bare value the value
/// that was measured: "1850 tokens/s".
std::string shown(const Claim& claim, const Measured& measured);

}  // namespace scoville::claim

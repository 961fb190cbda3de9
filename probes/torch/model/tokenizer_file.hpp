#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "model/tokenizer.hpp"

namespace scoville::torch_probe::model {

/// The tokenizer of a model: bytes of a seeded one; of a folder its tokenizer.json where that is byte-level BPE, else
/// ids.
Result<std::unique_ptr<Tokenizer>> tokenizer_for(const std::string& model, bool is_seeded);

}  // namespace scoville::torch_probe::model

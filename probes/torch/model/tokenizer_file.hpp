#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "model/tokenizer.hpp"

namespace scoville::torch_probe::model {

/// Of the text of a tokenizer.json whose model is byte-level BPE; `bos` as config.json has it. Null where it is of
/// another kind. The error: what of it cannot be read.
///
/// Words are cut by the rules of GPT-2 with every character beyond ASCII taken for a letter, digits in groups as the
/// file says; a conversation is written in ChatML where the file has its marks. Ids of other scripts and of unusual
/// text may differ from the makers' own; what ids stand for never does.
Result<std::unique_ptr<Tokenizer>> bpe_tokenizer(std::string_view text, std::optional<std::int64_t> bos);

/// The tokenizer of a model: bytes of a seeded one; of a folder its tokenizer.json where that is byte-level BPE, else
/// ids.
Result<std::unique_ptr<Tokenizer>> tokenizer_for(const std::string& model, bool is_seeded,
                                                 std::optional<std::int64_t> bos);

}  // namespace scoville::torch_probe::model

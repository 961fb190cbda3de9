#pragma once

#include <memory>
#include <string>

#include "dataset/token_counter.hpp"

namespace scoville::dataset {

/// The first of vLLM's, SGLang's, llama.cpp's and TGI's ways to count that this server answers with a plausible number.
///
/// Null where it has none of them: 404 and other refusals are no error, most servers have no such endpoint. An Error
/// means that the server could not be reached or did not answer in time; the rest is then not tried.
Result<std::unique_ptr<TokenCounter>> detect_counter(const Post& post, const std::string& model, Api api);

}  // namespace scoville::dataset

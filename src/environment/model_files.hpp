#pragma once

#include <string>

#include "base/result.hpp"
#include "environment/weight_files.hpp"
#include "event/fingerprint.hpp"

namespace scoville::environment {

struct ModelQuestion {
  std::string path;          ///< a folder with the model's files, or one GGUF file
  std::string derived_from;  ///< the user's word: SHA-256 of the model that this one was made from; may be empty
  HashProgress progress;     ///< may be empty
};

/// What the files of a model say: `model.sha256`, `model.files`, its configuration, tokenizer, origin and derivation
/// (docs/formats/fingerprint-server.md). Reads every byte of the weights once.
///
/// Errors: no such path, a file that cannot be read, a GGUF file that is none, or the progress callback said stop.
/// A folder without weights is none: `model.sha256` is absent then.
Result<event::Fingerprint> observe_model_files(const ModelQuestion& question);

}  // namespace scoville::environment

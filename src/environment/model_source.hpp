#pragma once

#include <string>

#include "event/fingerprint.hpp"

namespace scoville::environment {

/// Where a model's files came from: `model.source` ("huggingface", "modelscope", "git", "local"), `model.repository`
/// ("org/name", or the URL of a git remote) and `model.revision` (the commit), as far as the folder tells.
///
/// Known layouts: the Hugging Face cache (models--org--name/snapshots/COMMIT); a folder that its client downloaded to
/// (.cache/huggingface/download/FILE.metadata, whose first line is the commit); ModelScope's (.msc, .mdl, .mv); a git
/// clone, without a git program. Anything else is "local".
void read_model_source(const std::string& folder, event::Fingerprint& out);

/// The folder that holds the model's files: of a Hugging Face cache entry (models--org--name) the snapshot that
/// refs/main names, else `path` itself.
std::string model_folder(const std::string& path);

/// `model.derivation`: "derived from X" or "original"; absent where that cannot be told.
///
/// `derived_from` (a SHA-256 from the user) is believed. Else the folder speaks: an adapter's base model, the
/// base_model of README.md's front matter where it says that this is a quantised, fine-tuned or merged one or where the
/// weights are quantised, a GGUF's own base model. "original" needs a repository and a commit, no base model named
/// anywhere and no quantisation: being published is not enough, for most conversions are published too. Call after the
/// source and the configuration have been read into `out`.
void read_derivation(const std::string& folder, const std::string& derived_from, const std::string& gguf_base,
                     event::Fingerprint& out);

}  // namespace scoville::environment

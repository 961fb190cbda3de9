#pragma once

#include <string>

#include "base/json.hpp"
#include "environment/gguf_header.hpp"
#include "event/fingerprint.hpp"

namespace scoville::environment {

/// What config.json and its neighbours in `folder` say of the model: architecture, sizes, stored data type, and how it
/// is quantised (quantization_config; quantize_config.json, quant_config.json, hf_quant_config.json;
/// quant_model_description*.json of modelslim). A model without any of these is `model.weights.quantisation` "none".
void read_model_config(const std::string& folder, event::Fingerprint& out);

/// The same from a GGUF header.
void read_gguf_fields(const GgufHeader& header, event::Fingerprint& out);

/// Method, bits and scheme out of a quantization_config: {"quant_method":"awq","bits":4}; compressed-tensors with its
/// groups; FP8 and MXFP4 by their names.
void read_quantisation(const json::value& config, const std::string& source, event::Fingerprint& out);

/// The file as JSON; null if there is none or it is not JSON.
json::value read_json_file(const std::string& path);

}  // namespace scoville::environment

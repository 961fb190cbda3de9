#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace scoville::numerics {

/// What was fed to the model: tokens under a name ("seed1", "text2").
struct Sequence {
  std::string name;
  std::size_t tokens = 0;
  std::string text;  ///< empty: made from a seed
};

/// A part of the model, as tensors are named by it: "embed", "layer.0" …, "logits"; of a TorchScript its own names.
struct Part {
  std::string name;
  std::string input;  ///< the part whose output it takes; empty: the model's own input
};

/// An operator that ran on the host while a part of the model was computed on the device.
struct HostRun {
  std::string part, op;
  std::size_t times = 0;
};

/// What the probe saw when it did the same again, for one part.
struct Repeat {
  std::string part;
  bool is_bitwise = true;
  std::optional<double> rel_l2;  ///< the largest over the sequences
};

/// A model of reduced weights, run beside the other: its logits are in the file under "NAME/…".
struct Variant {
  std::string name;   ///< "int8", "fp8"
  std::string fault;  ///< why there is none; empty: it ran
};

/// What layer outputs are of: written beside them as manifest.json (docs/formats/baseline.md).
struct Manifest {
  std::string probe, probe_version;
  json::object stack;  ///< whatever the probe says of its software
  std::string device, dtype;
  std::string model;           ///< preset, folder's or file's name
  std::string weights;         ///< "seeded", "file", "torchscript"
  std::string weights_sha256;  ///< of what the weights are, before they take a dtype
  std::uint64_t seed = 0;
  std::size_t vocabulary = 0, greedy_tokens = 0;
  std::optional<std::size_t> threads;
  std::vector<Sequence> sequences;
  std::vector<Part> parts;                     ///< in the order in which they are computed
  std::map<std::string, std::string> tensors;  ///< name, SHA-256 of its bytes
  std::vector<Repeat> again;                   ///< the same input a second time
  std::vector<Repeat> batched;                 ///< each sequence within a batch, against alone
  std::vector<HostRun> host_runs;
  bool watched_host_runs = false;  ///< false: whether operators ran on the host is not known
  std::vector<Variant> variants;
  std::string against_sha256;  ///< of the baseline's tensors from which "isolated/…" took its inputs; empty: none
  std::string planted;         ///< a fault made on purpose; empty: none

  /// One hash over the tensors of the plain run, in the order of their names.
  std::string identity() const;
};

json::object to_json(const Manifest& manifest);
/// The error names the member.
Result<Manifest> manifest_from(const json::value& value);

inline constexpr const char* kManifestFile = "manifest.json";
inline constexpr const char* kTensorFile = "tensors.safetensors";

/// Names within the tensor file: "SEQUENCE/PART"; in another run of the same "RUN/SEQUENCE/PART".
std::string tensor_name(std::string_view sequence, std::string_view part, std::string_view run = "");

}  // namespace scoville::numerics

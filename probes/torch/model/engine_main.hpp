#pragma once

namespace scoville::torch_probe::model {

/// `scoville-torch engine …`: answers requests for text, JSON lines on standard input and output
/// (docs/formats/engine.md), until its input ends. `words` are main's without the first: "engine", then flags. Returns
/// the exit status.
int engine_main(int count, char** words);

}  // namespace scoville::torch_probe::model

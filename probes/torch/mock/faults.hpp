#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::mock {

/// What the device does wrong with an operator.
enum class Kind {
  missing,       ///< no kernel: throws NotImplementedError
  fallback,      ///< brought to the CPU and back, with a warning; throws where SCOVILLE_MOCK_STRICT=1
  wrong,         ///< results 10 % too large (whole numbers: shifted by one place)
  wrong_device,  ///< the result stays on the CPU
  slow,          ///< 20 ms a call
  abort,         ///< ends the process
  hang,          ///< never returns
  oom,           ///< throws OutOfMemoryError
  bf16,          ///< rounds what goes in and comes out to bf16
};

struct Fault {
  Kind kind;
  std::string name;                                        ///< "aten::_softmax" without overload; "all": every operator
  std::size_t first_call = 1, last_call = ~std::size_t{};  ///< counted from 1
  std::size_t calls = 0;                                   ///< so far
};

/// SCOVILLE_MOCK, parsed: "missing=aten::silu,wrong=aten::mm@3-5,bf16=all". A word without `=` is another operator for
/// the kind before it; `@N` or `@N-M` says at which of its calls. An operator that torch takes apart before any device
/// sees it (aten::softmax.int) stands for the part that does its work (aten::_softmax).
///
/// Throws std::invalid_argument for anything else: a planted fault that is not there would make a test pass for
/// nothing.
std::vector<Fault> parse(std::string_view words);

/// Those of this process.
std::vector<Fault>& faults();
/// What to do in this call of the operator (without overload); counts it.
std::optional<Kind> fault_in(const std::string& name);
bool is_strict();

}  // namespace scoville::mock

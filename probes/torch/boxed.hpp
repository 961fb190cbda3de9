#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "shim.hpp"

namespace scoville::torch_probe {

/// "bf16" and its like; nullopt for a type that this build does not have. Throws std::invalid_argument for no type at
/// all.
std::optional<at::ScalarType> dtype_named(const std::string& name);

/// One tensor that a question describes (docs/formats/probe.md, `operator`).
struct TensorSpec {
  std::vector<std::int64_t> sizes;
  at::ScalarType dtype;
  std::string values;
  std::int64_t below = 0;
  bool is_transposed = false, has_gradient = false, stays_on_host = false;
};

/// One argument: tensors to be made, or a value as it is.
struct Argument {
  std::string named;  ///< empty: by its place
  std::vector<TensorSpec> tensors;
  bool is_list = false;   ///< of tensors
  bool is_dtype = false;  ///< a floating type, which the reference takes as fp64
  c10::IValue value;      ///< where there are no tensors
};

/// Throws std::invalid_argument. Nullopt: a dtype that this build does not have.
std::optional<std::vector<Argument>> arguments_in(const json::array& described);

/// The values of every tensor, on the CPU and rounded to their types, in the order of the arguments; laid out plainly.
std::vector<at::Tensor> values_of(const std::vector<Argument>& arguments, std::uint64_t seed);

/// Arguments ready for a call.
struct Call {
  std::vector<c10::IValue> stack;
  std::vector<std::vector<at::Tensor>> tensors;  ///< of each argument
  std::vector<at::Tensor> with_gradient;
};

/// Each tensor is `place(values)`, then laid out as asked for. `is_reference`: floating dtype arguments are fp64.
/// Only the first `count` arguments are taken.
Call call_with(const std::vector<Argument>& arguments, const std::vector<at::Tensor>& values, std::size_t count,
               bool is_reference, bool backward,
               const std::function<at::Tensor(const at::Tensor&, const TensorSpec&)>& place,
               const c10::OperatorHandle& op);

/// The operator of that name ("aten::softmax.int"), if this build has it.
std::optional<c10::OperatorHandle> operator_named(const std::string& name);

/// Arguments that do not fit the operator's schema: another version's.
struct SchemaMismatch : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace scoville::torch_probe

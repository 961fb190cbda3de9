#include "boxed.hpp"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "base/json_text.hpp"
#include "base/rng.hpp"

namespace scoville::torch_probe {
namespace {

std::int64_t whole(const json::value& value) {
  if (!value.is_number()) throw std::invalid_argument("a whole number is expected, not " + compact(value));
  return value.to_number<std::int64_t>();
}

bool flag_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_bool() && value->as_bool();
}

std::optional<TensorSpec> tensor_in(const json::object& object) {
  const std::optional<at::ScalarType> dtype = dtype_named(text_in(object, "dtype", "fp32"));
  if (!dtype) return std::nullopt;
  const json::value* sizes = object.if_contains("tensor");
  if (!sizes || !sizes->is_array()) throw std::invalid_argument("the sizes of a tensor are expected");
  TensorSpec spec;
  for (const json::value& size : sizes->as_array()) spec.sizes.push_back(whole(size));
  spec.dtype = *dtype;
  spec.values = text_in(object, "values", "normal");
  if (const json::value* below = object.if_contains("below")) spec.below = whole(*below);
  spec.is_transposed = flag_in(object, "transposed");
  spec.has_gradient = flag_in(object, "gradient");
  spec.stays_on_host = flag_in(object, "host");
  return spec;
}

/// What is no tensor.
std::optional<c10::IValue> plain_in(const json::object& object) {
  if (const json::value* value = object.if_contains("int")) return c10::IValue(whole(*value));
  if (const json::value* value = object.if_contains("float")) return c10::IValue(value->to_number<double>());
  if (const json::value* value = object.if_contains("bool")) return c10::IValue(value->as_bool());
  if (const json::value* value = object.if_contains("text")) return c10::IValue(std::string(value->as_string()));
  if (const json::value* value = object.if_contains("ints")) {
    std::vector<std::int64_t> numbers;
    for (const json::value& each : value->as_array()) numbers.push_back(whole(each));
    return c10::IValue(numbers);
  }
  if (object.contains("none")) return c10::IValue();
  if (object.contains("dtype")) {
    const std::optional<at::ScalarType> dtype = dtype_named(text_in(object, "dtype", ""));
    return dtype ? std::optional<c10::IValue>(c10::IValue(static_cast<std::int64_t>(*dtype))) : std::nullopt;
  }
  throw std::invalid_argument("no argument: " + compact(object));
}

std::optional<Argument> argument_in(const json::object& object) {
  Argument argument;
  argument.named = text_in(object, "named", "");
  if (object.contains("tensor")) {
    const std::optional<TensorSpec> spec = tensor_in(object);
    if (!spec) return std::nullopt;
    argument.tensors.push_back(*spec);
    return argument;
  }
  if (const json::value* list = object.if_contains("tensors")) {
    argument.is_list = true;
    for (const json::value& each : list->as_array()) {
      const std::optional<TensorSpec> spec = tensor_in(each.as_object());
      if (!spec) return std::nullopt;
      argument.tensors.push_back(*spec);
    }
    return argument;
  }
  argument.is_dtype = object.contains("dtype");
  std::optional<c10::IValue> value = plain_in(object);
  if (!value) return std::nullopt;
  argument.value = std::move(*value);
  return argument;
}

/// A permutation of 0…n-1.
std::vector<double> shuffled(std::size_t n, Rng& rng) {
  std::vector<double> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  for (std::size_t i = n; i > 1; --i) std::swap(numbers[i - 1], numbers[rng.below(i)]);
  return numbers;
}

/// One row along the last dimension.
void fill_row(double* row, std::size_t n, const TensorSpec& spec, Rng& rng) {
  if (spec.values == "ranks" || spec.values == "distinct") {
    const std::vector<double> numbers =
        shuffled(spec.values == "ranks" ? n : static_cast<std::size_t>(std::max<std::int64_t>(spec.below, 1)), rng);
    if (numbers.size() < n) throw std::invalid_argument("distinct values: below is less than the count");
    std::copy_n(numbers.begin(), n, row);
  } else if (spec.values == "one_hot") {
    std::fill_n(row, n, 0.0);
    if (n) row[rng.below(n)] = 1;
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      if (spec.values == "normal")
        row[i] = rng.normal();
      else if (spec.values == "positive")
        row[i] = 0.5 + rng.uniform();
      else if (spec.values == "index")
        row[i] = static_cast<double>(rng.below(static_cast<std::uint64_t>(std::max<std::int64_t>(spec.below, 1))));
      else if (spec.values == "small")
        row[i] = static_cast<double>(rng.below(9)) - 4;
      else if (spec.values == "flags")
        row[i] = static_cast<double>(rng.below(2));
      else if (spec.values == "zeros")
        row[i] = 0;
      else if (spec.values == "ones")
        row[i] = 1;
      else
        throw std::invalid_argument("no such values: " + spec.values);
    }
  }
}

at::Tensor made(const TensorSpec& spec, Rng& rng) {
  at::Tensor values = at::empty(spec.sizes, at::kDouble);
  const auto count = static_cast<std::size_t>(values.numel());
  const std::size_t row = spec.sizes.empty() ? 1 : static_cast<std::size_t>(spec.sizes.back());
  for (std::size_t at = 0; at < count; at += row) fill_row(values.data_ptr<double>() + at, row, spec, rng);
  return values.to(spec.dtype);
}

/// A list of tensors for a schema that wants a list of tensors or none each.
c10::IValue as_wanted(const c10::Argument& wanted, c10::IValue value) {
  const auto list = wanted.type()->cast<c10::ListType>();
  if (!value.isTensorList() || !list || list->getElementType()->kind() != c10::TypeKind::OptionalType) return value;
  c10::List<Optional<at::Tensor>> loose;
  for (const at::Tensor& each : value.toTensorVector()) loose.push_back(Optional<at::Tensor>(each));
  return loose;
}

/// Fills the schema's defaults in.
void fit_to_schema(const c10::FunctionSchema& schema, std::vector<c10::IValue>& stack,
                   const std::unordered_map<std::string, c10::IValue>& named) {
  for (std::size_t i = 0; i < std::min(stack.size(), schema.arguments().size()); ++i) {
    stack[i] = as_wanted(schema.arguments()[i], std::move(stack[i]));
  }
  try {
    schema.checkAndNormalizeInputs(stack, named);
  } catch (const std::exception& differs) {
    const std::string words = differs.what();
    throw SchemaMismatch(words.substr(0, words.find('\n')));
  }
}

/// The same values in another order of memory.
at::Tensor laid_out(const at::Tensor& plain, const TensorSpec& spec) {
  if (!spec.is_transposed || plain.dim() == 0) return plain;
  if (plain.dim() >= 2) return plain.transpose(-1, -2).contiguous().transpose(-1, -2);
  return at::stack({plain, plain}, 1).select(1, 0);
}

}  // namespace

std::optional<at::ScalarType> dtype_named(const std::string& name) {
  static const std::vector<std::pair<std::string, Optional<at::ScalarType>>> all{
      {"fp64", at::kDouble},     {"fp32", at::kFloat},      {"bf16", at::kBFloat16}, {"fp16", at::kHalf},
      {"fp8_e4m3", kFloat8E4m3}, {"fp8_e5m2", kFloat8E5m2}, {"int64", at::kLong},    {"int32", at::kInt},
      {"int8", at::kChar},       {"bool", at::kBool}};
  for (const auto& [known, type] : all) {
    if (known == name) return type ? std::optional(*type) : std::nullopt;
  }
  throw std::invalid_argument("no such dtype: " + name);
}

std::optional<std::vector<Argument>> arguments_in(const json::array& described) {
  std::vector<Argument> all;
  for (const json::value& each : described) {
    if (!each.is_object()) throw std::invalid_argument("an argument is an object, not " + compact(each));
    std::optional<Argument> argument = argument_in(each.as_object());
    if (!argument) return std::nullopt;
    all.push_back(std::move(*argument));
  }
  return all;
}

std::vector<at::Tensor> values_of(const std::vector<Argument>& arguments, std::uint64_t seed) {
  std::vector<at::Tensor> all;
  std::uint64_t stream = 0;
  for (const Argument& argument : arguments) {
    for (const TensorSpec& spec : argument.tensors) {
      Rng rng(seed, stream++);
      all.push_back(made(spec, rng));
    }
  }
  return all;
}

Call call_with(const std::vector<Argument>& arguments, const std::vector<at::Tensor>& values, std::size_t count,
               bool is_reference, bool backward,
               const std::function<at::Tensor(const at::Tensor&, const TensorSpec&)>& place,
               const c10::OperatorHandle& op) {
  Call call;
  std::unordered_map<std::string, c10::IValue> named;
  std::size_t next = 0;
  for (std::size_t i = 0; i < std::min(count, arguments.size()); ++i) {
    const Argument& argument = arguments[i];
    std::vector<at::Tensor> tensors;
    for (const TensorSpec& spec : argument.tensors) {
      at::Tensor tensor = laid_out(place(values[next++], spec), spec).detach();
      if (backward && spec.has_gradient) {
        tensor.requires_grad_(true);
        call.with_gradient.push_back(tensor);
      }
      tensors.push_back(std::move(tensor));
    }
    c10::IValue value = argument.value;
    if (argument.is_list) {
      value = c10::List<at::Tensor>(c10::ArrayRef<at::Tensor>(tensors));
    } else if (!tensors.empty()) {
      value = tensors.front();
    } else if (is_reference && argument.is_dtype && at::isFloatingType(static_cast<at::ScalarType>(value.toInt()))) {
      value = static_cast<std::int64_t>(at::kDouble);
    }
    call.tensors.push_back(std::move(tensors));
    if (argument.named.empty()) {
      call.stack.push_back(std::move(value));
    } else {
      named[argument.named] = std::move(value);
    }
  }
  fit_to_schema(op.schema(), call.stack, named);
  return call;
}

std::optional<c10::OperatorHandle> operator_named(const std::string& name) {
  const std::size_t dot = name.find('.');
  const std::string overload = dot == std::string::npos ? "" : name.substr(dot + 1);
  const auto found = c10::Dispatcher::singleton().findSchema({name.substr(0, dot), overload});
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace scoville::torch_probe

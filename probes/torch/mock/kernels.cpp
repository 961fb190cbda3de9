#include <ATen/native/CPUFallback.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "faults.hpp"
#include "memory.hpp"

/// A mock accelerator: PrivateUse1 in host memory, for `--load`. Every operator has a kernel of its own (computed on
/// the CPU unseen, so it is neither a fallback nor recorded as one), but for the faults that SCOVILLE_MOCK plants: see
/// faults.hpp.
namespace scoville::mock {
namespace {

using Stack = std::vector<c10::IValue>;

bool is_on_device(const at::Tensor& tensor) {
  return tensor.defined() && tensor.device().type() == c10::DeviceType::PrivateUse1;
}

/// The arguments of one call, and what stands for each tensor of the device on the host.
class Host {
 public:
  explicit Host(bool rounds) : rounds_(rounds) {}

  c10::IValue in(const c10::IValue& given, bool is_written) {
    if (given.isTensor()) return is_on_device(given.toTensor()) ? c10::IValue(in(given.toTensor(), is_written)) : given;
    if (given.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& each : given.toTensorVector())
        list.push_back(is_on_device(each) ? in(each, is_written) : each);
      return list;
    }
    if (given.isOptionalTensorList()) {
      c10::List<Optional<at::Tensor>> list;
      for (const Optional<at::Tensor>& each : given.toOptionalTensorVector()) {
        list.push_back(each && is_on_device(*each) ? Optional<at::Tensor>(in(*each, is_written)) : each);
      }
      return list;
    }
    if (given.isDevice()) return c10::Device(c10::DeviceType::CPU);
    return given;
  }

  c10::IValue out(const c10::IValue& made) const {
    if (made.isTensor()) return out(made.toTensor());
    if (made.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& each : made.toTensorVector()) list.push_back(out(each));
      return list;
    }
    return made;
  }

  /// Tensors that the kernel gave other memory or another shape.
  void bring_back() const {
    for (const Pair& pair : pairs_) {
      if (pair.host.storage().data() != pair.memory || pair.host.sizes() != pair.device.sizes() ||
          pair.host.strides() != pair.device.strides()) {
        adopt(pair.device, pair.host);
      }
    }
  }

 private:
  struct Pair {
    at::Tensor device, host;
    const void* memory;
  };

  at::Tensor in(const at::Tensor& device, bool is_written) {
    at::Tensor host = on_host(device);
    if (rounds_ && !is_written && at::isFloatingType(host.scalar_type())) {
      return host.to(at::kBFloat16).to(host.scalar_type());
    }
    pairs_.push_back({device, host, host.storage().data()});
    return host;
  }

  at::Tensor out(const at::Tensor& made) const {
    if (!made.defined()) return made;
    for (const Pair& pair : pairs_) {
      if (made.unsafeGetTensorImpl() == pair.host.unsafeGetTensorImpl()) return pair.device;
    }
    for (const Pair& pair : pairs_) {
      if (made.storage().unsafeGetStorageImpl() == pair.host.storage().unsafeGetStorageImpl()) {
        return view_of(pair.device, made);
      }
    }
    return on_device(made);
  }

  bool rounds_;
  std::vector<Pair> pairs_;
};

bool is_written(const c10::FunctionSchema& schema, std::size_t argument) {
  const auto* alias = schema.arguments()[argument].alias_info();
  return alias && alias->isWrite();
}

at::Tensor cast(const at::Tensor& each, at::ScalarType from, at::ScalarType to) {
  return each.defined() && each.scalar_type() == from ? each.to(to) : each;
}

/// The CPU has no kernel for half, or one that adds up in half: computed in fp32.
void compute_wide(const c10::OperatorHandle& op, Stack& stack, const Stack& given) {
  for (std::size_t i = 0; i < stack.size(); ++i) {
    c10::IValue& each = stack[i];
    const bool is_dtype = op.schema().arguments()[i].name().find("dtype") != std::string::npos;
    if (each.isTensor()) each = cast(each.toTensor(), at::kHalf, at::kFloat);
    if (is_dtype && each.isInt() && each.toInt() == static_cast<std::int64_t>(at::kHalf)) {
      each = static_cast<std::int64_t>(at::kFloat);
    }
  }
  const Stack wide = stack;
  op.callBoxed(&stack);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (is_written(op.schema(), i) && given[i].isTensor()) given[i].toTensor().copy_(wide[i].toTensor());
  }
  for (c10::IValue& each : stack) {
    if (!each.isTensor()) continue;
    c10::IValue narrow = cast(each.toTensor(), at::kFloat, at::kHalf);
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (wide[i].isTensor() && each.toTensor().is_same(wide[i].toTensor())) narrow = given[i];
    }
    each = narrow;
  }
}

/// The kernel proper; `stack` holds tensors of the host.
void compute(const c10::OperatorHandle& op, Stack& stack) {
  const at::AutoDispatchBelowADInplaceOrView below;
  const Stack given = stack;
  if (op.schema().name() == "aten::linalg_vector_norm") return compute_wide(op, stack, given);
  try {
    op.callBoxed(&stack);
  } catch (const c10::Error& refused) {
    const std::string words = refused.what();
    if (words.find("for 'Half'") == std::string::npos && words.find("for half") == std::string::npos) throw;
    stack = given;
    compute_wide(op, stack, given);
  }
}

void spoil(const at::Tensor& result) {
  if (!result.defined() || result.numel() == 0) return;
  if (at::isFloatingType(result.scalar_type())) {
    result.mul_(1.1);
  } else {
    result.copy_(result.clone().roll(1));
  }
}

/// The fault in its results. Of an operator that writes them into an argument, that argument is the result; a view of
/// an argument is left alone.
void spoil(const c10::FunctionSchema& schema, Stack& results, Kind kind) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto* alias = i < schema.returns().size() ? schema.returns()[i].alias_info() : nullptr;
    if (!results[i].isTensor() || (alias && !alias->isWrite())) continue;
    const at::Tensor result = results[i].toTensor();
    if (kind == Kind::wrong) return spoil(result);
    if (kind == Kind::bf16 && result.defined() && at::isFloatingType(result.scalar_type())) {
      result.copy_(result.to(at::kBFloat16));
    }
  }
}

void native(const c10::OperatorHandle& op, torch::jit::Stack* stack, Optional<Kind> fault) {
  const at::DisableRecordFunctionGuard unseen;
  const at::NoGradGuard no_gradients;
  const std::size_t count = op.schema().arguments().size();
  Host host(fault == Kind::bf16);
  Stack inner;
  for (std::size_t i = 0; i < count; ++i) {
    inner.push_back(host.in((*stack)[stack->size() - count + i], is_written(op.schema(), i)));
  }
  compute(op, inner);
  if (fault) spoil(op.schema(), inner, *fault);
  host.bring_back();
  torch::jit::drop(*stack, count);
  for (const c10::IValue& each : inner) stack->push_back(fault == Kind::wrong_device ? each : host.out(each));
}

[[noreturn]] void refuse(const std::string& name) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, "Could not run '", name, "' with arguments from the 'PrivateUse1' backend.");
  std::abort();
}

void fall_back(const c10::OperatorHandle& op, torch::jit::Stack* stack, const std::string& name) {
  TORCH_CHECK_NOT_IMPLEMENTED(!is_strict(), "The operator '", name,
                              "' is not currently implemented for the mock device.");
  TORCH_WARN("The operator '", name,
             "' is not currently supported on the mock backend and will fall back to run on the CPU.");
  at::native::cpu_fallback(op, stack);
}

/// Backends get convolutions under names of their own; the CPU knows them as these.
c10::OperatorHandle known_to_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const auto named = [](const char* name) { return c10::Dispatcher::singleton().findSchemaOrThrow(name, ""); };
  if (op.schema().name() == "aten::convolution_overrideable") return named("aten::convolution");
  if (op.schema().name() != "aten::convolution_backward_overrideable") return op;
  const auto gradient = stack->end() - static_cast<std::ptrdiff_t>(op.schema().arguments().size());
  const std::vector<std::int64_t> bias{gradient->toTensor().size(1)};
  stack->insert(gradient + 3, c10::IValue(bias));
  return named("aten::convolution_backward");
}

void run(const c10::OperatorHandle& called, torch::jit::Stack* stack) {
  const std::string& name = called.schema().name();
  const c10::OperatorHandle op = known_to_cpu(called, stack);
  const auto fault = fault_in(name);
  if (!fault) return native(op, stack, torch_probe::kNone);
  switch (*fault) {
    case Kind::missing:
      refuse(name);
    case Kind::fallback:
      return fall_back(op, stack, name);
    case Kind::abort:
      std::abort();
    case Kind::hang:
      while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
    case Kind::oom:
      TORCH_CHECK_WITH(OutOfMemoryError, false, "mock device: out of memory in ", name);
    case Kind::slow:
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      break;
    case Kind::wrong:
    case Kind::wrong_device:
    case Kind::bf16:
      break;
  }
  native(op, stack, *fault);
}

/// Copies between host and device: both sides as the host sees them.
at::Tensor copy_from(const at::Tensor& from, const at::Tensor& to, bool) {
  const at::DisableRecordFunctionGuard unseen;
  const at::NoGradGuard no_gradients;
  const auto seen = [](const at::Tensor& tensor) { return is_on_device(tensor) ? on_host(tensor) : tensor; };
  seen(to).copy_(seen(from));
  return to;
}

at::Tensor copy_from_and_resize(const at::Tensor& from, const at::Tensor& to) {
  if (from.sizes() != to.sizes()) {
    const at::DisableRecordFunctionGuard unseen;
    adopt(to, at::empty(from.sizes(), from.options().device(at::kCPU).dtype(to.dtype())));
  }
  return copy_from(from, to, false);
}

/// Only these are torn out of the way that torch takes to a device: faults that it would otherwise not show as planted.
void register_faulty(torch::Library& library) {
  for (const Fault& fault : faults()) {
    if (fault.name == "all" || fault.name == "aten::convolution_overrideable") continue;
    if (c10::Dispatcher::singleton().findSchema({fault.name, ""})) {
      library.impl(fault.name.c_str(), torch::CppFunction::makeFromBoxedFunction<&run>());
    }
  }
}

}  // namespace

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(torch::CppFunction::makeFromBoxedFunction<&run>()); }

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("_copy_from", copy_from);
  m.impl("_copy_from_and_resize", copy_from_and_resize);
  m.impl("convolution_overrideable", torch::CppFunction::makeFromBoxedFunction<&run>());
  m.impl("convolution_backward_overrideable", torch::CppFunction::makeFromBoxedFunction<&run>());
  register_faulty(m);
}

}  // namespace scoville::mock

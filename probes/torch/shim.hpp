#pragma once

// All that differs between libtorch 1.13 and 2.x, and nothing else. The other files are written against this header.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/jit_type.h>
#include <ATen/record_function.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <torch/version.h>

#include <optional>
#include <string>

#define SCOVILLE_TORCH_AT_LEAST(major, minor) \
  (TORCH_VERSION_MAJOR > (major) || (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

namespace scoville::torch_probe {

#if SCOVILLE_TORCH_AT_LEAST(2, 0)
using WarningHandler = c10::WarningHandler;
namespace warnings = c10::WarningUtils;
#else
using WarningHandler = c10::WarningHandler;
namespace warnings = c10::Warning;
#endif

#if SCOVILLE_TORCH_AT_LEAST(2, 3)
template <class T>
using Optional = std::optional<T>;
inline constexpr auto kNone = std::nullopt;
#else
template <class T>
using Optional = c10::optional<T>;
inline constexpr auto kNone = c10::nullopt;
#endif

/// Hears the framework's warnings.
class WarningEar : public WarningHandler {
 public:
  virtual void hear(const std::string& words) = 0;
#if SCOVILLE_TORCH_AT_LEAST(2, 0)
  void process(const c10::Warning& warning) final { hear(warning.msg()); }
#else
  void process(const c10::SourceLocation&, const std::string& words, bool) final { hear(words); }
#endif
};

/// float8 types as this build knows them; ROCm's first generation has its own (fnuz), which the device's operators
/// refuse or take by themselves.
#if SCOVILLE_TORCH_AT_LEAST(2, 1)
inline const Optional<at::ScalarType> kFloat8E4m3 = at::kFloat8_e4m3fn;
inline const Optional<at::ScalarType> kFloat8E5m2 = at::kFloat8_e5m2;
#else
inline const Optional<at::ScalarType> kFloat8E4m3 = kNone;
inline const Optional<at::ScalarType> kFloat8E5m2 = kNone;
#endif

/// "highest": fp32 products in fp32; "high": as tf32 where the device has it.
inline std::string float32_precision() {
  switch (at::globalContext().float32MatmulPrecision()) {
    case at::Float32MatmulPrecision::HIGHEST:
      return "highest";
    case at::Float32MatmulPrecision::HIGH:
      return "high";
    default:
      return "medium";
  }
}
inline void set_float32_precision(const std::string& name) { at::globalContext().setFloat32MatmulPrecision(name); }

/// Before 2.5 aten::_scaled_mm gave the largest element of its result as well.
inline constexpr bool scaled_product_returns_largest() { return !SCOVILLE_TORCH_AT_LEAST(2, 5); }

}  // namespace scoville::torch_probe

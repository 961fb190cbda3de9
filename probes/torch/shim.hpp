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

}  // namespace scoville::torch_probe

#pragma once

#include <ATen/EmptyTensor.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include "shim.hpp"

namespace scoville::mock {

using torch_probe::Optional;

/// The same memory as a tensor of the CPU: how the mock's own kernels get at it.
at::Tensor on_host(const at::Tensor& device);
/// The other way round.
at::Tensor on_device(const at::Tensor& host);
/// A tensor on the device over `device`'s memory with the shape of `host`, which is a view of it.
at::Tensor view_of(const at::Tensor& device, const at::Tensor& host);
/// `device` becomes what `host` is: memory and shape, after a kernel has given it others.
void adopt(const at::Tensor& device, const at::Tensor& host);

}  // namespace scoville::mock

#include "memory.hpp"

#include <cstdlib>

namespace scoville::mock {
namespace {

constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;

void release(void* memory) { std::free(memory); }

/// The device's memory: the host's, under another name.
struct Memory final : c10::Allocator {
  c10::DataPtr make(std::size_t bytes) const {
    void* memory = bytes ? std::aligned_alloc(64, (bytes + 63) / 64 * 64) : nullptr;
    if (bytes && !memory) {
      TORCH_CHECK_WITH(OutOfMemoryError, false, "mock device: out of memory. Tried to allocate ", bytes, " bytes");
    }
    return {memory, memory, &release, c10::Device(kType, 0)};
  }
#if SCOVILLE_TORCH_AT_LEAST(2, 3)
  c10::DataPtr allocate(std::size_t bytes) override { return make(bytes); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { default_copy_data(to, from, bytes); }
#else
  c10::DataPtr allocate(std::size_t bytes) const override { return make(bytes); }
#endif
  c10::DeleterFnPtr raw_deleter() const override { return &release; }
};

Memory memory;
const c10::AllocatorRegisterer<kType> registered(&memory);

/// One device that does everything at once: streams are empty words.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kType; }
  c10::Device exchangeDevice(c10::Device) const override { return here(); }
  c10::Device getDevice() const override { return here(); }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device) const noexcept override { return stream(); }
  c10::Stream getDefaultStream(c10::Device) const override { return stream(); }
  c10::Stream exchangeStream(c10::Stream) const noexcept override { return stream(); }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
  bool queryStream(const c10::Stream&) const override { return true; }
  void synchronizeStream(const c10::Stream&) const override {}
  void record(void**, const c10::Stream&, const c10::DeviceIndex, const c10::EventFlag) const override {}
  void block(void*, const c10::Stream&) const override {}
  bool queryEvent(void*) const override { return true; }
  void destroyEvent(void*, const c10::DeviceIndex) const noexcept override {}

 private:
  static c10::Device here() { return {kType, 0}; }
  static c10::Stream stream() { return c10::Stream(c10::Stream::DEFAULT, here()); }
};

C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

#if SCOVILLE_TORCH_AT_LEAST(2, 1)
/// What torch asks of a device before its first backward pass.
struct Hooks final : at::PrivateUse1HooksInterface {
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
};
const bool hooked = (at::RegisterPrivateUse1HooksInterface(new Hooks), true);  // torch keeps it for ever
#endif

at::Tensor empty(at::IntArrayRef sizes, Optional<at::ScalarType> dtype, Optional<at::Layout>, Optional<at::Device>,
                 Optional<bool>, Optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(sizes, &memory, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                   c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(at::IntArrayRef sizes, at::IntArrayRef strides, Optional<at::ScalarType> dtype,
                         Optional<at::Layout>, Optional<at::Device>, Optional<bool>) {
  return at::detail::empty_strided_generic(sizes, strides, &memory, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                           c10::dtype_or_default(dtype));
}

/// A storage over the memory of another one, kept alive by it.
at::Storage over(const at::Tensor& from, c10::Allocator* allocator, c10::Device device) {
  auto* kept = new at::Storage(from.storage());
  void* data = const_cast<void*>(static_cast<const void*>(from.storage().data()));
  c10::DataPtr pointer(
      data, kept, [](void* storage) { delete static_cast<at::Storage*>(storage); }, device);
  return at::Storage(c10::make_intrusive<c10::StorageImpl>(c10::StorageImpl::use_byte_size_t(), from.storage().nbytes(),
                                                           std::move(pointer), allocator, true));
}

at::Tensor tensor_on(at::Storage storage, c10::DispatchKey key, const at::Tensor& like) {
  at::Tensor made =
      at::detail::make_tensor<c10::TensorImpl>(std::move(storage), c10::DispatchKeySet(key), like.dtype());
  made.unsafeGetTensorImpl()->set_storage_offset(like.storage_offset());
  made.unsafeGetTensorImpl()->set_sizes_and_strides(like.sizes(), like.strides());
  return made;
}

}  // namespace

at::Tensor on_host(const at::Tensor& device) {
  return tensor_on(over(device, c10::GetAllocator(c10::DeviceType::CPU), c10::Device(c10::DeviceType::CPU)),
                   c10::DispatchKey::CPU, device);
}

at::Tensor on_device(const at::Tensor& host) {
  const at::Tensor kept = host.detach().resolve_conj().resolve_neg();
  return tensor_on(over(kept, &memory, c10::Device(kType, 0)), c10::DispatchKey::PrivateUse1, kept);
}

at::Tensor view_of(const at::Tensor& device, const at::Tensor& host) {
  return tensor_on(device.storage(), c10::DispatchKey::PrivateUse1, host);
}

void adopt(const at::Tensor& device, const at::Tensor& host) {
  const at::Tensor made = on_device(host);
  device.unsafeGetTensorImpl()->set_storage_keep_dtype(made.storage());
  device.unsafeGetTensorImpl()->set_storage_offset(made.storage_offset());
  device.unsafeGetTensorImpl()->set_sizes_and_strides(made.sizes(), made.strides());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", empty);
  m.impl("empty_strided", empty_strided);
}

}  // namespace scoville::mock

#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace scoville::cpu_probe {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

/// Elements from the boundary of a page on, of a large one where there is room for some, not touched yet: the thread
/// that writes them first has them near.
template <class T>
using Array = std::unique_ptr<T[], Free>;

template <class T>
Array<T> make_array(std::size_t count) {
  const std::size_t page = count * sizeof(T) >= (std::size_t{4} << 20) ? std::size_t{2} << 20 : 4096;
  const std::size_t bytes = (count * sizeof(T) + page - 1) / page * page;
  void* const memory = std::aligned_alloc(page, bytes > 0 ? bytes : page);
  if (!memory) throw std::bad_alloc();
  return Array<T>(static_cast<T*>(memory));
}

}  // namespace scoville::cpu_probe

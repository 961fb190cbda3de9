#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace scoville::trace {

/// Whose kernel it is (data/kernel_origins.yaml).
enum class Origin { vendor, framework, triton, custom, unknown };
inline constexpr std::array<std::string_view, 5> kOriginNames{"vendor", "framework", "triton", "custom", "unknown"};

struct KernelOrigin {
  Origin origin = Origin::unknown;
  std::string library;  ///< "cuBLAS"; empty: not known
};

/// What a task of Ascend hardware is, by its type.
enum class AscendTask { kernel, device_cpu, copy, no_work };

/// How names are judged: data/kernel_origins.yaml and data/trace_operators.yaml, which are built in, and before them a
/// file of the user's. Without state: threads may share it.
class Rules {
 public:
  /// Those of the program.
  static const Rules& built_in();
  /// The same, with those of a file like data/kernel_origins.yaml before them.
  static Result<Rules> with(const std::string& path);

  KernelOrigin origin_of(const std::string& kernel) const;
  bool is_communication(const std::string& kernel) const;
  bool is_to_host(const std::string& copy) const;

  bool moves_to_cpu(const std::string& op) const;
  bool copies_on_purpose(const std::string& op) const;
  bool reads_scalars(const std::string& op) const;
  std::uint64_t scalar_bytes() const;
  AscendTask ascend_task(std::string_view type) const;

 private:
  struct Held;
  explicit Rules(std::shared_ptr<const Held> held) : held_(std::move(held)) {}
  static Result<Rules> made(const std::string* path);

  std::shared_ptr<const Held> held_;
};

}  // namespace scoville::trace

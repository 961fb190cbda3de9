#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace scoville::fit {

enum class Confidence { low, medium, high };
std::string_view name_of(Confidence confidence);

/// A figure that somebody published, in base units (bytes, bytes per second, operations per second, watts).
struct Value {
  double value = 0;
  std::string source, date;  ///< never empty: a figure without a source is no Value
  Confidence confidence = Confidence::low;
};

/// What a matrix unit may compute in.
enum class Precision { fp64, fp32, tf32, fp16, bf16, fp8, int8, fp4 };
inline constexpr std::size_t kPrecisionCount = 8;
std::string_view name_of(Precision precision);

/// Dense peak of one precision: known, not built in, or unknown.
struct Peak {
  std::optional<Value> value;
  bool is_absent = false;  ///< the unit does not compute in it: known, with nothing to multiply by
};

enum class OneIs { package, die, card };
enum class Availability { announced, sampled, on_sale };
std::string_view name_of(OneIs one_is);
std::string_view name_of(Availability status);

/// One kind of accelerator: what its maker, or somebody, says of it. Whatever nobody says is empty, and then nothing is
/// computed from it.
struct Device {
  std::string id, vendor, family, name;
  std::vector<std::string> prints;  ///< what tools print for it: "NVIDIA H100 80GB HBM3"
  OneIs one_is = OneIs::package;    ///< of what the figures are one
  bool is_for_inference = false, is_for_training = false;
  Availability status = Availability::on_sale;
  std::string note;
  std::optional<Value> memory;     ///< bytes; a GB is 10^9
  std::optional<Value> bandwidth;  ///< of that memory, bytes per second
  std::optional<Value> power, link, cache;
  std::array<Peak, kPrecisionCount> peaks;   ///< operations per second, dense
  std::optional<Value> best_bf16, best_fp8;  ///< largest measured matrix multiplication

  const Peak& peak(Precision precision) const { return peaks[static_cast<std::size_t>(precision)]; }
};

/// Devices by id. Copies are cheap enough: it is read once.
class Catalogue {
 public:
  const std::vector<Device>& all() const { return all_; }
  /// By id, by name, or by what a tool prints, upper and lower case and blanks aside; null if there is none.
  const Device* find(std::string_view name) const;
  /// Up to five ids that look like `name`, the nearest first.
  std::vector<std::string> near(std::string_view name) const;
  /// In place of one with the same id.
  void put(Device device);

 private:
  std::vector<Device> all_;
};

/// data/devices.yaml, built into the program.
const Catalogue& built_in_devices();
/// The same, with the entries of a file of the same format put over it. Errors name file, line and field.
Result<Catalogue> devices_with(const std::string& path);
/// A catalogue out of text that came from `where`.
Result<Catalogue> parse_devices(const std::string& yaml, const std::string& where);

}  // namespace scoville::fit

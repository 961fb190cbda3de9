#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace scoville::event {

/// What became of the attempt to learn something. The names are those of the JSON.
enum class FieldStatus {
  ok,
  absent,  ///< there is no such thing here: no such file, tool or device
  denied,  ///< it is there, and we may not see it
  error,   ///< it was asked and failed: time-out, crash, an answer that cannot be read
};
std::string_view name_of(FieldStatus status);

/// One thing known, or not known, of the system under test.
struct FingerprintField {
  std::string key;     ///< dotted, lower case: "os.kernel", "device.0.driver"
  json::value value;   ///< null unless status is ok
  std::string source;  ///< the file, the command or the URL that said so
  FieldStatus status = FieldStatus::ok;
  /// Whether it belongs to the comparable hash: not so for names, serial numbers, times, process lists.
  bool is_comparable = true;
};

/// What exactly was measured: fields by key, each with its source.
///
/// A missing key means that nobody asked; a field that is not `ok` means that somebody did, and why it is not known.
class Fingerprint {
 public:
  /// Puts a field in, in place of one with the same key.
  void set(FingerprintField field);
  void add(std::string key, json::value value, std::string source, bool is_comparable = true);
  /// A field that could not be had. `status` is not ok.
  void miss(std::string key, FieldStatus status, std::string source);
  /// Every field of `other`, in place of ours with the same key.
  void merge(const Fingerprint& other);

  const FingerprintField* find(std::string_view key) const;
  /// The value as text ("" where it is not known): strings as they are, other values as compact JSON.
  std::string text(std::string_view key) const;
  const std::vector<FingerprintField>& fields() const { return fields_; }  ///< sorted by key
  bool empty() const { return fields_.empty(); }

  /// SHA-256 over the canonical JSON of all fields, or of the comparable ones that are ok.
  std::string full_hash() const;
  std::string comparable_hash() const;

  /// {"schema":"scoville.fingerprint/1","hash":{"full","comparable"},"fields":{key:{value,source,status[,comparable]}}},
  /// keys sorted: the same system gives the same bytes.
  json::object to_json() const;
  /// The error names the field at fault.
  static Result<Fingerprint> from_json(const json::value& value);

 private:
  std::vector<FingerprintField> fields_;
};

}  // namespace scoville::event

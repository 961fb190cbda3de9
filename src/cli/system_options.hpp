#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "cli/parameter.hpp"
#include "dataset/warning.hpp"
#include "environment/weight_files.hpp"
#include "event/fingerprint.hpp"
#include "plan/bench_plan.hpp"
#include "wire/target.hpp"

namespace scoville::cli {

/// The flags that say what system stands behind the URL, and how that is found out: shared by every command whose
/// result is to be compared with another.
class SystemOptions {
 public:
  void declare(Parameters& parameters);
  /// The same flags about a second system: "--b-system", and so on.
  void declare_for_b(Parameters& parameters);
  /// Without flags of its own: the file of --system and the path of --model-path, both may be empty.
  void set(std::string system_file, std::string model_path);
  /// Only --engine-arg, or --b-engine-arg; set() leaves what it was given.
  void declare_engine_arg_of(Parameters& parameters, bool is_b);

  /// An error where a flag names what is not there, or not of its kind: before anybody is asked anything.
  Status settle() const;

  /// Asks the server (some seconds at the most), looks for its process if it runs here, reads the files that the flags
  /// name, and joins it all (environment/join.hpp). What cannot be known is a field that says so; an error means that a
  /// flag names something that is not there. `launched`: what we know of an engine because we started it. `progress`
  /// follows the hashing of the weights, and may end it.
  Result<event::Fingerprint> gather(const wire::Target& target, const plan::RequestShape& shape,
                                    const event::Fingerprint& launched = {},
                                    const environment::HashProgress& progress = {}) const;

  /// Only what the file of --system says; empty without one.
  Result<event::Fingerprint> read_system_file() const;

 private:
  void declare_engine_arg(Parameters& parameters, const std::string& name, text::Msg help);
  void declare_derived_from(Parameters& parameters, const std::string& name, text::Msg help);
  void declare_device_name(Parameters& parameters, const std::string& name, text::Msg help);
  Status check_model() const;
  Result<event::Fingerprint> read_model(const environment::HashProgress& progress) const;

  std::string prefix_ = "--";  ///< of its flags: in messages
  std::string system_file_, model_path_, derived_from_, device_name_;
  std::vector<std::pair<std::string, std::string>> engine_args_;
};

/// Whether what was gathered is a hosted API: the caller then warns with the code `service_not_hardware`.
bool is_hosted_service(const event::Fingerprint& fingerprint);
/// That warning, in both languages.
dataset::Warning hosted_service_warning(const event::Fingerprint& fingerprint, const std::string& host);

}  // namespace scoville::cli

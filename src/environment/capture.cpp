#include "environment/capture.hpp"

#include "environment/areas.hpp"
#include "environment/redaction.hpp"

namespace scoville::environment {

event::Fingerprint capture(const Options& options) {
  const SystemTools system(options.variables, {options.timeout});
  std::vector<Inquiry> inquiries = device_inquiries();
  for (Inquiry& each : framework_inquiries()) inquiries.push_back(std::move(each));
  Interview interview(options.tools ? *options.tools : system, inquiries);

  const Root root(options.root);
  event::Fingerprint print;
  collect_os(root, print);
  collect_cpu(root, print);
  collect_memory(root, print);
  collect_container(root, options.variables, print);
  collect_machine(root, print);
  collect_pci(root, options.pci_names, print);
  collect_network(root, print);
  collect_runtimes(root, options.variables, print);
  collect_driver_files(root, print);
  collect_variables(options.variables, print);
  collect_devices(interview.answers(), options.timeout, print);
  collect_frameworks(interview.answers(), options.timeout, print);
  return options.is_redacted ? redacted(print) : print;
}

}  // namespace scoville::environment

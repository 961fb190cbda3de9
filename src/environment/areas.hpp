#pragma once

#include "environment/command.hpp"
#include "environment/interview.hpp"
#include "environment/pci_names.hpp"
#include "environment/root.hpp"
#include "event/fingerprint.hpp"

/// The areas of a fingerprint, one file each. Every function adds its fields and knows nothing of the others; the keys
/// are those of docs/formats/fingerprint.md.
namespace scoville::environment {

void collect_os(const Root& root, event::Fingerprint& print);
void collect_cpu(const Root& root, event::Fingerprint& print);
void collect_memory(const Root& root, event::Fingerprint& print);
void collect_container(const Root& root, const Variables& variables, event::Fingerprint& print);
void collect_machine(const Root& root, event::Fingerprint& print);
void collect_pci(const Root& root, const PciNames& names, event::Fingerprint& print);
void collect_network(const Root& root, event::Fingerprint& print);
void collect_runtimes(const Root& root, const Variables& variables, event::Fingerprint& print);
/// Driver and firmware versions that lie in files; what a vendor's tool says goes before them.
void collect_driver_files(const Root& root, event::Fingerprint& print);
void collect_variables(const Variables& variables, event::Fingerprint& print);

std::vector<Inquiry> device_inquiries();
/// Needs the PCI fields: a tool that answers under another vendor's name is known by the cards that are there.
void collect_devices(const Answers& answers, Nanos timeout, event::Fingerprint& print);

std::vector<Inquiry> framework_inquiries();
void collect_frameworks(const Answers& answers, Nanos timeout, event::Fingerprint& print);

}  // namespace scoville::environment

#pragma once

#include <string>
#include <vector>

#include "environment/command.hpp"
#include "event/fingerprint.hpp"
#include "probe/session.hpp"
#include "readiness/check.hpp"
#include "readiness/layers.hpp"

namespace scoville::cli {

/// What `probe readiness` was told to look at.
struct ReadinessQuestion {
  std::string device = "cpu", python = "python3", base_url, model, image;
  std::vector<readiness::Way> ways;
  environment::Variables variables;
};

/// The device's own steps and the framework, by the probe. A probe that does not answer: all of them no, with its
/// words.
std::vector<readiness::Check> ask_probe(probe::Session& session, const probe::Request& request);

/// The vendor whose software stack the device stands on, as the keys of a fingerprint name it; "cpu" for the CPU, ""
/// where neither probe nor PCI bus tell.
std::string vendor_of(const json::object& description, const event::Fingerprint& machine, const std::string& device);

/// Everything beside the device: Transformers, engine, image, telemetry, tools, Triton.
std::vector<readiness::Check> ask_layers(const ReadinessQuestion& question, const std::string& vendor,
                                         const event::Fingerprint& machine);

}  // namespace scoville::cli

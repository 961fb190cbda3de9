#pragma once

#include <string>

#include "report/bench_report.hpp"

namespace scoville::report {

/// What was measured, in six lines at the most: server and model, engine, model's weights, hardware, what the
/// fingerprint leaves open. Each line ends with a line feed.
std::string system_lines(const BenchSubject& subject, const plan::RequestShape& shape);

/// Whether the server lists the model that was asked for.
bool is_listed(const BenchSubject& subject);

/// "8 × NVIDIA H800, driver 550.54 (nvidia), CUDA 12.4"; empty where no device is known.
std::string hardware_of(const event::Fingerprint& system);

/// The same for the JSON: url, peer, model, hardware, seen, checklist, fingerprint.
json::object system_json(const BenchSubject& subject, const plan::RequestShape& shape);

}  // namespace scoville::report

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "telemetry/increase.hpp"
#include "wire/target.hpp"

namespace scoville::cli {

/// Where a fleet's metrics come from: a URL that is scraped now, or what was scraped before.
class FleetSource {
 public:
  explicit FleetSource(std::string word) : word_(std::move(word)) {}

  bool is_url() const;

  /// Scrapes of files with commas between, of a folder (*.prom, *.txt, in the order of their times), or an answer of
  /// query_range. A text's time is that of its samples; where they have none, that of its file.
  Result<std::vector<telemetry::Scrape>> read() const;

  /// One scrape of the URL.
  Result<telemetry::Scrape> scrape();

 private:
  std::string word_;
  std::optional<wire::Target> target_;
};

}  // namespace scoville::cli

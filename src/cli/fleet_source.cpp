#include "cli/fleet_source.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "cli/parameter.hpp"
#include "telemetry/range_json.hpp"
#include "text/catalogue/canary.hpp"
#include "wire/fetch.hpp"

namespace scoville::cli {
namespace {

using telemetry::Scrape;
using text::CanaryMsg;
using text::say;

Error usage(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

Nanos now_since_1970() { return std::chrono::system_clock::now().time_since_epoch(); }

Nanos written_at(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  return std::chrono::seconds(about.st_mtim.tv_sec) + Nanos(about.st_mtim.tv_nsec);
}

/// The latest time that a sample carries; nothing where none does.
std::optional<Nanos> time_of(const std::vector<telemetry::Sample>& samples) {
  std::optional<Nanos> out;
  for (const telemetry::Sample& each : samples) {
    if (each.at && (!out || *each.at > *out)) out = each.at;
  }
  return out;
}

Result<std::vector<std::string>> files_of(const std::string& word) {
  std::vector<std::string> out;
  std::error_code failed;
  if (!std::filesystem::is_directory(word, failed)) {
    for (const std::string_view each : split(word, ",")) out.emplace_back(each);
    return out;
  }
  for (const auto& each : std::filesystem::directory_iterator(word, failed)) {
    if (each.path().extension() == ".prom" || each.path().extension() == ".txt") out.push_back(each.path().string());
  }
  if (out.empty()) return usage(say(CanaryMsg::no_files, word));
  std::sort(out.begin(), out.end());
  return out;
}

Result<std::vector<Scrape>> read_one(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text) return text.error();
  if (text->starts_with('{')) {
    Result<std::vector<Scrape>> range = telemetry::read_range(*text);
    if (!range) return std::move(range.error()).within(path);
    return range;
  }
  std::vector<telemetry::Sample> samples = telemetry::parse_exposition(*text).samples;
  if (samples.empty()) return usage(say(CanaryMsg::not_metrics, path));
  const Nanos at = time_of(samples).value_or(written_at(path));
  return std::vector<Scrape>{{at, std::move(samples)}};
}

}  // namespace

bool FleetSource::is_url() const { return word_.find("://") != std::string::npos; }

Result<std::vector<Scrape>> FleetSource::read() const {
  const Result<std::vector<std::string>> files = files_of(word_);
  if (!files) return files.error();
  std::vector<Scrape> out;
  for (const std::string& path : *files) {
    Result<std::vector<Scrape>> some = read_one(path);
    if (!some) return some.error();
    out.insert(out.end(), std::make_move_iterator(some->begin()), std::make_move_iterator(some->end()));
  }
  std::stable_sort(out.begin(), out.end(), [](const Scrape& a, const Scrape& b) { return a.at < b.at; });
  return out;
}

Result<Scrape> FleetSource::scrape() {
  if (!target_) {
    const Result<wire::Url> url = wire::parse_url(word_);
    if (!url) return url.error();
    Result<wire::Target> target = wire::make_target(*url, wire::TargetOptions{});
    if (!target) return target.error();
    target_ = std::move(*target);
  }
  wire::FetchRequest request;
  request.path = target_->url.path.empty() ? "/metrics" : target_->url.path;
  Result<wire::Response> answer = wire::fetch(*target_, request);
  if (!answer) return std::move(answer.error()).within(word_);
  if (answer->head.status != 200) return Error{ErrorCode::protocol, say(CanaryMsg::status, word_, answer->head.status)};
  Scrape out{now_since_1970(), telemetry::parse_exposition(answer->body).samples};
  if (out.samples.empty()) return Error{ErrorCode::protocol, say(CanaryMsg::not_metrics, word_)};
  return out;
}

}  // namespace scoville::cli

#include <map>

#include "base/check.hpp"
#include "base/file.hpp"
#include "config/node.hpp"
#include "fit/devices.hpp"
#include "text/catalogue/fit.hpp"

namespace scoville::fit {

const char* embedded_devices();

namespace {

using config::Node;

/// Who says so: named at the head of the file, or written out where it is used.
struct Source {
  std::string text, date;
  Confidence confidence = Confidence::low;
};
using Sources = std::map<std::string, Source>;

const std::vector<std::string>& confidences() {
  static const std::vector<std::string> kAll{"low", "medium", "high"};
  return kAll;
}

Sources read_sources(const Node& root) {
  Sources out;
  for (const auto& [id, node] :
       root.maybe("sources").is_map() ? root.map("sources").entries() : std::vector<std::pair<std::string, Node>>()) {
    Source& each = out[id];
    each.text = node.text("address");
    each.date = node.text_or("date", "");
    each.confidence = static_cast<Confidence>(node.choice("confidence", confidences()));
  }
  return out;
}

Source source_named(const Sources& sources, const std::string& name) {
  const auto found = sources.find(name);
  return found == sources.end() ? Source{name, "", Confidence::low} : found->second;
}

/// Reads the figures of one entry. A bare number has the entry's source; without one it is as good as unknown.
class FigureReader {
 public:
  FigureReader(const Node& entry, const Sources& sources) : entry_(entry), sources_(sources) {
    if (const auto name = entry.maybe_text("source")) default_ = source_named(sources, *name);
    if (const auto level = entry.maybe_choice("confidence", confidences()); level && default_)
      default_->confidence = static_cast<Confidence>(*level);
  }

  std::optional<Value> value(const std::string& key, double unit) const {
    const Node node = entry_.maybe(key);
    if (!node.exists() || is_word(node, "unknown")) return std::nullopt;
    if (!node.is_map()) return made(node.as_number(config::kAboveZero) * unit, default_);
    std::optional<Source> source = default_;
    const Node held = node.maybe("value");
    const bool is_unknown = !held.exists() || is_word(held, "unknown");
    const double number = is_unknown ? 0 : held.as_number(config::kAboveZero);
    if (const auto name = node.maybe_text("source")) source = source_named(sources_, *name);
    const std::optional<std::string> date = node.maybe_text("date");
    const std::optional<std::size_t> level = node.maybe_choice("confidence", confidences());
    if (source && date) source->date = *date;
    if (source && level) source->confidence = static_cast<Confidence>(*level);
    return is_unknown ? std::nullopt : made(number * unit, source);
  }

  Peak peak(const std::string& key) const {
    constexpr double kTera = 1e12;
    if (is_word(entry_.maybe(key), "none")) return {std::nullopt, true};
    return {value(key, kTera), false};
  }

 private:
  static bool is_word(const Node& node, std::string_view word) { return node.is_scalar() && node.as_text() == word; }
  static std::optional<Value> made(double number, const std::optional<Source>& source) {
    if (!source || source->text.empty() || number <= 0) return std::nullopt;
    return Value{number, source->text, source->date, source->confidence};
  }

  const Node& entry_;
  const Sources& sources_;
  std::optional<Source> default_;
};

void read_purposes(const Node& entry, Device& out) {
  for (const std::string& each : entry.maybe_texts("designed_for")) {
    if (each == "inference")
      out.is_for_inference = true;
    else if (each == "training")
      out.is_for_training = true;
    else
      entry.fault("designed_for", text::say(text::FitMsg::expected_purpose));
  }
}

Device read_device(const Node& entry, const Sources& sources) {
  Device out;
  out.id = entry.text("id");
  out.vendor = entry.text("vendor");
  out.family = entry.text_or("family", "");
  out.name = entry.text_or("name", out.id);
  out.prints = entry.maybe_texts("prints");
  out.one_is = static_cast<OneIs>(entry.maybe_choice("one_is", {"package", "die", "card"}).value_or(0));
  out.status = static_cast<Availability>(entry.maybe_choice("status", {"announced", "sampled", "on sale"}).value_or(2));
  out.note = entry.text_or("note", "");
  read_purposes(entry, out);
  const FigureReader figures(entry, sources);
  out.memory = figures.value("memory_gb", 1e9);
  out.bandwidth = figures.value("bandwidth_tb_s", 1e12);
  out.power = figures.value("power_w", 1);
  out.link = figures.value("link_gb_s", 1e9);
  out.cache = figures.value("cache_mb", 1e6);
  out.best_bf16 = figures.value("best_bf16", 1e12);
  out.best_fp8 = figures.value("best_fp8", 1e12);
  for (std::size_t i = 0; i < kPrecisionCount; ++i)
    out.peaks[i] = figures.peak(std::string(name_of(static_cast<Precision>(i))));
  return out;
}

Result<Catalogue> read(const Result<Node>& root, Catalogue out) {
  if (!root) return root.error();
  const Sources sources = read_sources(*root);
  for (const Node& each : root->list("devices")) out.put(read_device(each, sources));
  return root->finish(std::move(out));
}

}  // namespace

Result<Catalogue> parse_devices(const std::string& yaml, const std::string& where) {
  return read(Node::parse(yaml, where), Catalogue());
}

const Catalogue& built_in_devices() {
  static const Catalogue kAll = [] {
    Result<Catalogue> read = parse_devices(embedded_devices(), "devices.yaml");
    SCOVILLE_CHECK(read.ok(), "the built-in catalogue of devices must be readable");
    return std::move(*read);
  }();
  return kAll;
}

Result<Catalogue> devices_with(const std::string& path) { return read(Node::load(path), built_in_devices()); }

}  // namespace scoville::fit

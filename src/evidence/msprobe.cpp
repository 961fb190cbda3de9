#include "evidence/msprobe.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "dataset/csv.hpp"
#include "evidence/members.hpp"
#include "text/catalogue/numerics.hpp"

namespace scoville::evidence {
namespace {

using text::NumericsMsg;
using text::say;

/// What bf16 lets pass is what is asked of a figure that no verdict of theirs stands beside.
double allowed() { return numerics::tolerance_of(numerics::Precision::bf16).rel_l2; }

std::string lower(std::string_view text) {
  std::string out(dataset::trimmed(text));
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

/// "0.5%" is 0.005; "N/A", "unsupported", "nan" are no numbers.
std::optional<double> number_in(std::string_view text) {
  std::string_view rest = dataset::trimmed(text);
  const bool is_percent = rest.ends_with('%');
  if (is_percent) rest.remove_suffix(1);
  double value = 0;
  const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (failed != std::errc() || end != rest.data() + rest.size() || !std::isfinite(value)) return std::nullopt;
  return is_percent ? value / 100 : value;
}

/// The columns of one file, by name.
class Columns {
 public:
  explicit Columns(const std::vector<std::string>& head) : head_(head) {}
  bool has(std::string_view name) const { return dataset::column(head_, name).has_value(); }

  std::string text(const std::vector<std::string>& row, std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
      const auto place = dataset::column(head_, name);
      if (place && *place < row.size()) return std::string(dataset::trimmed(row[*place]));
    }
    return "";
  }
  std::optional<double> number(const std::vector<std::string>& row,
                               std::initializer_list<std::string_view> names) const {
    return number_in(text(row, names));
  }

 private:
  std::vector<std::string> head_;
};

std::optional<double> quotient(std::optional<double> part, std::optional<double> whole) {
  if (!part || !whole || *whole == 0) return std::nullopt;
  return std::abs(*part) / std::abs(*whole);
}

numerics::Look look_by_size(const ProbedTensor& tensor) {
  if (!tensor.rel_l2) return numerics::Look::unknown;
  numerics::Distance distance;
  distance.rel_l2 = tensor.rel_l2;
  distance.not_equal = *tensor.rel_l2 > 0;
  return numerics::look_of(distance);
}

bool is_over(const ProbedTensor& tensor, const std::string& reached) {
  static constexpr std::array<std::string_view, 3> kBad{"error", "different", "fail"};
  const std::string result = lower(tensor.result);
  if (!result.empty()) return std::find(kBad.begin(), kBad.end(), result) != kBad.end();
  if (!reached.empty()) return lower(reached) == "no";
  const std::optional<double> size = tensor.rel_l2 ? tensor.rel_l2 : tensor.norm_change;
  return size && *size > allowed();
}

ProbedTensor tensor_of(const Columns& columns, const std::vector<std::string>& row) {
  ProbedTensor out;
  out.name = columns.text(row, {"NPU Name", "API Name", "Bench Name"});
  out.dtype = columns.text(row, {"NPU Dtype"});
  out.shape = columns.text(row, {"NPU Tensor Shape", "NPU Shape"});
  out.cosine = columns.number(row, {"Cosine"});
  out.max_abs = columns.number(row, {"MaxAbsErr", "MaxAbsError", "Max diff"});
  out.max_relative = columns.number(row, {"MaxRelativeErr"});
  out.within_thousandth = columns.number(row, {"One Thousandth Err Ratio"});
  const std::optional<double> norm = columns.number(row, {"Bench l2norm"});
  out.rel_l2 = quotient(columns.number(row, {"EucDist"}), norm);
  out.norm_change = columns.number(row, {"NormRelativeErr"});
  if (!out.norm_change) out.norm_change = quotient(columns.number(row, {"L2norm diff"}), norm);
  out.look = look_by_size(out);
  out.result = columns.text(row, {"Result"});
  out.message = columns.text(row, {"Err_message", "Err_Message"});
  out.is_over = is_over(out, columns.text(row, {"Accuracy Reached or Not"}));
  return out;
}

std::optional<double> finite(const Members& statistics, std::string_view key) {
  const json::value* const found = statistics.object().if_contains(key);
  if (!found || !found->is_number()) return std::nullopt;
  return found->to_number<double>();
}

/// The statistics of every tensor of a dump, by name, in its order.
using Statistics = std::vector<std::pair<std::string, json::object>>;

void collect(const json::value& value, const std::string& name, Statistics& out) {
  if (const json::array* const list = value.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) collect((*list)[i], name + "." + std::to_string(i), out);
    return;
  }
  const json::object* const object = value.if_object();
  if (!object) return;
  if (object->contains("Norm") || object->contains("Max")) {
    out.emplace_back(name, *object);
    return;
  }
  if (object->contains("type")) return;  // no tensor
  for (const auto& [key, each] : *object) collect(each, name + "." + std::string(key), out);
}

Statistics statistics_of(const json::value& dump) {
  Statistics out;
  for (const auto& [api, parts] : dump.as_object().at("data").as_object()) {
    const json::object* const object = parts.if_object();
    if (!object) continue;
    for (const auto& [key, value] : *object) {
      const std::string_view direction = key == "output"       ? "output"
                                         : key == "input_args" ? "input"
                                                               : std::string_view(key);
      collect(value, std::string(api) + "." + std::string(direction), out);
    }
  }
  return out;
}

ProbedTensor compared(const std::string& name, const json::object& device, const json::object& bench) {
  Fault fault;
  const json::value ours(device), theirs(bench);
  const Members a(ours, name, fault), b(theirs, name, fault);
  ProbedTensor out;
  out.name = name;
  out.dtype = a.text("dtype");
  if (const json::value* const shape = device.if_contains("shape")) out.shape = compact(*shape);
  const auto norm = finite(a, "Norm"), bench_norm = finite(b, "Norm");
  if (norm && bench_norm) out.norm_change = quotient(*norm - *bench_norm, bench_norm);
  const auto largest = finite(a, "Max"), bench_largest = finite(b, "Max");
  if (largest && bench_largest) out.max_abs = std::abs(*largest - *bench_largest);
  out.is_over = is_over(out, "") || (!norm && bench_norm);  // NaN in a dump is text, or null
  return out;
}

}  // namespace

std::string_view name_of(ProbedBy by) {
  static constexpr std::array<std::string_view, 4> kNames{"tensors", "statistics", "checksums", "dumps"};
  return kNames[static_cast<std::size_t>(by)];
}

std::optional<std::size_t> ProbedRun::first_over() const {
  std::optional<std::size_t> any;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].is_over) continue;
    if (tensors[i].name.find(".output") != std::string::npos) return i;
    if (!any) any = i;
  }
  return any;
}

bool is_msprobe_csv(std::string_view text) {
  dataset::CsvReader reader(text.substr(0, 8192));
  if (!reader.next()) return false;
  const Columns columns(reader.fields());
  return columns.has("NPU Name") && columns.has("Bench Name");
}

Result<ProbedRun> read_msprobe_csv(std::string_view text) {
  dataset::CsvReader reader(text);
  ProbedRun out;
  if (!reader.next()) return Error{ErrorCode::invalid_argument, say(NumericsMsg::evidence_empty)};
  const std::vector<std::string> head = reader.fields();
  const Columns columns(head);
  out.by = columns.has("Cosine")    ? ProbedBy::tensors
           : columns.has("NPU MD5") ? ProbedBy::checksums
                                    : ProbedBy::statistics;
  while (reader.next()) {
    if (reader.fields().size() != head.size())
      return Error{ErrorCode::invalid_argument,
                   say(NumericsMsg::evidence_columns, reader.line(), reader.fields().size(), head.size())};
    out.tensors.push_back(tensor_of(columns, reader.fields()));
  }
  if (out.tensors.empty()) return Error{ErrorCode::invalid_argument, say(NumericsMsg::evidence_empty)};
  return out;
}

bool is_msprobe_dump(const json::value& value) {
  const json::object* const object = value.if_object();
  if (!object || !object->contains("task") || !object->contains("level")) return false;
  const json::value* const data = object->if_contains("data");
  return data && data->is_object();
}

Result<ProbedRun> compare_msprobe_dumps(const json::value& device, const json::value& bench) {
  ProbedRun out;
  out.by = ProbedBy::dumps;
  std::map<std::string, json::object> theirs;
  for (auto& [name, statistics] : statistics_of(bench)) theirs.emplace(name, std::move(statistics));
  for (const auto& [name, statistics] : statistics_of(device)) {
    const auto found = theirs.find(name);
    if (found != theirs.end()) out.tensors.push_back(compared(name, statistics, found->second));
  }
  if (out.tensors.empty()) return Error{ErrorCode::invalid_argument, say(NumericsMsg::dumps_apart)};
  return out;
}

}  // namespace scoville::evidence

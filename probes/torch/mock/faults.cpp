#include "faults.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace scoville::mock {
namespace {

constexpr std::array<std::pair<std::string_view, Kind>, 9> kKinds{{{"missing", Kind::missing},
                                                                   {"fallback", Kind::fallback},
                                                                   {"wrong", Kind::wrong},
                                                                   {"wrong_device", Kind::wrong_device},
                                                                   {"slow", Kind::slow},
                                                                   {"abort", Kind::abort},
                                                                   {"hang", Kind::hang},
                                                                   {"oom", Kind::oom},
                                                                   {"bf16", Kind::bf16}}};

/// Operators that torch takes apart, and the part that a device gets to see.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kParts{
    {{"aten::softmax", "aten::_softmax"},
     {"aten::log_softmax", "aten::_log_softmax"},
     {"aten::matmul", "aten::mm"},
     {"aten::linear", "aten::addmm"},
     {"aten::layer_norm", "aten::native_layer_norm"},
     {"aten::group_norm", "aten::native_group_norm"},
     {"aten::conv1d", "aten::convolution_overrideable"},
     {"aten::conv2d", "aten::convolution_overrideable"},
     {"aten::dropout", "aten::native_dropout"},
     {"aten::cross_entropy_loss", "aten::nll_loss_forward"},
     {"aten::scaled_dot_product_attention", "aten::bmm"},
     {"aten::_scaled_dot_product_attention", "aten::bmm"},
     {"aten::repeat_interleave", "aten::index_select"}}};

Kind kind_named(std::string_view name) {
  for (const auto& [word, kind] : kKinds) {
    if (word == name) return kind;
  }
  throw std::invalid_argument("SCOVILLE_MOCK: no such fault: " + std::string(name));
}

std::size_t number_in(std::string_view word) {
  std::size_t number = 0;
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (failed != std::errc() || end != word.data() + word.size()) {
    throw std::invalid_argument("SCOVILLE_MOCK: not a number: " + std::string(word));
  }
  return number;
}

std::string part_of(std::string_view name) {
  const std::string_view base = name.substr(0, name.find('.'));
  for (const auto& [whole, part] : kParts) {
    if (whole == base) return std::string(part);
  }
  return std::string(base);
}

Fault fault_named(Kind kind, std::string_view word) {
  const std::size_t at = word.find('@');
  Fault fault{kind, part_of(word.substr(0, at))};
  if (fault.name != "all" && fault.name.find("::") == std::string::npos) {
    throw std::invalid_argument("SCOVILLE_MOCK: not an operator: " + std::string(word));
  }
  if (at == std::string_view::npos) return fault;
  const std::string_view calls = word.substr(at + 1);
  const std::size_t dash = calls.find('-');
  fault.first_call = number_in(calls.substr(0, dash));
  fault.last_call = dash == std::string_view::npos ? fault.first_call : number_in(calls.substr(dash + 1));
  return fault;
}

}  // namespace

std::vector<Fault> parse(std::string_view words) {
  std::vector<Fault> all;
  std::optional<Kind> kind;
  while (!words.empty()) {
    std::string_view word = words.substr(0, words.find(','));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
      kind = kind_named(word.substr(0, equals));
      word.remove_prefix(equals + 1);
    }
    if (!kind) throw std::invalid_argument("SCOVILLE_MOCK: a fault and an operator are expected: missing=aten::silu");
    all.push_back(fault_named(*kind, word));
  }
  return all;
}

std::vector<Fault>& faults() {
  static std::vector<Fault> all = [] {
    const char* words = std::getenv("SCOVILLE_MOCK");
    return parse(words ? words : "");
  }();
  return all;
}

std::optional<Kind> fault_in(const std::string& name) {
  static std::mutex mutex;  // the backward direction has a thread of its own
  const std::lock_guard lock(mutex);
  std::optional<Kind> found;
  for (Fault& fault : faults()) {
    if (fault.name != name && fault.name != "all") continue;
    ++fault.calls;
    if (fault.calls >= fault.first_call && fault.calls <= fault.last_call) found = fault.kind;
  }
  return found;
}

bool is_strict() {
  static const bool is = [] {
    const char* word = std::getenv("SCOVILLE_MOCK_STRICT");
    return word && std::string_view(word) == "1";
  }();
  return is;
}

}  // namespace scoville::mock

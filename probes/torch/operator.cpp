#include "operator.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>

#include "base/json_text.hpp"
#include "boxed.hpp"
#include "compare_results.hpp"
#include "devices.hpp"
#include "explain.hpp"
#include "observer.hpp"

namespace scoville::torch_probe {
namespace {

/// What all cases of a question share.
struct Subject {
  std::string name;
  std::optional<c10::OperatorHandle> op, reference;
  std::size_t reference_inputs = ~std::size_t{};
  std::string compare = "values";
  std::vector<std::size_t> outputs, written;
  std::uint64_t seed = 0;
  c10::Device device = c10::Device(c10::DeviceType::CPU);
};

/// What one call gave.
struct Ran {
  std::vector<at::Tensor> compared;
  at::Tensor input;  ///< of `kept_or_dropped`: what the elements were before
  std::int64_t time_ns = 0;
};

class Ear final : public WarningEar {
 public:
  explicit Ear(bool listens) {
    if (!listens) return;
    before_ = warnings::get_warning_handler();
    was_always_ = warnings::get_warnAlways();
    warnings::set_warnAlways(true);
    warnings::set_warning_handler(this);
  }
  ~Ear() override {
    if (!before_) return;
    warnings::set_warning_handler(before_);
    warnings::set_warnAlways(was_always_);
  }
  void hear(const std::string& words) override {
    const std::string first = words.substr(0, words.find('\n'));
    const std::lock_guard lock(mutex_);
    if (heard_.size() < 8 && std::find(heard_.begin(), heard_.end(), first) == heard_.end()) heard_.push_back(first);
  }
  json::array heard() const { return json::array(heard_.begin(), heard_.end()); }

 private:
  WarningHandler* before_ = nullptr;
  bool was_always_ = false;
  std::mutex mutex_;
  std::vector<std::string> heard_;
};

std::vector<std::size_t> places_in(const json::object& params, std::string_view key) {
  std::vector<std::size_t> places;
  const json::value* list = params.if_contains(key);
  if (!list) return places;
  if (!list->is_array()) throw std::invalid_argument(std::string(key) + ": a list is expected");
  for (const json::value& each : list->as_array()) places.push_back(each.to_number<std::size_t>());
  return places;
}

Subject subject_of(const probe::Question& question) {
  Subject subject;
  subject.device = device_named(question.device);
  subject.name = question.text("operator");
  if (subject.name.empty()) throw std::invalid_argument("operator: a name is expected");
  subject.op = operator_named(subject.name);
  if (const json::value* others = question.params.if_contains("alternatives"); others && others->is_array()) {
    for (const json::value& other : others->as_array()) {
      if (subject.op || !other.is_string()) continue;
      subject.op = operator_named(std::string(other.as_string()));
      if (subject.op) subject.name = std::string(other.as_string());
    }
  }
  subject.reference = subject.op;
  if (const json::value* reference = question.params.if_contains("reference"); reference && reference->is_object()) {
    subject.reference = operator_named(text_in(reference->as_object(), "name", ""));
    if (const json::value* inputs = reference->as_object().if_contains("inputs")) {
      subject.reference_inputs = inputs->to_number<std::size_t>();
    }
  }
  subject.compare = question.text("compare", "values");
  subject.outputs = places_in(question.params, "outputs");
  subject.written = places_in(question.params, "written");
  subject.seed = static_cast<std::uint64_t>(question.number("seed", 0));
  return subject;
}

/// Tensors among what a call returned.
void take_tensors(const c10::IValue& value, std::vector<at::Tensor>& into) {
  if (value.isTensor()) {
    into.push_back(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& each : value.toTensorVector()) into.push_back(each);
  }
}

std::vector<at::Tensor> compared_in(const Subject& subject, const Call& call, bool is_reference_of_other) {
  std::vector<at::Tensor> all, chosen;
  for (const c10::IValue& each : call.stack) take_tensors(each, all);
  if (subject.outputs.empty() && subject.written.empty()) chosen = all;
  for (const std::size_t output : subject.outputs) {
    if (is_reference_of_other) return all;
    if (output < all.size()) chosen.push_back(all[output]);
  }
  for (const std::size_t argument : subject.written) {
    if (argument >= call.tensors.size()) continue;
    chosen.insert(chosen.end(), call.tensors[argument].begin(), call.tensors[argument].end());
  }
  return chosen;
}

/// The gradients of what takes part, for cotangents that are the same on every device.
std::vector<at::Tensor> gradients(const std::vector<at::Tensor>& results, Call& call,
                                  std::vector<at::Tensor>& cotangents, std::uint64_t seed) {
  const bool makes = cotangents.empty();
  std::size_t next = 0;
  for (const at::Tensor& result : results) {
    if (!result.is_floating_point() || !result.requires_grad()) continue;
    if (makes) {
      const TensorSpec spec{result.sizes().vec(), result.scalar_type(), "normal"};
      cotangents.push_back(values_of({Argument{"", {spec}, false, false, {}}}, seed + 0x9e37 + next).front());
    }
    const at::Tensor cotangent = cotangents.at(next++).to(result.options());
    result._backward(call.with_gradient, cotangent, true, false);
  }
  if (next == 0) throw std::runtime_error("no result takes part in the backward direction");
  std::vector<at::Tensor> all;
  for (const at::Tensor& input : call.with_gradient) all.push_back(input.grad());
  return all;
}

/// One call, forward and perhaps backward, on whatever device its tensors are.
Ran ran(const Subject& subject, const c10::OperatorHandle& op, Call& call, std::vector<at::Tensor>& cotangents,
        bool backward, bool is_reference_of_other) {
  const at::AutoGradMode with_gradients(backward);
  Ran made;
  if (!call.tensors.empty() && !call.tensors.front().empty()) made.input = call.tensors.front().front();
  const auto from = std::chrono::steady_clock::now();
  op.callBoxed(&call.stack);
  made.compared = compared_in(subject, call, is_reference_of_other);
  if (backward) made.compared = gradients(made.compared, call, cotangents, subject.seed);
  synchronise(subject.device);
  made.time_ns = std::chrono::nanoseconds(std::chrono::steady_clock::now() - from).count();
  return made;
}

json::object evidence_of(const Observer& observer) {
  json::array evidence;
  std::int64_t bytes = 0;
  for (const HostCall& one : observer.seen()) {
    bytes += one.bytes;
    evidence.push_back({{"call", one.call}, {"inside", one.inside}, {"bytes", one.bytes}, {"calls", one.calls}});
  }
  return {{"evidence", std::move(evidence)}, {"bytes", bytes}};
}

void put(json::object& row, const Distance& by) {
  row["rel_l2"] = number_or_null(by.rel_l2);
  row["max_abs"] = number_or_null(by.max_abs);
  row["mismatched"] = by.mismatched;
  row["nan"] = by.nan;
  row["shape_differs"] = by.shape_differs;
}

/// What is right: the operator in double precision on the CPU; empty, with the words, where the CPU refuses.
std::vector<at::Tensor> reference_of(const Subject& subject, const std::vector<Argument>& arguments,
                                     const std::vector<at::Tensor>& values, std::vector<at::Tensor>& cotangents,
                                     bool backward, std::string& refusal) {
  if (!subject.reference) {
    refusal = "the reference's operator is not in this build";
    return {};
  }
  const bool is_other = subject.reference_inputs != ~std::size_t{};
  try {
    const auto widen = [&](const at::Tensor& plain, const TensorSpec&) {
      return plain.is_floating_point() || is_other ? plain.to(at::kDouble) : plain.clone();
    };
    Call call = call_with(arguments, values, subject.reference_inputs, true, backward, widen, *subject.reference);
    Subject on_cpu = subject;
    on_cpu.device = c10::Device(c10::DeviceType::CPU);
    return ran(on_cpu, *subject.reference, call, cotangents, backward, is_other).compared;
  } catch (const std::exception& wrong) {
    refusal = explain(wrong).message;
    return {};
  }
}

/// Threads of the CPU's operators for one question: one, unless asked otherwise, for the calls are so small that
/// several would only wait for each other.
class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(std::max(count, 1)); }
  ~Threads() { at::set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

json::object absent(const std::string& message) {
  return {{"outcome", "absent"}, {"reason", probe::name_of(probe::Reason::absent_in_torch)}, {"message", message}};
}

json::object refused(const probe::Fault& fault) {
  return {{"outcome", "refused"}, {"reason", probe::name_of(fault.reason)}, {"message", fault.message}};
}

/// Ran on the device, observed; the row so far, and the results.
json::object observed(const Subject& subject, Call& call, std::vector<at::Tensor>& cotangents, bool backward,
                      Ran& made) {
  const bool is_observed = !subject.device.is_cpu();
  Ear ear(is_observed);
  json::object row{{"outcome", "ran"}, {"reason", nullptr}, {"message", ""}, {"called", subject.name}};
  std::unique_ptr<Observer> observer;
  if (is_observed) observer = std::make_unique<Observer>(subject.device.type());
  try {
    made = ran(subject, *subject.op, call, cotangents, backward, false);
  } catch (const std::bad_alloc&) {
    row = refused({probe::Reason::oom, "the host has no memory left"});
  } catch (const std::exception& wrong) {
    row = refused(explain(wrong));
  }
  row["fallback"] = observer ? json::value(evidence_of(*observer)) : json::value(nullptr);
  row["warnings"] = ear.heard();
  return row;
}

json::object answer_case(const Subject& subject, const json::object& asked) {
  if (!subject.op) return absent("this build of torch has no " + subject.name);
  const json::value* described = asked.if_contains("arguments");
  if (!described || !described->is_array()) throw std::invalid_argument("arguments: a list is expected");
  const std::optional<std::vector<Argument>> arguments = arguments_in(described->as_array());
  if (!arguments) return absent("this build of torch has no such dtype");
  const bool backward = text_in(asked, "direction", "forward") == "backward";
  const std::vector<at::Tensor> values = values_of(*arguments, subject.seed);
  const auto place = [&](const at::Tensor& plain, const TensorSpec& spec) {
    return spec.stays_on_host || subject.device.is_cpu() ? plain.clone() : plain.to(subject.device);
  };
  std::vector<at::Tensor> cotangents;
  Ran made;
  json::object row;
  try {
    Call call = call_with(*arguments, values, ~std::size_t{}, false, backward, place, *subject.op);
    row = observed(subject, call, cotangents, backward, made);
  } catch (const SchemaMismatch& other) {
    return absent("this build's " + subject.name + " takes other arguments: " + other.what());
  } catch (const c10::Error& wrong) {
    return refused({explain(wrong).reason, "bringing the inputs to the device: " + explain(wrong).message});
  }
  if (row["outcome"] != "ran") return row;
  row["time_ns"] = made.time_ns;
  row["device_of_result"] = made.compared.empty() || !made.compared.front().defined()
                                ? json::value(nullptr)
                                : json::value(made.compared.front().device().str());
  row["no_reference"] = "";
  if (subject.compare == "kept_or_dropped") {
    put(row, distance_kept_or_dropped(made.compared.at(0), backward ? cotangents.at(0) : made.input));
    return row;
  }
  std::string refusal;
  const std::vector<at::Tensor> right = reference_of(subject, *arguments, values, cotangents, backward, refusal);
  if (refusal.empty()) {
    put(row, distance(made.compared, right, subject.compare == "magnitudes"));
  } else {
    put(row, {});
    row["no_reference"] = refusal;
  }
  return row;
}

}  // namespace

probe::Answer answer_operator(const probe::Question& question, probe::Speaker& speaker) {
  const Subject subject = subject_of(question);
  std::string why_none;
  if (count_of(subject.device.type(), &why_none) <= std::max<int>(subject.device.index(), 0)) {
    return probe::Fault{probe::Reason::no_device, why_none.empty() ? "no such device: " + question.device : why_none};
  }
  const json::value* cases = question.params.if_contains("cases");
  if (!cases || !cases->is_array()) throw std::invalid_argument("cases: a list is expected");
  const Threads threads(static_cast<int>(question.number("threads", 1)));
  for (const json::value& each : cases->as_array()) {
    if (!each.is_object()) throw std::invalid_argument("cases: objects are expected");
    json::object row;
    if (const json::value* number = each.as_object().if_contains("case")) row["case"] = *number;
    for (auto& member : answer_case(subject, each.as_object())) row[member.key()] = std::move(member.value());
    speaker.row(std::move(row));
  }
  return json::object{};
}

}  // namespace scoville::torch_probe

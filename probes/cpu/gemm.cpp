#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "asked.hpp"
#include "handlers.hpp"
#include "machine.hpp"
#include "matmul.hpp"
#include "threads.hpp"

namespace scoville::cpu_probe {
namespace {

using probe::Fault;
using probe::Reason;

constexpr std::array<std::string_view, 3> kTypes{"fp32", "bf16", "int8"};
constexpr std::array<std::string_view, 5> kOthers{"fp64", "tf32", "fp16", "fp8_e4m3", "fp8_e5m2"};

std::optional<Type> type_named(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name);
  if (found == kTypes.end()) return std::nullopt;
  return static_cast<Type>(found - kTypes.begin());
}

/// fp16: asked of oneDNN, in whose words it says no. The others have no name in its types.
Fault refusal(const Shape& shape, const std::string& type) {
  if (type != "fp16") return {Reason::unsupported, "oneDNN's CPU matmul has no type for " + type};
  using dnnl::memory;
  const auto dims = [](std::size_t a, std::size_t b) {
    return memory::dims{static_cast<memory::dim>(a), static_cast<memory::dim>(b)};
  };
  const auto half = memory::data_type::f16;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  try {
    const dnnl::matmul::desc wanted({dims(shape.m, shape.k), half, memory::format_tag::ab},
                                    {dims(shape.k, shape.n), half, memory::format_tag::any},
                                    {dims(shape.m, shape.n), half, memory::format_tag::ab});
    (void)dnnl::matmul::primitive_desc(wanted, engine);
  } catch (const dnnl::error& failure) {
    return {Reason::unsupported,
            fmt::format("oneDNN: {} (status {})", failure.what(), static_cast<int>(failure.status))};
  }
  return {Reason::unsupported, "this probe does not measure fp16"};
}

json::object fault_json(const Fault& fault) {
  return {{"reason", std::string(name_of(fault.reason))}, {"message", fault.message}};
}

void measure_into(json::object& row, const Shape& shape, Type type, const AskedTiming& timing,
                  const probe::Question& question) {
  Matmul product(shape, type, static_cast<std::uint64_t>(question.number("seed", 1)));
  row["kernel"] = product.kernel();
  product.run();
  product.wait();
  if (question.flag("verify", true)) {
    const Distance distance = product.distance();
    const std::size_t poisoned = product.still_poisoned();
    row["rel_l2"] = std::isfinite(distance.rel_l2) ? json::value(distance.rel_l2) : json::value(nullptr);
    row["max_abs"] = std::isfinite(distance.max_abs) ? json::value(distance.max_abs) : json::value(nullptr);
    row["poisoned"] = poisoned;
    if (poisoned > 0 || !std::isfinite(distance.rel_l2)) {
      row["fault"] = fault_json({Reason::wrong_result, fmt::format("{} elements were not written", poisoned)});
    }
  }
  put_times(row, {[&] { product.run(); }, [&] { product.wait(); }}, timing);
}

json::object row_of(const Shape& shape, const std::string& type, const AskedTiming& timing,
                    const probe::Question& question, const Threads& threads) {
  json::object row{{"label", shape.label}, {"m", shape.m},  {"n", shape.n},     {"k", shape.k},
                   {"batch", shape.batch}, {"dtype", type}, {"kernel", nullptr}};
  put_threads(row, threads);
  const std::optional<Type> known = type_named(type);
  if (!known) {
    row["fault"] = fault_json(refusal(shape, type));
    return row;
  }
  const std::size_t room = memory_room().bytes;
  const double needed = Matmul::bytes_of(shape, *known);
  if (needed + static_cast<double>(memory_reserve(room)) > static_cast<double>(room)) {
    row["fault"] =
        fault_json({Reason::oom, fmt::format("{:.0f} bytes are needed, {} are available, of which a part is left alone",
                                             needed, room)});
    return row;
  }
  try {
    measure_into(row, shape, *known, timing, question);
  } catch (const dnnl::error& failure) {
    const Reason reason = failure.status == dnnl_out_of_memory   ? Reason::oom
                          : failure.status == dnnl_unimplemented ? Reason::unsupported
                                                                 : Reason::failed;
    row["fault"] =
        fault_json({reason, fmt::format("oneDNN: {} (status {})", failure.what(), static_cast<int>(failure.status))});
  } catch (const std::bad_alloc&) {
    row["fault"] = fault_json({Reason::oom, "out of memory"});
  }
  return row;
}

Shape shape_of(const json::object& object) {
  Shape shape{"", size_in(object, "m"), size_in(object, "n"), size_in(object, "k"), size_in(object, "batch", 1)};
  if (const json::value* label = object.if_contains("label"); label && label->is_string())
    shape.label = label->as_string();
  return shape;
}

}  // namespace

probe::Answer gemm(const probe::Question& question, probe::Speaker& speaker) {
  const Threads threads = use_threads(question);
  const AskedTiming timing = asked_timing(question);
  std::vector<Shape> shapes;
  for (const json::object& each : asked_objects(question, "shapes")) shapes.push_back(shape_of(each));
  if (shapes.empty()) throw std::invalid_argument("shapes: at least one {m, n, k} expected");
  const std::vector<std::string> types = asked_words(question, "dtypes", {kTypes.begin(), kTypes.end()});
  for (const std::string& type : types) {
    if (!type_named(type) && std::ranges::find(kOthers, type) == kOthers.end()) {
      throw std::invalid_argument("dtypes: \"" + type + "\" is no type of this question");
    }
  }
  std::size_t done = 0;
  for (const std::string& type : types) {
    for (const Shape& shape : shapes) {
      speaker.progress(done++, types.size() * shapes.size(),
                       fmt::format("{} {} x {} x {}", type, shape.m, shape.n, shape.k));
      speaker.row(row_of(shape, type, timing, question, threads));
    }
  }
  return json::object{};
}

}  // namespace scoville::cpu_probe

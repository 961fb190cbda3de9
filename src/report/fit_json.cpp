#include "report/fit.hpp"

namespace scoville::report {
namespace {

using fit::Answer;

json::value millis(std::optional<double> seconds) {
  return seconds ? json::value(*seconds * 1e3) : json::value(nullptr);
}

json::value count_or_null(std::optional<std::size_t> count) {
  return count ? json::value(*count) : json::value(nullptr);
}

json::value size_or_null(std::optional<std::uint64_t> size) { return size ? json::value(*size) : json::value(nullptr); }

json::value flag_or_null(std::optional<bool> flag) { return flag ? json::value(*flag) : json::value(nullptr); }

json::object model_json(const fit::ModelShape& shape) {
  json::object out{{"name", shape.name},
                   {"architecture", shape.architecture},
                   {"dtype", shape.dtype},
                   {"quantisation", shape.quantisation},
                   {"computes_in", shape.format.compute},
                   {"layers", size_or_null(shape.layers)},
                   {"hidden_size", size_or_null(shape.hidden)},
                   {"heads", size_or_null(shape.heads)},
                   {"kv_heads", size_or_null(shape.kv_heads)},
                   {"head_dim", size_or_null(shape.head_dim)},
                   {"vocabulary", size_or_null(shape.vocabulary)},
                   {"tied_embeddings", flag_or_null(shape.ties_embeddings)},
                   {"context_trained", size_or_null(shape.context_trained)},
                   {"latent_attention", nullptr},
                   {"experts", nullptr},
                   {"window", shape.window},
                   {"window_layers", shape.window_layers},
                   {"linear_layers", shape.linear_layers},
                   {"parameters", number_or_null(shape.parameters)},
                   {"weight_bytes", number_or_null(shape.weight_bytes)},
                   {"weights_from", fit::name_of(shape.weights_from)}};
  if (shape.latent)
    out["latent_attention"] = {{"kv_rank", shape.latent->kv_rank}, {"rope_dim", shape.latent->rope_dim}};
  if (shape.experts) out["experts"] = {{"count", shape.experts->count}, {"per_token", shape.experts->per_token}};
  return out;
}

json::object ask_json(const fit::Ask& ask) {
  return {{"context", ask.context},
          {"output_tokens", number_or_null(ask.output_tokens)},
          {"concurrency", ask.concurrency},
          {"devices", count_or_null(ask.devices)},
          {"precision", ask.precision ? json::value(ask.precision->name) : json::value(nullptr)},
          {"kv_bytes_per_value", ask.kv_bytes_per_value},
          {"engine", ask.engine.empty() ? json::value(nullptr) : json::value(ask.engine)},
          {"memory_share", ask.allowance.share},
          {"overhead_bytes", ask.allowance.overhead}};
}

json::value work_json(const std::optional<fit::StepWork>& work) {
  if (!work) return nullptr;
  return json::object{
      {"weight_bytes", work->weight_bytes}, {"cache_bytes", work->cache_bytes}, {"operations", work->operations}};
}

json::object tpot_json(const Answer& answer) {
  return {{"floor_ms", millis(answer.tpot.seconds)},
          {"bound", fit::name_of(answer.tpot.bound)},
          {"twice_compute_ms",
           answer.tpot.bound == fit::Bound::unknown ? nullptr : millis(answer.tpot_twice_compute.seconds)},
          {"twice_bandwidth_ms", millis(answer.tpot_twice_bandwidth.seconds)},
          {"ridge_concurrency", number_or_null(answer.ridge_batch)},
          {"per_device", work_json(answer.decode)}};
}

json::array texts(const std::vector<std::string>& list) { return json::array(list.begin(), list.end()); }

json::value engine_json(const Answer& answer) {
  if (!answer.engine) return nullptr;
  json::array facts;
  for (const fit::SupportFact& each : answer.engine->facts) {
    facts.push_back(json::object{{"loads", fit::name_of(each.loads)},
                                 {"on", texts(each.devices)},
                                 {"quantisation", texts(each.quantisations)},
                                 {"architecture", texts(each.architectures)},
                                 {"source", each.source},
                                 {"version", each.version},
                                 {"date", each.date},
                                 {"note", each.note}});
  }
  return json::object{
      {"name", answer.ask.engine},
      {"loads", fit::name_of(answer.engine->loads)},
      {"quantisation",
       {{"name", fit::quantisation_of(answer.shape)}, {"loads", fit::name_of(answer.engine->quantisation)}}},
      {"architecture",
       {{"name", fit::family_of(answer.shape.architecture)}, {"loads", fit::name_of(answer.engine->architecture)}}},
      {"facts", std::move(facts)}};
}

json::object answer_json(const Answer& answer) {
  json::array lacks;
  for (const fit::Lack each : answer.lacks) lacks.emplace_back(fit::name_of(each));
  return {{"device", device_json(answer.device)},
          {"devices", answer.devices},
          {"smallest_devices", count_or_null(answer.smallest_devices)},
          {"fits", fit::name_of(answer.fits)},
          {"heads_split", fit::name_of(answer.splits)},
          {"verdict", fit::name_of(answer.overall())},
          {"lacks", std::move(lacks)},
          {"weight_bytes", number_or_null(answer.weight_bytes)},
          {"kv_bytes_per_token", number_or_null(answer.kv_bytes_per_token)},
          {"kv_bytes_per_token_and_device", number_or_null(answer.kv_bytes_per_device_token)},
          {"usable_bytes_per_device", number_or_null(answer.usable_bytes)},
          {"cache_room_bytes_per_device", number_or_null(answer.room_bytes)},
          {"longest_context", number_or_null(answer.longest_context)},
          {"largest_concurrency", number_or_null(answer.largest_concurrency)},
          {"computes_in", answer.shape.format.compute},
          {"roof",
           {{"bytes_per_s", number_or_null(answer.roof.bandwidth)},
            {"operations_per_s", number_or_null(answer.roof.peak)}}},
          {"tpot", tpot_json(answer)},
          {"ttft",
           {{"floor_ms", millis(answer.ttft.seconds)},
            {"bound", fit::name_of(answer.ttft.bound)},
            {"per_device", work_json(answer.prefill)}}},
          {"engine", engine_json(answer)}};
}

json::value value_json(const std::optional<fit::Value>& value) {
  if (!value) return nullptr;
  return json::object{{"value", value->value},
                      {"source", value->source},
                      {"date", value->date},
                      {"confidence", fit::name_of(value->confidence)}};
}

}  // namespace

json::object device_json(const fit::Device& device) {
  json::array purposes;
  if (device.is_for_inference) purposes.emplace_back("inference");
  if (device.is_for_training) purposes.emplace_back("training");
  json::object peaks;
  for (std::size_t i = 0; i < fit::kPrecisionCount; ++i) {
    const auto precision = static_cast<fit::Precision>(i);
    const fit::Peak& peak = device.peak(precision);
    peaks[fit::name_of(precision)] = peak.is_absent ? json::value("none") : value_json(peak.value);
  }
  return {{"id", device.id},
          {"vendor", device.vendor},
          {"family", device.family},
          {"name", device.name},
          {"prints", texts(device.prints)},
          {"one_is", fit::name_of(device.one_is)},
          {"designed_for", std::move(purposes)},
          {"status", fit::name_of(device.status)},
          {"note", device.note},
          {"memory_bytes", value_json(device.memory)},
          {"bytes_per_s", value_json(device.bandwidth)},
          {"power_w", value_json(device.power)},
          {"link_bytes_per_s", value_json(device.link)},
          {"cache_bytes", value_json(device.cache)},
          {"operations_per_s", std::move(peaks)},
          {"best_bf16_operations_per_s", value_json(device.best_bf16)},
          {"best_fp8_operations_per_s", value_json(device.best_fp8)}};
}

json::object devices_json(const fit::Catalogue& catalogue) {
  json::array devices;
  for (const fit::Device& each : catalogue.all()) devices.push_back(device_json(each));
  return {{"schema", "scoville.devices/1"}, {"devices", std::move(devices)}};
}

json::object fit_json(const FitView& view) {
  json::array answers;
  for (const Answer& each : view.answers) answers.push_back(answer_json(each));
  return {{"schema", "scoville.fit/1"},
          {"model_path", view.path},
          {"model", model_json(view.shape)},
          {"asked", ask_json(view.answers.front().ask)},
          {"is_measured", false},
          {"answers", std::move(answers)}};
}

}  // namespace scoville::report

#include <algorithm>
#include <filesystem>
#include <vector>

#include "environment/gguf_header.hpp"
#include "environment/model_config.hpp"
#include "environment/model_source.hpp"
#include "environment/weight_files.hpp"
#include "fit/model.hpp"
#include "text/catalogue/fit.hpp"

namespace scoville::fit {
namespace {

namespace fs = std::filesystem;
using event::Fingerprint;

Error wrong(ErrorCode code, std::string sentence) { return {code, std::move(sentence)}; }

double bytes_of(const std::string& folder, const std::vector<std::string>& names) {
  double sum = 0;
  for (const std::string& name : names) {
    std::error_code ignored;
    const std::uintmax_t size = fs::file_size(fs::path(folder) / name, ignored);
    if (!ignored) sum += static_cast<double>(size);
  }
  return sum;
}

/// A folder may hold the same weights in two formats: those that engines prefer count.
std::vector<std::string> weights_in(const std::string& folder) {
  std::vector<std::string> names = environment::weight_file_names(folder);
  const auto is_safe = [](const std::string& name) { return name.ends_with(".safetensors"); };
  if (std::any_of(names.begin(), names.end(), is_safe)) std::erase_if(names, std::not_fn(is_safe));
  return names;
}

/// What the index of split weights says they come to: present without the weights themselves.
std::optional<double> indexed_bytes(const std::string& folder) {
  const json::value held = environment::read_json_file(folder + "/model.safetensors.index.json");
  const json::object* const object = held.if_object();
  const json::value* const meta = object ? object->if_contains("metadata") : nullptr;
  const json::value* const size = meta && meta->is_object() ? meta->get_object().if_contains("total_size") : nullptr;
  if (!size || !size->is_number() || size->to_number<double>() <= 0) return std::nullopt;
  return size->to_number<double>();
}

Result<ModelShape> read_gguf(const std::string& folder, const std::vector<std::string>& names) {
  const Result<environment::GgufHeader> header =
      environment::read_gguf_header((fs::path(folder) / names.front()).string());
  if (!header) return header.error();
  Fingerprint found;
  environment::read_gguf_fields(*header, found);
  ModelShape out = shape_of(found);
  out.weight_bytes = bytes_of(folder, names);
  out.weights_from = WeightsFrom::files;
  return out;
}

Result<ModelShape> read_folder(const std::string& folder) {
  Fingerprint found;
  environment::read_model_config(folder, found);
  ModelShape out = shape_of(found);
  if (out.name.empty()) out.name = fs::path(folder).lexically_normal().filename();
  if (const double bytes = bytes_of(folder, weights_in(folder)); bytes > 0) {
    out.weight_bytes = bytes;
    out.weights_from = WeightsFrom::files;
  } else if (const std::optional<double> indexed = indexed_bytes(folder)) {
    out.weight_bytes = indexed;
    out.weights_from = WeightsFrom::index;
  }
  return out;
}

}  // namespace

Result<ModelShape> read_shape(const std::string& path) {
  using text::FitMsg;
  using text::say;
  std::error_code fault;
  const fs::file_status status = fs::status(path, fault);
  if (fs::is_regular_file(status) && fs::path(path).extension() == ".json") {
    const fs::path parent = fs::path(path).parent_path();
    return read_shape(parent.empty() ? "." : parent.string());  // somebody named config.json itself
  }
  if (fs::is_regular_file(status)) {
    const fs::path given(path);
    Result<ModelShape> out =
        read_gguf(given.has_parent_path() ? given.parent_path().string() : ".", {given.filename().string()});
    if (out && out->name.empty()) out->name = given.stem();
    return out;
  }
  if (!fs::is_directory(status)) return wrong(ErrorCode::not_found, say(FitMsg::no_such_path));
  const std::string folder = environment::model_folder(path);
  if (fs::exists(folder + "/config.json")) {
    if (!environment::read_json_file(folder + "/config.json").is_object())
      return wrong(ErrorCode::invalid_argument, say(FitMsg::config_unreadable));
    return read_folder(folder);
  }
  const std::vector<std::string> names = environment::weight_file_names(folder);
  if (names.empty() || !names.front().ends_with(".gguf"))
    return wrong(ErrorCode::invalid_argument, say(FitMsg::nothing_describes));
  if (names.size() > 1 && names.front().find("-of-") == std::string::npos)
    return wrong(ErrorCode::invalid_argument, say(FitMsg::several_gguf, names[0], names[1]));
  return read_gguf(folder, names);
}

}  // namespace scoville::fit

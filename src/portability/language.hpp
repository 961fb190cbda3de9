#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scoville::portability {

/// What a file is written in, as far as rules and comments tell it apart. `cuda` is device code of any vendor: .cu,
/// .cuh, .hip.
enum class Language : std::uint8_t { python, cpp, cuda, shell, dockerfile, cmake, yaml, toml, requirements };

const std::vector<std::string>& language_names();
std::string_view name_of(Language language);

/// By the name of the file, its folder not looked at: "Dockerfile.cuda", "requirements-dev.txt", "ops.cu". None: not a
/// kind that is read.
std::optional<Language> language_of(std::string_view file_name);
/// A Jupyter notebook, whose cells are read one by one.
bool is_notebook(std::string_view file_name);

}  // namespace scoville::portability

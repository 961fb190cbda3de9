#include "portability/language.hpp"

#include <array>
#include <utility>

namespace scoville::portability {
namespace {

using Ending = std::pair<std::string_view, Language>;
constexpr std::array kEndings{Ending{".py", Language::python},   Ending{".pyi", Language::python},
                              Ending{".pyx", Language::python},  Ending{".c", Language::cpp},
                              Ending{".cc", Language::cpp},      Ending{".cpp", Language::cpp},
                              Ending{".cxx", Language::cpp},     Ending{".h", Language::cpp},
                              Ending{".hh", Language::cpp},      Ending{".hpp", Language::cpp},
                              Ending{".hxx", Language::cpp},     Ending{".inl", Language::cpp},
                              Ending{".cu", Language::cuda},     Ending{".cuh", Language::cuda},
                              Ending{".hip", Language::cuda},    Ending{".sh", Language::shell},
                              Ending{".bash", Language::shell},  Ending{".mk", Language::shell},
                              Ending{".cmake", Language::cmake}, Ending{".dockerfile", Language::dockerfile},
                              Ending{".yml", Language::yaml},    Ending{".yaml", Language::yaml},
                              Ending{".toml", Language::toml}};

}  // namespace

const std::vector<std::string>& language_names() {
  static const std::vector<std::string> names{"python", "cpp",  "cuda", "shell",       "dockerfile",
                                              "cmake",  "yaml", "toml", "requirements"};
  return names;
}

std::string_view name_of(Language language) { return language_names()[static_cast<std::size_t>(language)]; }

std::optional<Language> language_of(std::string_view name) {
  if (name == "CMakeLists.txt") return Language::cmake;
  if (name == "Makefile" || name == "makefile" || name == "GNUmakefile") return Language::shell;
  for (const std::string_view stem : {"Dockerfile", "dockerfile", "Containerfile"}) {
    if (name == stem || (name.starts_with(stem) && name[stem.size()] == '.')) return Language::dockerfile;
  }
  const bool lists_packages = name.find("requirement") != name.npos || name.starts_with("constraints");
  if (name.ends_with(".txt") && lists_packages) return Language::requirements;
  for (const auto& [ending, language] : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending)) return language;
  }
  return std::nullopt;
}

bool is_notebook(std::string_view name) { return name.ends_with(".ipynb"); }

}  // namespace scoville::portability

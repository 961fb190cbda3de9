#include "stack.hpp"

#include <ATen/Version.h>
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "shim.hpp"

namespace scoville::torch_probe {
namespace {

namespace fs = std::filesystem;
using Text = std::optional<std::string>;

template <class Function>
Function symbol(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

json::value text_or_null(const Text& text) { return text ? json::value(*text) : json::value(); }

/// The file, mapped into this process, whose name begins like this.
Text loaded(const std::string& beginning) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t slash = line.find('/');
    if (slash == std::string::npos) continue;
    const std::string path = line.substr(slash);
    if (fs::path(path).filename().string().rfind(beginning, 0) == 0) return path;
  }
  return std::nullopt;
}

/// Of a Debian package, from dpkg's own tables.
Text version_of(const std::string& package) {
  std::ifstream status("/var/lib/dpkg/status");
  bool is_it = false;
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("Package: ", 0) == 0) is_it = line.substr(9) == package;
    if (is_it && line.rfind("Version: ", 0) == 0) return line.substr(9);
  }
  return std::nullopt;
}

Text debian_package(const std::string& file) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator("/var/lib/dpkg/info", failed)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".list" || name.find("torch") == std::string::npos) continue;
    std::ifstream list(entry.path());
    for (std::string line; std::getline(list, line);) {
      if (line != file) continue;
      const std::string package = name.substr(0, name.find_first_of(":")).substr(0, name.rfind(".list"));
      return package + " " + version_of(package).value_or("(version unknown)");
    }
  }
  return std::nullopt;
}

/// What torch/version.py of a Python package says of one name: "'12.8'" without its quotes.
Text python_says(const fs::path& library, const std::string& name) {
  std::ifstream lines(library.parent_path().parent_path() / "version.py");
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(name, 0) != 0) continue;
    const std::size_t open = line.find('\''), close = line.rfind('\'');
    if (open != std::string::npos && close > open) return line.substr(open + 1, close - open - 1);
  }
  return std::nullopt;
}

Text package_of(const Text& library) {
  if (!library) return std::nullopt;
  if (const Text package = debian_package(*library)) return package;
  if (const Text version = python_says(*library, "__version__")) return "torch " + *version;
  return std::nullopt;
}

/// The rest of the line of at::show_config() in which these words stand.
Text configured(const std::string& words, const std::string& until) {
  const std::string all = at::show_config();
  const std::size_t found = all.find(words);
  if (found == std::string::npos) return std::nullopt;
  const std::size_t from = found + words.size();
  return all.substr(from, all.find_first_of(until, from) - from);
}

/// 0: one thread, 1: pthreads, 2: OpenMP.
std::optional<int> openblas_kind() {
  if (const auto call = symbol<int (*)()>("openblas_get_parallel")) return call();
  return std::nullopt;
}

json::object blas() {
  json::object blas{
      {"built_for", text_or_null(configured("BLAS_INFO=", ",\n"))}, {"library", nullptr}, {"version", nullptr}};
  for (const char* name :
       {"libopenblas", "libscipy_openblas", "libmkl_core", "libmkl_rt", "libblis", "libarmpl", "libblas"}) {
    if (const Text path = loaded(name)) {
      blas["library"] = *path;
      break;
    }
  }
  if (const auto call = symbol<char* (*)()>("openblas_get_config")) blas["version"] = call();
  if (const auto mkl = configured("oneAPI Math Kernel Library Version ", "\n")) blas["version"] = *mkl;
  if (const auto kind = openblas_kind()) blas["threads_by"] = *kind == 0 ? "none" : *kind == 1 ? "pthreads" : "openmp";
  return blas;
}

json::value variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? json::value(value) : json::value();
}

}  // namespace

json::object stack() {
  const Text library = loaded("libtorch_cpu.so");
  json::object stack{
      {"torch", TORCH_VERSION},
      {"abi", _GLIBCXX_USE_CXX11_ABI},
      {"package", text_or_null(package_of(library))},
      {"blas", blas()},
      {"openmp", text_or_null(loaded("libgomp") ? loaded("libgomp") : loaded("libiomp5"))},
      {"openmp_wait",
       {{"GOMP_SPINCOUNT", variable("GOMP_SPINCOUNT")}, {"OMP_WAIT_POLICY", variable("OMP_WAIT_POLICY")}}},
      {"onednn", text_or_null(configured("MKL-DNN v", " \n"))},
      {"cpu_capability", text_or_null(configured("CPU capability usage: ", "\n"))},
      {"cuda", nullptr},
      {"hip", nullptr}};
  if (library) {
    stack["cuda"] = text_or_null(python_says(*library, "cuda"));
    stack["hip"] = text_or_null(python_says(*library, "hip"));
  }
  return stack;
}

bool has_fighting_pools() {
  if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return false;
  return openblas_kind() == 1 && loaded("libgomp");
}

void use_blas_threads(int threads) {
  if (openblas_kind() != 1) return;
  if (const auto call = symbol<void (*)(int)>("openblas_set_num_threads")) call(threads);
}

}  // namespace scoville::torch_probe

#include "cli/system_options.hpp"

#include <doctest/doctest.h>

#include "base/file.hpp"
#include "environment/made_folder.hpp"

using namespace scoville;
using cli::SystemOptions;
using environment::MadeFolder;

namespace {

Status give(cli::Parameters& parameters, std::string_view name, std::string_view value) {
  for (const cli::Parameter& each : parameters.all()) {
    if (each.name == name) return each.set(value);
  }
  return Error{ErrorCode::invalid_argument, "no such flag"};
}

/// The message of the error that these flags lead to, before any server is asked.
std::string complaint(const std::vector<std::pair<std::string, std::string>>& flags) {
  SystemOptions options;
  cli::Parameters parameters;
  options.declare(parameters);
  for (const auto& [name, value] : flags) {
    if (Status given = give(parameters, name, value); !given) return given.error().message;
  }
  const Result<event::Fingerprint> gathered = options.gather({}, {});
  return gathered ? "" : gathered.error().message;
}

}  // namespace

TEST_CASE("a flag that names nothing usable is told in one line: the file, the field, what is expected") {
  MadeFolder folder;
  folder.file("text", "no json");
  folder.file("other.json", R"({"schema":"other/1"})");
  folder.file("field.json", R"({"schema":"scoville.fingerprint/1","fields":{"os.kernel":{"status":"fine"}}})");
  const std::string none = folder / "none";
  CHECK(complaint({{"--system", none}}) == "--system " + none + ": No such file or directory");
  CHECK(complaint({{"--system", folder / "text"}}).starts_with("--system " + (folder / "text") + ": schema: expected"));
  CHECK(complaint({{"--system", folder / "other.json"}}).find("schema: expected") != std::string::npos);
  CHECK(complaint({{"--system", folder / "field.json"}}).find("fields.os.kernel.status: expected") !=
        std::string::npos);
  CHECK(complaint({{"--model-path", none}}) == "--model-path " + none + ": No such file or directory");
  CHECK(complaint({{"--engine-arg", "tp"}}).find("NAME=VALUE") != std::string::npos);
  CHECK(complaint({{"--derived-from", "abc"}}).find("64") != std::string::npos);
  CHECK(complaint({{"--derived-from", std::string(64, 'A')}}).find("--model-path") != std::string::npos);
}

TEST_CASE("what is a hosted API is said by the fingerprint") {
  event::Fingerprint own, hosted;
  own.add("service.hosted", false, "host name");
  hosted.add("service.hosted", true, "host name");
  hosted.add("service.vendor", "groq", "host name");
  CHECK_FALSE(cli::is_hosted_service(own));
  CHECK_FALSE(cli::is_hosted_service({}));
  CHECK(cli::is_hosted_service(hosted));
  CHECK(cli::hosted_service_warning(hosted, "api.groq.com").sentence.english.find("groq") != std::string::npos);
}

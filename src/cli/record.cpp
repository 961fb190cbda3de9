#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstdio>

#include "base/byte_size.hpp"
#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/run_id.hpp"
#include "base/version.hpp"
#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "relay/ledger.hpp"
#include "relay/relay.hpp"

namespace scoville::cli {
namespace {

using namespace std::chrono_literals;
using text::Msg;
using text::say;

/// "HOST:PORT"; IPv6 in brackets.
Result<std::pair<std::string, std::uint16_t>> parse_listen(std::string_view given) {
  const Error expected{ErrorCode::invalid_argument, say(Msg::expected_listen)};
  const std::size_t colon = given.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return expected;
  std::string_view host = given.substr(0, colon);
  const std::string_view digits = given.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc() || end != digits.data() + digits.size()) return expected;
  const bool has_brackets = host.starts_with('[') && host.ends_with(']');
  if (has_brackets) host = host.substr(1, host.size() - 2);
  const bool is_bare_six = !has_brackets && host.find(':') != std::string_view::npos;
  if (host.empty() || is_bare_six || host.find_first_of("[]/@ ") != std::string_view::npos) return expected;
  return std::pair(std::string(host), port);
}

bool is_loopback(const std::string& host) { return host == "localhost" || host == "::1" || host.starts_with("127."); }

/// `scoville record`: a pass-through recorder.
class Record final : public Command {
 public:
  Record() {
    parameters_.under(Group::target);
    parameters_.add({"--to", "URL", Msg::flag_record_to, "", [this](std::string_view given) -> Status {
                       Result<wire::Url> url = wire::parse_url(given);
                       if (!url) return url.error();
                       to_ = *url;
                       return Done{};
                     }});
    parameters_.text("--cacert", "FILE", Msg::flag_cacert, wire_.tls.ca_file);
    parameters_.toggle("--insecure", Msg::flag_insecure, wire_.tls.verify, false);
    parameters_.text("--proxy", "URL", Msg::flag_proxy, wire_.proxy);
    parameters_.duration("--connect-timeout", Msg::flag_connect_timeout, wire_.connect_timeout, 1ms);
    parameters_.under(Group::output);
    parameters_.add(
        {"--listen", "HOST:PORT", Msg::flag_record_listen, "127.0.0.1:8080", [this](std::string_view given) -> Status {
           auto parsed = parse_listen(given);
           if (!parsed) return parsed.error();
           std::tie(relay_.host, relay_.port) = *parsed;
           return Done{};
         }});
    parameters_.text("--port-file", "FILE", Msg::flag_port_file, port_file_);
    parameters_.text("-o,--output", "FILE", Msg::flag_record_output, output_);
    parameters_.toggle("--append", Msg::flag_record_append, appends_);
    parameters_.toggle("--keep-bodies", Msg::flag_keep_bodies, keeps_bodies_);
    parameters_.add({"--max-body", "SIZE", Msg::flag_max_body, "16MB", [this](std::string_view given) -> Status {
                       const auto size = parse_byte_size(given);
                       if (!size || *size < 1 || *size > 1'000'000'000) {
                         return Error{ErrorCode::invalid_argument, say(Msg::expected_body_size)};
                       }
                       relay_.longest_look = static_cast<std::size_t>(*size);
                       return Done{};
                     }});
    parameters_.maybe_duration("--duration", Msg::flag_record_duration, duration_, 1ms);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    relay_.port = 8080;
  }

  std::string name() const override { return "record"; }
  Msg summary() const override { return Msg::record_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville record --to http://127.0.0.1:8000 --listen 127.0.0.1:8080 -o requests.jsonl",
            "scoville record --to https://llm.example.com/v1 -o requests.jsonl --duration 1h --append"};
  }

  Exit run() override {
    if (!to_) return failed(say(Msg::record_to_missing), Exit::usage);
    if (output_.empty()) return failed(say(Msg::record_output_missing), Exit::usage);
    catch_stop_signals();
    const Result<wire::Target> target = wire::make_target(*to_, wire_);
    if (!target) return failed(target.error().message, Exit::failed);
    auto ledger = relay::Ledger::open(output_, appends_, head());
    if (!ledger) {
      const bool is_usage = ledger.error().code == ErrorCode::invalid_argument;
      return failed(ledger.error().message, is_usage ? Exit::usage : Exit::failed);
    }
    relay::Relay relay(*target, relay_, [&](relay::Sighting seen) { (*ledger)->put(std::move(seen)); });
    if (const Status opened = relay.open(); !opened) return failed(opened.error().message, Exit::failed);
    if (const Status said = say_ready(relay); !said) return failed(said.error().message, Exit::failed);
    const Instant began = now();
    serve(relay, began);
    const relay::Totals totals = (*ledger)->finish();
    tell(totals, relay, now() - began);
    return totals.lines_lost > 0 ? Exit::failed : Exit::fine;
  }

 private:
  static Exit failed(const std::string& sentence, Exit how) {
    complain(sentence);
    return how;
  }

  workload::RecordingHead head() const {
    return {new_run_id(), wall_now(), to_->authority(), version(), keeps_bodies_};
  }

  Status say_ready(const relay::Relay& relay) const {
    if (!port_file_.empty()) {
      if (Status written = write_file(port_file_, fmt::format("{}\n", relay.port())); !written) return written;
    }
    if (keeps_bodies_) complain(say(Msg::record_warn_bodies));
    if (!is_loopback(relay_.host)) complain(say(Msg::record_warn_open, relay_.host));
    std::fprintf(stderr, "%s\n", say(Msg::record_ready, relay.url(), to_->to_string(), output_).c_str());
    return Done{};
  }

  void serve(relay::Relay& relay, Instant began) const {
    LiveLine line;
    const std::optional<Instant> until = duration_ ? std::optional(began + *duration_) : std::nullopt;
    relay.run(stop_requested(), until, [&] {
      if (line.is_due()) line.show(say(Msg::record_progress, relay.done(), relay.busy(), relay.failed()));
    });
  }

  void tell(const relay::Totals& totals, const relay::Relay& relay, Nanos took) const {
    if (totals.lines_lost > 0) complain(say(Msg::record_write_failed, output_, totals.lines_lost, totals.first_loss));
    if (as_json_) {
      std::fputs(pretty(summary_json(totals, relay, took)).c_str(), stdout);
      return;
    }
    const auto say_line = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
    say_line(say(Msg::record_done, totals.requests, format_duration(took), totals.failed, relay.clients_seen(),
                 totals.input_tokens, totals.output_tokens, output_));
    std::vector<std::string> classes;
    for (const auto& [name, count] : totals.failures) classes.push_back(fmt::format("{} {}", count, name));
    if (!classes.empty()) say_line(say(Msg::record_failures, fmt::format("{}", fmt::join(classes, ", "))));
    if (totals.unknown_usage > 0) say_line(say(Msg::record_unknown_usage, totals.unknown_usage));
  }

  json::object summary_json(const relay::Totals& totals, const relay::Relay& relay, Nanos took) const {
    json::object failures;
    for (const auto& [name, count] : totals.failures) failures[name] = count;
    return {{"schema", "scoville.recorded/1"},
            {"file", output_},
            {"to", to_->to_string()},
            {"span_s", to_seconds(took)},
            {"requests", totals.requests},
            {"failed", totals.failed},
            {"failures", std::move(failures)},
            {"connections", relay.clients_seen()},
            {"input_tokens", totals.input_tokens},
            {"output_tokens", totals.output_tokens},
            {"answers_without_usage", totals.unknown_usage},
            {"lines_lost", totals.lines_lost}};
  }

  std::optional<wire::Url> to_;
  wire::TargetOptions wire_;
  relay::Relay::Options relay_;
  std::string output_, port_file_;
  std::optional<Nanos> duration_;
  bool appends_ = false, keeps_bodies_ = false, as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_record() { return std::make_unique<Record>(); }

}  // namespace scoville::cli

#include <algorithm>
#include <cstdio>

#include "base/clock.hpp"
#include "base/file.hpp"
#include "base/json_text.hpp"
#include "cli/command.hpp"
#include "cli/probe_options.hpp"
#include "cli/progress.hpp"
#include "cli/stop.hpp"
#include "operators/asking.hpp"
#include "operators/fallback_signs.hpp"
#include "operators/model_ops.hpp"
#include "report/operators.hpp"
#include "text/catalogue/operators.hpp"
#include "text/catalogue/probe.hpp"
#include "text/nearest.hpp"
#include "trace/read.hpp"

namespace scoville::cli {
namespace {

using operators::Finding;
using operators::Operator;
using text::Msg;
using text::OperatorsMsg;
using text::ProbeMsg;
using text::say;

Error wrong(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// `scoville probe operators`: what a device and its software support of the operators that models use.
class ProbeOperators final : public Command {
 public:
  ProbeOperators() {
    probe_.declare(parameters_);
    parameters_.under(Group::none);
    Parameter only{"--only", "NAME", OperatorsMsg::flag_only, "", [this](std::string_view given) -> Status {
                     only_.emplace_back(given);
                     return Done{};
                   }};
    only.takes_many = only.is_repeatable = true;
    parameters_.add(std::move(only));
    Parameter dtypes{"--dtypes", "NAME", OperatorsMsg::flag_dtypes, "", [this](std::string_view given) -> Status {
                       for (const std::string_view each : split(given, ", ")) dtypes_.emplace_back(each);
                       return Done{};
                     }};
    dtypes.takes_many = dtypes.is_repeatable = true;
    parameters_.add(std::move(dtypes));
    parameters_.text("--model", "NAME", OperatorsMsg::flag_model, model_);
    parameters_.text("--table", "FILE", OperatorsMsg::flag_table, table_path_);
    parameters_.text("--trace", "FILE", OperatorsMsg::flag_trace, view_.trace);
    parameters_.under(Group::output);
    parameters_.text("--save", "FILE", OperatorsMsg::flag_save, save_);
    parameters_.text("--against", "FILE", OperatorsMsg::flag_against, against_);
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    parameters_.under(Group::none);
  }

  std::string name() const override { return "probe operators"; }
  Msg summary() const override { return OperatorsMsg::operators_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville probe operators --model llama", "scoville probe operators --device cuda --save torch-2.8.json",
            "scoville probe operators --device privateuseone --load libvendor.so --against old-sdk.json --json"};
  }

  Exit run() override {
    catch_stop_signals();
    if (const Status chosen = choose(); !chosen) return failed(chosen.error());
    const Instant from = now();
    if (const Status asked = ask_all(); !asked) return stop_requested() ? Exit::interrupted : failed(asked.error());
    view_.took = now() - from;
    if (!against_.empty()) view_.changes = operators::compare(view_.before, view_.support);
    if (!save_.empty()) {
      if (const Status saved = write_file(save_, pretty(report::operators_json(view_))); !saved) {
        return failed(saved.error());
      }
    }
    std::fputs((as_json_ ? pretty(report::operators_json(view_)) : report::operators_table(view_)).c_str(), stdout);
    return Exit::fine;
  }

 private:
  static Exit failed(const Error& error) {
    complain(error.message);
    return error.code == ErrorCode::invalid_argument ? Exit::usage : Exit::failed;
  }

  /// Everything that the command line says, before a probe starts.
  Status choose() {
    table_ = operators::built_in_table();
    if (!table_path_.empty()) {
      Result<operators::Table> read = operators::table_with(table_path_);
      if (!read) return wrong(read.error().message);
      table_ = std::move(*read);
    }
    if (Status named = choose_named(); !named) return named;
    if (Status dtypes = check_dtypes(); !dtypes) return dtypes;
    if (Status model = choose_model(); !model) return model;
    std::erase_if(chosen_, [&](const Operator* each) { return operators::cases_of(*each, {dtypes_}).empty(); });
    if (chosen_.empty()) return wrong(say(OperatorsMsg::nothing_left));
    if (Status read = read_trace(); !read) return read;
    if (against_.empty()) return Done{};
    const Result<std::string> text = read_file(against_);
    if (!text) return wrong("--against " + text.error().message);
    Result<operators::Support> before = operators::support_from(*text, "--against " + against_);
    if (!before) return before.error();
    view_.before = std::move(*before);
    view_.against = against_;
    return Done{};
  }

  /// The shares of the operators' time, overloads together.
  Status read_trace() {
    if (view_.trace.empty()) return Done{};
    const Result<trace::OperatorTable> table = trace::read_operators(view_.trace);
    if (!table) return wrong("--trace " + table.error().message);
    for (const trace::OperatorRow& row : table->rows) {
      const std::string name = row.name.substr(0, row.name.find('.'));
      if (row.share) view_.shares[name] += *row.share;
    }
    return Done{};
  }

  Status choose_named() {
    for (const Operator& each : table_.operators) {
      if (only_.empty()) chosen_.push_back(&each);
    }
    for (const std::string& name : only_) {
      const std::vector<const Operator*> found = table_.named(name);
      if (found.empty()) {
        std::vector<std::string> known = table_.names();
        if (!name.starts_with("aten::")) {
          for (std::string& each : known) each.erase(0, 6);
        }
        const std::string near = text::nearest(name, known);
        return wrong("--only: " + (near.empty() ? say(OperatorsMsg::unknown_operator, name)
                                                : say(OperatorsMsg::unknown_operator_near, name, near)));
      }
      for (const Operator* each : found) {
        if (std::find(chosen_.begin(), chosen_.end(), each) == chosen_.end()) chosen_.push_back(each);
      }
    }
    return Done{};
  }

  Status check_dtypes() const {
    std::vector<std::string> known;
    std::string names;
    for (const Operator& each : table_.operators) {
      for (const std::string& dtype : each.dtypes) {
        if (std::find(known.begin(), known.end(), dtype) != known.end()) continue;
        known.push_back(dtype);
        names += (names.empty() ? "" : " ") + dtype;
      }
    }
    for (const std::string& each : dtypes_) {
      if (std::find(known.begin(), known.end(), each) == known.end()) {
        return wrong("--dtypes " + each + ": " + say(OperatorsMsg::expected_dtypes, names));
      }
    }
    return Done{};
  }

  Status choose_model() {
    if (model_.empty()) return Done{};
    const Result<operators::ModelUse> use = operators::model_use(table_, model_);
    if (!use) return wrong(use.error().message);
    view_.model = use->model_type;
    view_.is_family_known = use->is_known;
    std::erase_if(chosen_, [&](const Operator* each) { return !use->needs(*each); });
    return Done{};
  }

  Result<std::unique_ptr<probe::Session>> session(bool is_strict) const {
    Result<std::unique_ptr<probe::Session>> session = probe_.open();
    if (!session) return session;
    for (const auto& each : operators::built_in_fallback_signs().switches) {
      const std::string& value = is_strict ? each.strict : each.lenient;
      if (!value.empty()) (*session)->set_variable(each.name, value);
    }
    return session;
  }

  Status describe(probe::Session& session) {
    const probe::Outcome outcome = session.ask(probe_.request("describe", {}));
    if (!outcome.ok()) {
      const std::string why = outcome.fault ? outcome.fault->message : "";
      const std::string reason(outcome.fault ? probe::name_of(outcome.fault->reason) : "");
      return Error{ErrorCode::unsupported, say(ProbeMsg::no_description, session.words().front(), reason, why)};
    }
    operators::Support& support = view_.support;
    support.device = probe_.device();
    support.probe = text_in(*outcome.result, "probe");
    if (const json::value* stack = outcome.result->if_contains("stack"); stack && stack->is_object()) {
      support.stack = stack->as_object();
    }
    const json::value* devices = outcome.result->if_contains("devices");
    if (!devices || !devices->is_array()) return Done{};
    for (const json::value& each : devices->as_array()) {
      if (!each.is_object()) continue;
      const std::string id = text_in(each.as_object(), "id");
      if (id == support.device || id == support.device + ":0") support.device_name = text_in(each.as_object(), "name");
    }
    return Done{};
  }

  Status ask_all() {
    Result<std::unique_ptr<probe::Session>> lenient = session(false);
    if (!lenient) return lenient.error();
    Result<std::unique_ptr<probe::Session>> strict = session(true);
    if (!strict) return strict.error();
    if (Status described = describe(**lenient); !described) return described;
    const auto asker = [&](probe::Session& asked) {
      return [&](json::object params) { return asked.ask(probe_.request("operator", std::move(params))); };
    };
    LiveLine line;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Operator& op = *chosen_[i];
      if (line.is_due()) line.show(say(ProbeMsg::asking_part, "operators", i + 1, chosen_.size(), op.title()));
      operators::Asked asked = operators::ask(table_, op, operators::cases_of(op, {dtypes_}), probe_.device(),
                                              operators::built_in_fallback_signs().warnings, asker(**lenient));
      if (asked.end) {
        return Error{ErrorCode::unsupported,
                     std::string(probe::name_of(asked.end->reason)) + ": " + asked.end->message};
      }
      if (probe_.device() != "cpu") operators::confirm(table_, op, asked.cases, asker(**strict));
      if (stop_requested()) return Error{ErrorCode::aborted, "interrupted"};
      view_.support.findings.push_back(operators::find(op, std::move(asked.cases)));
    }
    return Done{};
  }

  ProbeOptions probe_{"torch"};
  std::vector<std::string> only_, dtypes_;
  std::string model_, table_path_, save_, against_;
  bool as_json_ = false;
  operators::Table table_;
  std::vector<const Operator*> chosen_;
  report::OperatorsView view_;
};

}  // namespace

std::unique_ptr<Command> make_probe_operators() { return std::make_unique<ProbeOperators>(); }

}  // namespace scoville::cli

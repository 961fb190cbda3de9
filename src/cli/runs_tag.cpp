#include <cstdio>

#include "cli/runs.hpp"

namespace scoville::cli {
namespace {

using text::Msg;
using text::say;

/// `scoville runs tag`: renames what a tag, an id or a set stands for.
class RunsTag final : public Command {
 public:
  RunsTag() {
    parameters_.add(plain_positional("NAME", Msg::word_run_name, name_));
    parameters_.add(plain_positional("TAG", Msg::word_new_tag, tag_));
    parameters_.toggle("--json", Msg::flag_json, as_json_);
    store_.declare(parameters_);
  }

  std::string name() const override { return "runs tag"; }
  Msg summary() const override { return Msg::runs_tag_summary; }
  std::vector<std::string> examples() const override {
    return {"scoville runs tag 20261130T101530Z-9f3c2a71 before", "scoville runs tag before \"\""};
  }

  Exit run() override {
    const Result<std::vector<store::RunInfo>> tagged = change();
    if (!tagged) {
      complain(tagged.error().message);
      return Exit::failed;
    }
    if (as_json_) {
      json::object out{{"tag", tag_.empty() ? json::value(nullptr) : json::value(tag_)}, {"runs", ids_of(*tagged)}};
      std::fputs(pretty(out).c_str(), stdout);
    } else {
      const std::string told =
          tag_.empty() ? say(Msg::runs_untagged, tagged->size()) : say(Msg::runs_tagged, tagged->size(), tag_);
      std::printf("%s\n", told.c_str());
    }
    return Exit::fine;
  }

 private:
  Result<std::vector<store::RunInfo>> change() const {
    Result<store::RunStore> store = open_existing(store_);
    if (!store) return store.error();
    Result<std::vector<store::RunInfo>> runs = store->find(name_);
    if (!runs) return runs;
    if (runs->front().set == name_) {
      if (const Status set = store->set_tag(name_, tag_); !set) return set.error();
      return runs;
    }
    for (const store::RunInfo& each : *runs) {
      if (const Status set = store->set_tag(each.id, tag_); !set) return set.error();
    }
    return runs;
  }

  StoreOptions store_;
  std::string name_, tag_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_tag() { return std::make_unique<RunsTag>(); }

}  // namespace scoville::cli

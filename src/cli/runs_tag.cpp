#include <cstdio>

#include "cli/external.hpp"
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
    const Result<Named> tagged = change();
    if (!tagged) {
      complain(tagged.error().message);
      return Exit::failed;
    }
    if (as_json_) {
      json::object out{{"tag", tag_.empty() ? json::value(nullptr) : json::value(tag_)},
                       {"runs", ids_of(tagged->runs)}};
      if (!tagged->evidence.empty()) out["external"] = ids_of(tagged->evidence);
      std::fputs(pretty(out).c_str(), stdout);
    } else if (!tagged->evidence.empty()) {
      const std::size_t count = tagged->evidence.size();
      const std::string told =
          tag_.empty() ? say(Msg::external_untagged, count) : say(Msg::external_tagged, count, tag_);
      std::printf("%s\n", told.c_str());
    } else {
      const std::string told = tag_.empty() ? say(Msg::runs_untagged, tagged->runs.size())
                                            : say(Msg::runs_tagged, tagged->runs.size(), tag_);
      std::printf("%s\n", told.c_str());
    }
    return Exit::fine;
  }

 private:
  Result<Named> change() const {
    Result<store::RunStore> store = open_existing(store_);
    if (!store) return store.error();
    Result<Named> named = find_named(*store, {name_});
    if (!named) return named;
    if (named->runs.empty()) {
      if (const Status set = change_evidence(*store, named->evidence); !set) return set.error();
      return named;
    }
    if (named->runs.front().set == name_) {
      if (const Status set = store->set_tag(name_, tag_); !set) return set.error();
      return named;
    }
    for (const store::RunInfo& each : named->runs) {
      if (const Status set = store->set_tag(each.id, tag_); !set) return set.error();
    }
    return named;
  }

  Status change_evidence(store::RunStore& store, const std::vector<report::StoredEvidence>& evidence) const {
    if (Status fits = check_external_tag(store, tag_); !fits) return fits;
    for (report::StoredEvidence each : evidence) {
      each.tag = tag_;
      if (Status set = store.replace_finding(each.id, finding_of(each, "").body); !set) return set;
    }
    return Done{};
  }

  StoreOptions store_;
  std::string name_, tag_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_runs_tag() { return std::make_unique<RunsTag>(); }

}  // namespace scoville::cli

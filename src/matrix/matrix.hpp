#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/estimate.hpp"
#include "matrix/knock_out.hpp"
#include "matrix/template.hpp"

namespace scoville::matrix {

/// A measured value of one measure, under one workload.
struct Measure {
  std::string key;       ///< of the template: "ttft_p95"
  std::string workload;  ///< empty: there is only one
  Estimate estimate;
  std::optional<Target> target;  ///< of this workload alone
};

/// A scenario that runs in production for a while before all of it moves.
struct Pilot {
  std::string name;
  Verdict verdict = Verdict::untested;
  std::string source, note;
};

struct Inputs {
  Template form;
  std::string candidate, baseline, scenario;             ///< names; may be empty
  std::vector<std::string> required;                     ///< ids of rows that this decision rests on
  std::map<std::string, std::vector<Measure>> measured;  ///< by row
  std::map<std::string, Target> targets;  ///< by measure, in place of the defaults; one without ends: not asked
  std::vector<KnockOut> knock_outs;
  std::vector<Pilot> pilots;
};

/// A measure with its verdict.
struct JudgedMeasure {
  std::string key, workload;
  text::Phrase title;
  Estimate estimate;
  Target target;
  Judgement judgement;
  /// It has no target while another measure of its row has one: shown, and not judged.
  bool is_shown_only = false;
};

struct Row {
  std::string id, dimension;
  text::Phrase title, method, needs;
  bool is_required = false;  ///< false: not part of this decision
  std::vector<JudgedMeasure> measures;
  Verdict verdict = Verdict::untested;  ///< the worst of its measures
};

/// adopt: every required row and knock-out passes and every pilot scenario is met. pilot: they pass, and a pilot
/// scenario is not yet run, or none is named. hold: it cannot be told. reject: a knock-out, a required row or a pilot
/// scenario fails.
enum class Overall { adopt, pilot, hold, reject };
std::string_view name_of(Overall overall);

/// What keeps the answer from being a better one, and what would turn it.
struct Change {
  enum class Subject { row, knock_out, pilot, nothing_required, no_pilot };
  Subject subject = Subject::row;
  std::string id;  ///< of the row, the knock-out, the pilot
  text::Phrase title;
  std::string measure, workload;  ///< of a row
  text::Phrase measure_title;
  Verdict verdict = Verdict::untested;
  Judgement judgement;  ///< of the measure
  Estimate estimate;
  Target target;
  text::Phrase needs;  ///< what would bring a value
  KnockOut knock_out;  ///< where it is one
};

struct Matrix {
  std::string template_id;
  std::size_t template_version = 0;
  std::string candidate, baseline, scenario;
  std::vector<Row> rows;  ///< in the order of the template
  std::vector<KnockOut> knock_outs;
  std::vector<Pilot> pilots;
  Overall overall = Overall::hold;
  std::vector<std::string> blocking;  ///< ids of rows, knock-outs and pilots, each once
  std::vector<Change> would_change;
};

/// Pure. Rows that are required and that the template does not know are untested.
Matrix decide(const Inputs& inputs);

}  // namespace scoville::matrix

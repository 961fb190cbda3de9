#include <algorithm>
#include <array>

#include "matrix/matrix.hpp"

namespace scoville::matrix {
namespace {

Target target_of(const Inputs& inputs, const MeasureTemplate& form, const Measure* measured) {
  Target out = form.target;
  const auto given = inputs.targets.find(form.key);
  if (given != inputs.targets.end()) out = given->second;
  if (measured && measured->target) out = *measured->target;
  if (out.unit.empty()) out.unit = form.unit;
  out.least_n = std::max(out.least_n, form.target.least_n);
  out.least_samples = std::max(out.least_samples, form.target.least_samples);
  return out;
}

JudgedMeasure judged(const Inputs& inputs, const MeasureTemplate& form, const Measure* measured) {
  JudgedMeasure out;
  out.key = form.key;
  out.title = form.title;
  if (measured) {
    out.workload = measured->workload;
    out.estimate = measured->estimate;
  }
  if (out.estimate.unit.empty()) out.estimate.unit = form.unit;
  out.estimate.is_exact = out.estimate.is_exact || form.is_exact;
  // A count that is only known to lie within a range is no exact one.
  if (out.estimate.low && out.estimate.high && *out.estimate.low != *out.estimate.high) out.estimate.is_exact = false;
  out.target = target_of(inputs, form, measured);
  out.judgement = assess(out.estimate, out.target);
  return out;
}

Row judged(const Inputs& inputs, const RowTemplate& form) {
  Row out{form.id, form.dimension, form.title, form.method, form.needs, false, {}, Verdict::untested};
  out.is_required = std::count(inputs.required.begin(), inputs.required.end(), form.id) > 0;
  const auto found = inputs.measured.find(form.id);
  for (const MeasureTemplate& each : form.measures) {
    const std::size_t before = out.measures.size();
    if (found != inputs.measured.end()) {
      for (const Measure& measured : found->second) {
        if (measured.key == each.key) out.measures.push_back(judged(inputs, each, &measured));
      }
    }
    if (out.measures.size() == before) out.measures.push_back(judged(inputs, each, nullptr));
  }
  const bool has_target = std::any_of(out.measures.begin(), out.measures.end(),
                                      [](const JudgedMeasure& each) { return each.target.is_set(); });
  const bool has_data = std::any_of(out.measures.begin(), out.measures.end(),
                                    [](const JudgedMeasure& each) { return each.estimate.has_data(); });
  for (JudgedMeasure& each : out.measures) {
    // Without any target the row waits for one: of those, what was measured says so.
    each.is_shown_only = has_target ? !each.target.is_set() : !each.estimate.has_data();
  }
  out.verdict = has_target || has_data ? Verdict::pass : Verdict::untested;
  for (const JudgedMeasure& each : out.measures) {
    if (!each.is_shown_only) out.verdict = worse(out.verdict, each.judgement.verdict);
  }
  return out;
}

Row unknown_row(const std::string& id) {
  Row out;
  out.id = out.dimension = id;
  out.title = {id, id};
  out.is_required = true;
  return out;
}

void add_changes(const Row& row, std::vector<Change>& into) {
  Change change;
  change.subject = Change::Subject::row;
  change.id = row.id;
  change.title = row.title;
  change.needs = row.needs;
  change.verdict = row.verdict;
  const std::size_t before = into.size();
  for (const JudgedMeasure& each : row.measures) {
    if (each.is_shown_only || each.judgement.verdict == Verdict::pass) continue;
    Change one = change;
    one.measure = each.key;
    one.measure_title = each.title;
    one.workload = each.workload;
    one.verdict = each.judgement.verdict;
    one.judgement = each.judgement;
    one.estimate = each.estimate;
    one.target = each.target;
    into.push_back(std::move(one));
  }
  if (into.size() == before) into.push_back(change);  // neither measured nor asked for: the row as a whole
}

Change change_of(const KnockOut& knock_out) {
  Change out;
  out.subject = Change::Subject::knock_out;
  out.id = knock_out.id;
  out.title = knock_out.requirement;
  out.verdict = knock_out.verdict;
  out.target = knock_out.target;
  out.knock_out = knock_out;
  return out;
}

/// What the decision rests on, as verdicts, and what of it is in the way.
struct Bases {
  Verdict required = Verdict::pass;  ///< rows and knock-outs together
  Verdict pilots = Verdict::pass;
};

Bases look_at(Matrix& out, bool has_required) {
  Bases bases;
  const auto block = [&](const std::string& id) {
    if (std::find(out.blocking.begin(), out.blocking.end(), id) == out.blocking.end()) out.blocking.push_back(id);
  };
  if (!has_required) {
    bases.required = Verdict::untested;
    out.would_change.emplace_back().subject = Change::Subject::nothing_required;
  }
  for (const KnockOut& each : out.knock_outs) {
    if (!each.is_required || each.verdict == Verdict::pass) continue;
    bases.required = worse(bases.required, each.verdict);
    block(each.id);
    out.would_change.push_back(change_of(each));
  }
  for (const Row& each : out.rows) {
    if (!each.is_required || each.verdict == Verdict::pass) continue;
    bases.required = worse(bases.required, each.verdict);
    block(each.id);
    add_changes(each, out.would_change);
  }
  for (const Pilot& each : out.pilots) {
    if (each.verdict == Verdict::pass) continue;
    bases.pilots = worse(bases.pilots, each.verdict);
    block(each.name);
    Change& change = out.would_change.emplace_back();
    change.subject = Change::Subject::pilot;
    change.id = each.name;
    change.verdict = each.verdict;
  }
  if (out.pilots.empty()) {
    bases.pilots = Verdict::untested;
    out.would_change.emplace_back().subject = Change::Subject::no_pilot;
  }
  return bases;
}

}  // namespace

std::string_view name_of(Overall overall) {
  constexpr std::array<std::string_view, 4> kNames{"adopt", "pilot", "hold", "reject"};
  return kNames[static_cast<std::size_t>(overall)];
}

Matrix decide(const Inputs& inputs) {
  Matrix out;
  out.template_id = inputs.form.id;
  out.template_version = inputs.form.version;
  out.candidate = inputs.candidate;
  out.baseline = inputs.baseline;
  out.scenario = inputs.scenario;
  for (const RowTemplate& each : inputs.form.rows) out.rows.push_back(judged(inputs, each));
  for (const std::string& each : inputs.required) {
    if (!inputs.form.find_row(each)) out.rows.push_back(unknown_row(each));
  }
  out.knock_outs = inputs.knock_outs;
  for (KnockOut& each : out.knock_outs) each.verdict = judge(each);
  out.pilots = inputs.pilots;
  const Bases bases = look_at(out, !inputs.required.empty());
  if (bases.required == Verdict::fail || bases.pilots == Verdict::fail)
    out.overall = Overall::reject;
  else if (bases.required != Verdict::pass)
    out.overall = Overall::hold;
  else
    out.overall = bases.pilots == Verdict::pass ? Overall::adopt : Overall::pilot;
  return out;
}

}  // namespace scoville::matrix

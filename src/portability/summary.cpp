#include "portability/summary.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace scoville::portability {
namespace {

std::size_t hard(const std::array<std::size_t, kEfforts>& by_effort) { return by_effort[2] + by_effort[3]; }

/// Counts while files come by.
class Counting {
 public:
  Counting(const RuleSet& set, Summary& into)
      : set_(set), out_(into), places_(set.rules.size()), files_(set.rules.size()) {
    family_files_.resize(set.families.size());
  }

  void add(std::size_t number, const SurveyedFile& file) {
    ++out_.files;
    ++out_.files_by_kind[file.kind];
    out_.lines += file.scan.lines;
    out_.mentions += file.scan.mentions.size();
    out_.unread_lines += file.scan.unread_lines;
    if (file.scan.findings.empty()) return;
    ++out_.files_with_places;
    FileCount count{number, 0, {}};
    std::set<std::size_t> rules, families;
    for (const Finding& each : file.scan.findings) {
      add(each.rule, count);
      rules.insert(each.rule);
      families.insert(set_.rules[each.rule].family);
    }
    for (const std::size_t rule : rules) ++files_[rule];
    for (const std::size_t family : families) ++family_files_[family];
    out_.top.push_back(count);
  }

  void finish() {
    for (const auto& [vendor, count] : vendors_) out_.vendors.push_back(count);
    std::stable_sort(out_.vendors.begin(), out_.vendors.end(), [](auto& a, auto& b) { return a.places > b.places; });
    std::stable_sort(out_.top.begin(), out_.top.end(), [](const FileCount& a, const FileCount& b) {
      return std::tuple(hard(a.by_effort), a.places) > std::tuple(hard(b.by_effort), b.places);
    });
    collect_families();
  }

 private:
  void add(std::size_t rule, FileCount& file) {
    const Rule& its = set_.rules[rule];
    const auto effort = static_cast<std::size_t>(its.effort);
    ++out_.places;
    ++out_.by_effort[effort];
    ++out_.by_work_item[set_.families[its.family].work_item];
    ++places_[rule];
    ++file.places;
    ++file.by_effort[effort];
    VendorCount& vendor = vendors_[its.vendor];
    vendor.vendor = its.vendor;
    ++vendor.places;
    ++vendor.by_effort[effort];
  }

  void collect_families() {
    for (std::size_t family = 0; family < set_.families.size(); ++family) {
      FamilyCount count{family, 0, family_files_[family], 0, {}};
      for (std::size_t rule = 0; rule < set_.rules.size(); ++rule) {
        if (set_.rules[rule].family != family || places_[rule] == 0) continue;
        count.places += places_[rule];
        if (set_.rules[rule].effort >= Effort::port) count.hard += places_[rule];
        count.rules.push_back({rule, places_[rule], files_[rule]});
      }
      std::stable_sort(count.rules.begin(), count.rules.end(), [](auto& a, auto& b) { return a.places > b.places; });
      if (count.places > 0) out_.families.push_back(std::move(count));
    }
    std::stable_sort(out_.families.begin(), out_.families.end(), [](const FamilyCount& a, const FamilyCount& b) {
      return std::tuple(a.hard, a.places) > std::tuple(b.hard, b.places);
    });
  }

  const RuleSet& set_;
  Summary& out_;
  std::vector<std::size_t> places_, files_, family_files_;
  std::map<std::string, VendorCount> vendors_;
};

}  // namespace

Summary summarise(const Survey& survey, const RuleSet& set) {
  Summary out;
  Counting counting(set, out);
  for (std::size_t i = 0; i < survey.files.size(); ++i) counting.add(i, survey.files[i]);
  counting.finish();
  return out;
}

void keep_only(Survey& survey, const RuleSet& set, const Choice& choice) {
  for (SurveyedFile& file : survey.files) {
    std::erase_if(file.scan.findings, [&](const Finding& each) { return !choice.takes(set.rules[each.rule]); });
    std::erase_if(file.scan.mentions, [&](std::uint16_t rule) { return !choice.takes(set.rules[rule]); });
  }
}

}  // namespace scoville::portability

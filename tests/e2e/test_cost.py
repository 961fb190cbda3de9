#!/usr/bin/env python3
"""What a token costs: cost, cost init.    test_cost.py BINARY

Expected figures are those of an independent program (Python), printed to the digits of the worked examples.
"""

import re
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/cost"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LOAD = ("--num-prompts", "24", "--random-input-len", "32", "--random-output-len", "16", "--num-warmups", "2", "--ignore-eos",
        "--max-concurrency", "4", "--disable-tqdm")
RENTED = """currency: USD
options:
- name: R
  kind: rented
  accelerators: 8
  acc_per_node: 8
  price_acc_hour: 2
  util: 0.5
  perf: {from_result: nightly, point: "%s"}
"""


class Cost(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-cost-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, text: str) -> str:
        path = self.folder / "study.yaml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    def example(self, name: str, *replaced: tuple) -> dict:
        text = (EXAMPLES / name).read_text(encoding="utf-8")
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return self.report("cost", self.file(text))

    def near(self, seen: float, wanted: float, digits: int = 8):
        self.assertAlmostEqual(seen / wanted, 1, delta=10 ** (1 - digits), msg=f"{seen} is not {wanted}")

    def pick(self, bars: list, name: str) -> dict:
        return next(bar for bar in bars if bar["input"] == name)


class WorkedExamples(Cost):
    def test_one_site_by_every_line_and_method(self):
        a = self.example("t_cost_1.yaml")["options"][0]
        year = a["annual"]
        self.assertEqual((a["fleet"]["nodes"], a["fleet"]["bought"]), (8, 66))
        for seen, wanted in (
                (year["capex"]["total"], 3071440), (year["capex"]["residual_now"], 178949.525), (year["parts"]["capital"], 912496.295),
                (year["parts"]["electricity"], 50059.0971), (year["parts"]["space"], 183765.504), (year["parts"]["failures"], 17433.6),
                (year["total"], 1368914.50), (year["per_month"] * 12, 1368914.50), (year["power"]["per_month"] * 12, 50059.0971),
                (a["per_acc_hour"], 2.44169966), (a["tokens"]["unplanned_down"], 0.00199013699), (a["tokens"]["availability"], 0.993019814),
                (a["tokens"]["useful_share"], 0.577937532), (a["mtok_per_year"]["out"], 1399744.36), (a["mtok_per_year"]["in"], 4199233.07),
                (a["methods"]["blended"]["all"], 0.244493662), (a["methods"]["full"]["out"], 0.977974648),
                (a["methods"]["full"]["in"], 0.325991549), (a["methods"]["accelerator_time"]["in"], 0.0708677281),
                (a["methods"]["accelerator_time"]["out"], 0.765371464), (a["methods"]["price_weighted"]["out"], 0.557751166),
                (a["methods"]["price_weighted"]["in"], 0.140074494), (a["energy"]["kwh_facility_per_mtok_out"], 0.400930811),
                (a["energy"]["joules_per_out_token"], 1.44335092), (a["energy"]["joules_per_out_token_it"], 1.11026994)):
            self.near(seen, wanted)
        self.near(a["hourly_rule_per_mtok"], 0.141302, 6)
        self.assertEqual(a["per_mtok"]["method"], "accelerator_time")
        self.assertEqual((a["rack"]["acc_per_rack"], a["rack"]["racks"]), (30, 3))

    def test_its_sensitivities_in_the_order_of_their_swing(self):
        bars = self.example("t_cost_1.yaml", ("wacc:", "attribution: full\nwacc:"))["options"][0]["tornado"]
        wanted = (("util", 1.93644, 0.696072), ("perf", 1.22247, 0.814979), ("horizon_years", 1.15188, 0.805637),
                  ("price_acc", 0.882058, 1.07389), ("wacc", 0.901460, 1.05717), ("support_frac", 0.914277, 1.04167),
                  ("fte_ops", 0.938682, 1.05656), ("residual_frac", 1.01831, 0.917478), ("good_frac", 1.05404, 0.958218),
                  ("site.colo_kw_month", 0.932282, 1.02501), ("site.price_kwh", 0.962258, 1.00235), ("afr", 0.968342, 0.995340),
                  ("site.pue", 0.972473, 0.984577))
        self.assertEqual([abs(bar["swing"]) for bar in bars], sorted((abs(bar["swing"]) for bar in bars), reverse=True))
        self.assertEqual({bar["input"] for bar in bars}, {name for name, _, _ in wanted})
        for name, low, high in wanted:
            self.near(self.pick(bars, name)["at_low"], low, 6)
            self.near(self.pick(bars, name)["at_high"], high, 6)
        self.assertAlmostEqual(self.pick(bars, "util")["swing"] / self.pick(bars, "site.pue")["swing"], -102, delta=0.6)

    def test_a_published_day_with_cached_input_apart(self):
        d = self.example("t_cost_2.yaml")["options"][0]
        self.near(d["annual"]["total"] / 365, 87072)
        for method, kind, wanted in (("blended", "all", 0.112206186), ("full", "out", 0.518285714), ("full", "in", 0.143210526),
                                     ("accelerator_time", "in", 0.0602743499), ("accelerator_time", "out", 0.300149972),
                                     ("price_weighted", "out", 0.339241558), ("price_weighted", "in", 0.0851976517),
                                     ("price_weighted", "cached", 0.0216866750)):
            self.near(d["methods"][method][kind], wanted)
        self.near(d["perf"]["input_time_share"], 0.420879326)

    def test_break_even_with_porting_delay_and_whole_nodes(self):
        seen = self.example("t_be_1.yaml")
        b, pair = seen["options"][1], seen["pairs"][0]
        self.near(b["annual"]["total"], 1454486.78)
        self.near(b["methods"]["full"]["out"], 1.16374571)
        found = pair["break_even"]
        self.assertEqual(found["cheaper"], "above")
        self.near(found["mtok_out_per_year"], 12883780.2)
        self.near(found["first_acc"], 589.080376)
        self.near(found["option_acc"], 659.738146)
        self.near(found["line_option"]["fixed"], 370044.818)
        self.near(found["line_first"]["per_mtok_out"], 0.885521057)
        zone = found["whole_nodes"]
        self.assertEqual((zone["first_win"]["first_acc"], zone["first_win"]["option_acc"]), (656, 736))
        self.assertEqual((zone["last_loss"]["first_acc"], zone["last_loss"]["option_acc"]), (872, 984))
        self.near(pair["saving"]["ratio_needed"], 1.10312, 6)

    def test_a_tenth_slower_again_never_breaks_even(self):
        seen = self.example("t_be_1.yaml", ("out_per_s: 1080, in_per_s: 3240", "out_per_s: 1020, in_per_s: 3060"))
        self.assertEqual(seen["pairs"][0]["break_even"]["cheaper"], "never")

    def test_an_interval_of_the_throughput_leaves_the_sign_open(self):
        name, path = "t_be_1_demand.yaml", str(EXAMPLES / "t_be_1_demand.yaml")
        pair = self.example(name)["pairs"][0]
        saving = pair["saving"]
        self.near(saving["per_year"], 178245.454)
        self.near(saving["interval"][0], -466557.676)
        self.near(saving["interval"][1], 781448.382)
        self.assertEqual(saving["verdict"], "not_resolved")
        self.near(saving["ratio_needed"], 0.891502, 6)
        for name, low, high in (("price_acc", 1434180, -1077690), ("delay_months", 891333, -534842), ("kw_prov", 684848, -581659),
                                ("afr", 396279, -381956), ("spare_frac", 416839, -139879), ("port.upkeep_year", 268245, -31754.5),
                                ("port.years", 249226, 36283.6)):
            self.near(self.pick(pair["tornado"], name)["at_low"], low, 6)
            self.near(self.pick(pair["tornado"], name)["at_high"], high, 6)
        self.near(pair["porting"]["affordable_oneoff"], 1045014.10)
        self.assertEqual(scoville("cost", path).returncode, 0)
        self.assertEqual(scoville("cost", path, "--fail-on", "not-resolved").returncode, 4)

    def test_three_kinds_of_option_stand_in_one_table(self):
        seen = self.example("rented_or_owned.yaml")
        self.assertEqual([each["kind"] for each in seen["options"]], ["owned", "rented", "api"])
        self.assertEqual({each["mtok_per_year"]["out"] for each in seen["options"]}, {2e6})
        self.assertGreater(seen["options"][0]["annual"]["parts"]["demand_charge"], 0)
        self.near(seen["options"][0]["annual"]["capex"]["acc"], 108 * 25000 * 7.1 / 1.13)  # USD, tax taken out
        self.assertIn("minimum_term", {each["code"] for each in seen["notes"]})
        totals = [each["annual"]["total"] for each in seen["options"]]
        for pair, total in zip(seen["pairs"], totals[1:]):
            self.near(pair["saving_of_totals_per_year"], totals[0] - total)

    def test_every_table_fits_a_terminal_in_both_languages(self):
        for path in sorted(EXAMPLES.glob("*.yaml")):
            for lang in ("en", "zh"):
                done = scoville("cost", str(path), "--lang", lang)
                self.assertEqual((done.returncode, done.stderr), (0, ""), path)
                for line in done.stdout.splitlines():
                    wide = sum(2 if CHINESE.match(c) or c in "，。；：（）、÷" and lang == "zh" and c != "÷" else 1 for c in line)
                    self.assertLessEqual(wide, 100, line)
                (self.assertRegex if lang == "zh" else self.assertNotRegex)(done.stdout, CHINESE)


class Documents(Cost):
    def test_every_key_of_an_input_is_in_the_documentation(self):
        page = (EXAMPLES.parents[1] / "docs/formats/cost.md").read_text(encoding="utf-8")
        table = (EXAMPLES.parents[1] / "src/cost/inputs.cpp").read_text(encoding="utf-8")
        keys = re.findall(r'\{In::\w+,\s*"\w*",\s*"(\w+)"', table)
        self.assertGreater(len(keys), 50)
        for key in keys:
            self.assertIn(f"`{key}`", page)


class BadStudies(Cost):
    def test_bad_yaml_is_one_line_with_file_line_field_and_what_was_expected(self):
        for text, says in (("currency: [\n", "study.yaml:"), ("- a\n", "study.yaml"),
                           ("currency: USD\nsite: {pue: low}\noptions: [{name: A}]\n", ":2: site.pue: found \"low\"; expected a number"),
                           ("currency: USD\noptions: [{name: A, util: 1.5}]\n", ":2: options[0].util: found \"1.5\"; expected a number above 0, at most 1"),
                           ("currency: USD\noptions:\n- name: A\n  kw_idle: 0.5\n  kw_busy: 0.4\n",
                            ":5: options[0].kw_busy: found 0.4; expected kw_idle, 0.5, or more"),
                           ("currency: USD\noptions: [{name: A, prise_acc: 3}]\n", "did you mean price_acc?"),
                           ("currency: USD\noptions: [{name: A, price_acc: 3 EUR}]\n", "an amount in EUR, and no rate"),
                           ("currency: USD\nopions: []\noptions: [{name: A}]\n", "did you mean options?"),
                           ("options: [{name: A}]\n", "currency: missing")):
            self.fails(2, "cost", self.file(text), says=says)
        self.fails(1, "cost", str(self.folder / "none.yaml"), says="none.yaml")
        self.assertRegex(self.fails(2, "cost", self.file("options: [{name: A}]\n"), "--lang", "zh").stderr, CHINESE)

    def test_a_study_may_stand_under_a_key_of_its_own(self):
        text = (EXAMPLES / "t_cost_1.yaml").read_text(encoding="utf-8")
        nested = self.file("tco:\n" + "".join(f"  {line}\n" for line in text.splitlines()))
        self.near(self.report("cost", nested)["options"][0]["annual"]["total"], 1368914.50)

    def test_a_template_asks_for_everything_that_is_missing_at_once(self):
        for args in ((), ("--region", "cn"), ("--lang", "zh"), ("--region", "cn", "--lang", "zh")):
            made = scoville("cost", "init", *args)
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            self.assertEqual("--lang" in args, bool(CHINESE.search(made.stdout)), args)
            done = scoville("cost", self.file(made.stdout))
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            for key in ("util", "price_acc", "perf.out_per_s", "price_out_mtok", "demand.mtok_out_per_year"):
                self.assertIn(key, done.stderr)
            seen = self.report("cost", self.file(made.stdout), status=2)
            self.assertGreater(len(seen["missing"]), 10)
            self.assertEqual(seen["options"], [])
        self.assertIn("tax.included", done.stderr)

    def test_the_rented_option_of_the_template_for_china_needs_no_more_than_its_hashes_away(self):
        made = scoville("cost", "init", "--region", "cn").stdout
        self.assertIn("  # - name: rented\n", made)
        text = re.sub(r"(?m)^  # ((?:- name: rented|  \w+:).*)$", r"  \1", made)
        done = scoville("cost", self.file(text))
        self.assertEqual(done.returncode, 2)
        self.assertIn("rented: price_acc_hour", done.stderr)

    def test_a_template_does_not_overwrite(self):
        path = str(self.folder / "mine.yaml")
        self.assertEqual(scoville("cost", "init", "-o", path).returncode, 0)
        before = Path(path).read_bytes()
        self.fails(1, "cost", "init", "--region", "cn", "-o", path, says="mine.yaml")
        self.assertEqual(Path(path).read_bytes(), before)


class StoredRuns(Cost):
    def setUp(self):
        super().setUp()
        self.store = ("--store", str(self.folder / "runs.db"))

    def measure(self, *more: str):
        with Server("ttft=10ms,itl=2ms,tokens=16") as server:
            self.sound_set(self.store, "--base-url", server.url, *LOAD, "--repeats", "3", "--tag", "nightly", *more)

    def test_throughput_comes_from_runs_with_its_interval_and_only_within_the_limits(self):
        self.measure("--goodput", "ttft:5000")
        study = RENTED % "ttft:5000" + "  devices: 2\n"
        seen = self.report("cost", self.file(study), *self.store)
        runs = self.report("runs", "show", "nightly", *self.store)["runs"]
        rates = sorted(run["metrics"]["output_tokens_per_s"]["full"] / 2 for run in runs)
        perf = seen["options"][0]["perf"]
        self.assertEqual((perf["runs"], perf["from_result"]), (3, "nightly"))
        for key, wanted in (("out_low", rates[0]), ("out_per_s", rates[1]), ("out_high", rates[2])):
            self.near(perf[key], wanted)
        self.assertIsNotNone(seen["options"][0]["per_mtok"]["out_interval"])
        self.fails(2, "cost", self.file(study.replace("ttft:5000", "ttft:1")), *self.store, says="ttft:1")
        self.fails(2, "cost", self.file(study.replace("ttft:5000", "slow")), *self.store, says="slow")

    def test_how_many_accelerators_there_were_is_asked_for(self):
        self.measure()
        done = scoville("cost", self.file(RENTED % "any"), *self.store)
        self.assertEqual(done.returncode, 2)
        self.assertIn("R: devices", done.stderr)
        self.fails(1, "cost", self.file(RENTED.replace("nightly", "weekly") % "any"), *self.store, says="weekly")


if __name__ == "__main__":
    harness.main()

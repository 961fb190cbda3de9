#!/usr/bin/env python3
"""The evaluation matrix and the scenarios: matrix, scenario list, scenario show.    test_matrix.py BINARY"""

import re
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

EXAMPLES = Path(__file__).resolve().parents[2] / "examples/matrix"
CHINESE = re.compile(r"[\u4e00-\u9fff]")

SOUND = """candidate: B
baseline: A
required: [serving_throughput]
targets: {goodput_ratio: {least: 0.9, source: owner, date: 2026-08-01}}
measured:
  serving_throughput:
    - {measure: goodput_ratio, value: %s, low: %s, high: %s, n: 6, source: set-1}
"""


class Matrix(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-matrix-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, text: str, name: str = "m.yaml") -> str:
        path = self.folder / name
        path.write_text(text)
        return str(path)

    def test_the_exit_code_is_the_answer(self):
        met = "pilots: [{name: chat at 5 %, verdict: pass}]\n"
        for text, overall, status in ((SOUND % (0.97, 0.94, 0.99) + met, "adopt", 0), (SOUND % (0.97, 0.94, 0.99), "pilot", 0),
                                      (SOUND % (0.92, 0.88, 0.96), "hold", 4), (SOUND % (0.8, 0.77, 0.84), "reject", 3)):
            with self.subTest(overall):
                seen = self.report("matrix", self.file(text), status=status)
                self.assertEqual((seen["schema"], seen["overall"]), ("scoville.matrix/1", overall))

    def test_the_example_holds_and_says_how_many_tasks_would_tell(self):
        seen = self.report("matrix", str(EXAMPLES / "hold.yaml"), status=4)
        self.assertEqual(seen["blocking"], ["correctness", "chat at 5 %"])
        self.assertEqual(seen["would_change"][0]["needed"], 4040)  # 1319 · (0.007 / 0.004)², rounded up
        self.assertEqual(len(seen["rows"]), 10)
        self.assertEqual([each["id"] for each in seen["knock_outs"] if each["verdict"] != "pass"], [])
        segments = seen["mix"]["varied"][1]["segments"]
        self.assertEqual([each["best"] for each in segments], ["A", "B"])
        self.assertAlmostEqual(segments[1]["from"], 0.375)  # 4.10 − 2.5 s = 4.40 − 3.3 s

    def test_a_ranking_whose_methods_disagree_is_not_robust(self):
        seen = self.report("matrix", str(EXAMPLES / "not-robust.yaml"))["ranking"]
        self.assertEqual([each["name"] for each in seen["order"]], ["A", "C", "B"])
        self.assertAlmostEqual(seen["order"][0]["score"], 0.73)
        self.assertAlmostEqual(seen["order"][2]["topsis"], 0.604800, places=6)
        self.assertEqual((seen["grid"]["vectors"], seen["grid"]["ties"]), (3003, 119))
        self.assertEqual([each["wins"] for each in seen["order"]], [1738, 659, 487])
        self.assertEqual(seen["doubts"], ["methods_disagree", "small_win_share"])
        self.assertEqual(seen["weights_varied_by_quarter"], {"changed": 0, "total": 12})
        table = scoville("matrix", str(EXAMPLES / "not-robust.yaml"), "--detail").stdout
        self.assertIn("RANKING NOT ROBUST", table)
        self.assertIn("0.605", table)

    def test_a_knock_out_rejects_whatever_was_measured(self):
        seen = self.report("matrix", str(EXAMPLES / "reject.yaml"), status=3)
        self.assertEqual(seen["blocking"], ["delivery_weeks", "warranty_years"])

    def test_tables_in_both_languages_and_markdown(self):
        for lang, word in (("en", "HOLD"), ("zh", "暂缓")):
            table = scoville("matrix", str(EXAMPLES / "hold.yaml"), "--lang", lang)
            self.assertEqual((table.returncode, table.stderr), (4, ""))
            self.assertIn(word, table.stdout.splitlines()[0])
        page = scoville("matrix", str(EXAMPLES / "hold.yaml"), "--markdown").stdout
        rows = [line for line in page.splitlines() if line.startswith("|")]
        self.assertGreater(len(rows), 15)
        self.assertTrue(all(line.endswith("|") for line in rows))

    def test_a_bad_file_is_one_line_with_its_place(self):
        for text, says in (("candidate: B\nrequired: [speed]\n", "m.yaml:2: required[0]"),
                           ("candidate: B\nrequired: [energy]\ntargets: {tokens_per_jule_ratio: 1}\n", "tokens_per_joule_ratio?"),
                           ("candidate: B\nrequired: [energy]\nknock_outs: {warranty_years: {least: 3, value: 2}}\n", "knock_outs.warranty_years.source"),
                           ("candidate: B\nrequired: [energy]\nscenario: chats\n", "pretraining"),
                           ("candidate: B\nrequired: [energy]\nmeasures: {}\n", "measured?"),
                           ("candidate: [", "m.yaml:1"), ("required: [energy]\n", "candidate")):
            with self.subTest(says):
                self.fails(2, "matrix", self.file(text), says=says)
        self.fails(2, "matrix", "/nonexistent.yaml", says="/nonexistent.yaml")

    def test_a_template_and_a_scenario_of_ones_own_lie_beside_the_file(self):
        self.file("id: mine\nversion: 3\nrows:\n  - {id: a, title: A, method: by hand, measures: [{key: k, title: K, better: lower, exact: true}]}\n", "t.yaml")
        self.file("name: s\nversion: 1\ntitle: S\ncriteria:\n  - {id: c, title: C, weight: 1, measure: k, zero: 9, one: 0, basis: mine}\n", "s.yaml")
        seen = self.report("matrix", self.file(
            "template: t.yaml\nscenario: s.yaml\ncandidate: B\nrequired: [a]\ntargets: {k: 2}\nmeasured: {a: [{measure: k, value: 1}]}\n"
            "ranking: {arms: {A: {values: {c: 3}}, B: {values: {c: 1}}}}\n"))
        self.assertEqual((seen["template"], seen["overall"]), ({"id": "mine", "version": 3}, "pilot"))
        self.assertEqual(seen["ranking"]["best"], "B")


class Scenarios(EndToEnd):
    def test_the_seven_scenarios_with_weights_that_add_up_to_one(self):
        seen = self.report("scenario", "list")["scenarios"]
        self.assertEqual([each["name"] for each in seen], ["agents", "chat", "code", "lora", "offline", "pretraining", "rag"])
        for each in seen:
            self.assertAlmostEqual(sum(one["weight"] for one in each["criteria"]), 1)

    def test_one_of_them_with_its_limits_and_their_source(self):
        chat = self.report("scenario", "show", "chat")
        variant = next(each for each in chat["slo"] if each["name"] == "interactive-405b")
        self.assertEqual(variant["limits"], {"tpot_p99": 80, "ttft_p99": 4500})
        self.assertIn("MLPerf", variant["source"])
        for lang in ("en", "zh"):
            table = scoville("scenario", "show", "chat", "--lang", lang).stdout
            self.assertIn("conversational-8b", table)
        self.assertRegex(table, CHINESE)
        self.fails(2, "scenario", "show", "chatt", says="pretraining")


if __name__ == "__main__":
    harness.main()

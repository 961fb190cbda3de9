#!/usr/bin/env python3
"""The log of an adoption: next, enter, leave, book, first-token.    test_next.py BINARY"""

import json
import re
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

PLAN = str(Path(__file__).resolve().parents[2] / "examples/matrix/migration.yaml")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Next(EndToEnd):
    """Each test has a folder of its own, in which the log lies by default."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-next-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "scoville-next.jsonl"

    def next(self, *args: str, status: int = 0) -> dict:
        return self.report("next", *args, status=status, cwd=self.folder)

    def to_bring_up(self):
        self.next("enter", "desk", "--date", "2026-08-01")
        self.next("leave", "desk", "--result", "0.93 is plausible", "--date", "2026-08-05")
        return self.next("enter", "bring-up", "--date", "2026-08-06")

    def test_stages_are_entered_and_left_in_order(self):
        seen = self.next()
        self.assertEqual((seen["entries"], seen["open"], seen["enterable"]), (0, [], ["desk", "baseline"]))
        self.assertFalse(self.log.exists())  # looking writes nothing
        seen = self.to_bring_up()
        self.assertEqual((seen["open"], seen["enterable"]), (["bring-up"], ["baseline"]))
        self.assertEqual(seen["stages"][0]["result"], "0.93 is plausible")
        self.assertEqual(len(self.log.read_text().splitlines()), 3)
        self.fails(3, "next", "enter", "poc", says="baseline, bring-up", cwd=self.folder)
        seen = self.next("enter", "3", "--anyway", "--date", "2026-08-07")
        self.assertTrue(seen["stages"][3]["forced"])

    def test_a_gate_that_was_not_met_opens_nothing(self):
        self.next("enter", "desk", "--date", "2026-08-01")
        seen = self.next("leave", "desk", "--failed", "--result", "no evidence", "--date", "2026-08-02")
        self.assertEqual((seen["stages"][0]["phase"], seen["enterable"]), ("not_met", ["desk", "baseline"]))

    def test_what_contradicts_the_log_is_refused_and_not_written(self):
        self.to_bring_up()
        before = self.log.read_text()
        for args, says in ((("enter", "bring-up"), "bring-up"), (("leave", "soak", "--result", "x"), "soak"),
                           (("leave", "bring-up"), "--result"), (("enter", "baseline", "--date", "2026-08-01"), "2026-08-06"),
                           (("enter", "bringup"), "bring-up"), (("book", "operator", "1"), "operators?"),
                           (("book", "tea", "1"), "engine_adaptation"), (("book", "image", "-1"), "-1")):
            with self.subTest(args):
                self.fails(2, "next", *args, says=says, cwd=self.folder)
        self.assertEqual(self.log.read_text(), before)

    def test_booked_days_replace_the_estimate_once_the_part_is_done(self):
        before = self.next("--plan", PLAN)["migration"]
        self.assertGreater(before["person_days"]["p90"], before["person_days"]["p10"])
        self.next("book", "operators", "30", "--who", "li", "--date", "2026-08-10", "--plan", PLAN)
        after = self.next("book", "operators", "12.5", "--done", "--date", "2026-08-20", "--plan", PLAN)["migration"]
        item = next(each for each in after["items"] if each["item"] == "operators")
        self.assertEqual((item["state"], item["booked"], item["days"]), ("logged", 42.5, 42.5))
        spread = lambda seen: seen["person_days"]["p90"] - seen["person_days"]["p10"]
        self.assertLess(spread(after), spread(before))
        self.assertEqual(after["cost"]["currency"], "CNY")
        per_day = after["cost"]["p50"] / after["person_days"]["p50"]
        self.assertAlmostEqual(per_day, 450000 / 220)

    def test_the_first_token_ends_the_estimate_of_what_came_before_it(self):
        self.to_bring_up()
        seen = self.next("first-token", "--date", "2026-09-05", "--plan", PLAN)["migration"]
        self.assertEqual(seen["first_token"], {"date": "2026-09-05", "after_days": 30})
        over = [each for each in seen["items"] if each["state"] == "first_token"]
        self.assertEqual([each["item"] for each in over], ["engine_adaptation", "operators", "framework", "image"])
        self.assertAlmostEqual(sum(each["days"] for each in over), 30 * 5 / 7 * 3)  # three engineers
        self.fails(2, "next", "first-token", says="2026-09-05", cwd=self.folder)

    def test_a_damaged_line_is_told_by_its_number_and_nothing_is_added(self):
        self.to_bring_up()
        text = self.log.read_text()
        self.log.write_text(text + '{"kind":"boo')
        self.fails(2, "next", says="scoville-next.jsonl:4:", cwd=self.folder)
        self.fails(2, "next", "book", "image", "1", says="scoville-next.jsonl:4:", cwd=self.folder)
        self.assertEqual(self.log.read_text(), text + '{"kind":"boo')
        self.log.write_text(text.rstrip("\n"))  # a last line without its end is whole, and stays a line of its own
        self.next("book", "image", "1", "--date", "2026-08-10")
        lines = self.log.read_text().splitlines()
        self.assertEqual([json.loads(line)["kind"] for line in lines], ["entered", "left", "entered", "booked"])

    def test_another_log_a_bad_plan_and_a_day_that_is_none(self):
        self.next("enter", "desk", "--log", "other.jsonl", "--date", "2026-08-01")
        self.assertTrue((self.folder / "other.jsonl").exists())
        bad = self.folder / "bad.yaml"
        bad.write_text("migration:\n  items:\n    operators: {low: 5, likely: 2, high: 9, basis: estimate, source: s}\n")
        self.fails(2, "next", "--plan", str(bad), says="bad.yaml:3: migration.items.operators", cwd=self.folder)
        self.fails(2, "next", "first-token", "--date", "2026-02-30", says="--date", cwd=self.folder)
        self.fails(1, "next", "--plan", "nowhere.yaml", says="nowhere.yaml", cwd=self.folder)

    def test_every_command_that_a_stage_names_exists_with_its_flags(self):
        helps = {}
        for stage in self.next()["stages"]:
            for line in stage["commands"]:
                words = line.split()
                self.assertEqual(words[0], "scoville")
                two = " ".join(words[1:3])
                name = two if two in ("scenario list", "scenario show", "probe correctness", "next first-token") else words[1]
                if name not in helps:
                    helps[name] = scoville(*name.split(), "--help").stdout
                for flag in re.findall(r"(?<= )--?[a-z][a-z0-9-]*", line):
                    self.assertRegex(helps[name], rf"(?m)^  (\S+,)?{flag}\b", line)

    def test_the_table_says_what_to_do_in_both_languages(self):
        self.to_bring_up()
        english = scoville("next", cwd=self.folder).stdout
        self.assertIn("scoville probe correctness", english)
        self.assertIn("scoville next leave bring-up", english)
        self.assertIn("assumption", english)
        self.assertRegex(scoville("next", "--lang", "zh", cwd=self.folder).stdout, CHINESE)
        self.assertNotRegex(scoville("next", "--json", "--lang", "zh", cwd=self.folder).stdout, CHINESE)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""One baseline over time: history.    test_history.py BINARY"""

import re
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

LOAD = ("--num-prompts", "24", "--random-input-len", "16", "--random-output-len", "12", "--num-warmups", "2",
        "--ignore-eos", "--max-concurrency", "4", "--disable-tqdm")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


class History(EndToEnd):
    """Each test has a store of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-history-")
        self.addCleanup(folder.cleanup)
        self.store = ("--store", str(Path(folder.name) / "runs.db"))

    def measure(self, itl_ms: float, repeats: int = 5, *more: str, tag: str = "nightly"):
        with Server(f"ttft=10ms,itl={itl_ms}ms,tokens=12") as server:
            self.sound_set(self.store, "--base-url", server.url, *LOAD, "--repeats", str(repeats), "--tag", tag, *more)

    def history(self, *args: str, status: int = 0) -> dict:
        done = scoville("history", "nightly", "--json", *args, *self.store)
        seen = self.one_object(done.stdout)
        refused = {each["field"] for point in seen["points"] for each in point["refused"]}
        if "runs.instrument" in refused:
            self.skipTest("this machine was too busy to measure: the client was the bottleneck")
        self.assertEqual(done.returncode, status, done.stderr)
        return seen

    def test_a_tenth_slower_is_found_placed_and_failed(self):
        for _ in range(2):
            self.measure(4, 5, "--engine-arg", "version=0.9.1")
        fine = self.history()
        self.assertEqual((fine["schema"], fine["metric"], fine["newest"]["outcome"]), ("scoville.history/1", "tpot", "holds"))
        self.assertEqual(fine["steps"], [])
        self.measure(4, 5, "--engine-arg", "version=0.9.1")
        self.measure(4.4, 5, "--engine-arg", "version=0.10.0")

        seen = self.history(status=3)
        names = [each["name"] for each in seen["points"]]
        self.assertEqual([len(each["runs"]) for each in seen["points"]], [5, 5, 5, 5])
        self.assertEqual([each["used"] for each in seen["points"]], [True] * 4)
        self.assertEqual([bool(each["changes"]) for each in seen["points"]], [False, False, False, True])
        self.assertIn("0.10.0", " ".join(str(each["after"]) for each in seen["points"][3]["changes"]))
        self.assertEqual([(each["before"], each["after"]) for each in seen["steps"]], [(names[2], names[3])])
        step = seen["steps"][0]
        self.assertAlmostEqual(step["change"], 0.1, delta=0.02)
        self.assertTrue(step["worse"])
        self.assertLess(step["p"], 0.05)
        newest = seen["newest"]
        self.assertEqual((newest["outcome"], newest["plateau"], newest["plateau_runs"]), ("slower", names[:3], 15))
        self.assertAlmostEqual(newest["comparison"]["ratio"]["value"], 1 / 1.1, delta=0.02)
        self.assertIn("no_noise_floor", self.codes(seen))

        # Ten per cent are within a margin of a fifth.
        self.assertEqual(self.history("--margin", "20%")["newest"]["outcome"], "holds")
        # Seen from another metric: fewer tokens a second are worse.
        rate = self.history("--primary", "output_tokens_per_s", status=3)
        self.assertLess(rate["steps"][0]["change"], 0)
        self.assertTrue(rate["steps"][0]["worse"])

        for language in ("en", "zh"):
            table = scoville("history", "nightly", *self.store, "--lang", language)
            self.assertEqual(table.returncode, 3, table.stderr)
            self.assertEqual(bool(CHINESE.search(table.stdout)), language == "zh")
            self.assertIn("▲", table.stdout)
            for line in table.stdout.splitlines():
                self.assertLessEqual(len(line), 150)

    def test_one_point_cannot_be_told_and_runs_without_a_set_are_points_of_their_own(self):
        self.measure(1, 1)
        self.assertEqual(self.history(status=4)["newest"]["outcome"], "alone")
        self.measure(1, 1)
        seen = self.history(status=4)
        self.assertEqual([len(each["runs"]) for each in seen["points"]], [1, 1])
        self.assertEqual(seen["newest"]["comparison"]["reason"], "too_few_runs")

    def test_another_load_is_shown_and_not_used_unless_allowed(self):
        self.measure(1, 2, "--timeout", "500s")
        self.measure(1, 2)
        seen = self.history(status=4)
        self.assertEqual([each["used"] for each in seen["points"]], [False, True])
        self.assertEqual([each["field"] for each in seen["points"][0]["refused"]], ["load.failures"])
        self.assertEqual(seen["newest"]["outcome"], "alone")
        self.assertEqual(self.history("--allow", "load.failures", status=4)["newest"]["plateau_runs"], 2)

    def test_bad_words_are_one_line(self):
        self.measure(1, 1)
        self.fails(1, "history", "nothing", *self.store, says="nothing")
        self.fails(2, "history", "nightly", *self.store, "--primary", "tpot,ttft", says="one metric")
        self.fails(2, "history", "nightly", *self.store, "--primary", "speed", says="tpot")
        self.fails(2, "history", "nightly", *self.store, "--margin", "none", says="3%")
        self.fails(1, "history", "nightly", "--store", self.store[1] + ".none", says="runs.db.none")


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`scoville baseline`: environment, calibration if missing, runs, one tag, one report.    test_baseline.py BINARY"""

import json
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

SHORT = ("--num-prompts", "12", "--max-concurrency", "4", "--random-input-len", "32", "--random-output-len", "16",
         "--ignore-eos")


class Baseline(EndToEnd):
    def test_one_command_leaves_a_calibration_and_a_set_under_one_tag(self):
        with Server("ttft=5ms,itl=1ms") as server, tempfile.TemporaryDirectory() as folder:
            kept = ("--store", str(Path(folder, "runs.db")))
            first = scoville("baseline", "--base-url", server.url, *SHORT, *kept, "--quick", "--json")
            self.assertEqual(first.returncode, 0, first.stderr)
            self.assertIn("No calibration", first.stderr)
            measured = self.one_object(first.stdout)
            self.assertEqual(len(measured["set"]["runs"]), 5)
            self.assertEqual(measured["set"]["tag"], "baseline")
            for run in measured["runs"]:
                self.assertIsNotNone(run["instrument"]["calibration"])
            self.assertEqual(scoville("calibrate", "--show", *kept).returncode, 0)
            shown = self.report("runs", "show", "baseline", *kept)
            self.assertEqual(shown["set"]["metrics"], measured["set"]["metrics"])

            second = scoville("baseline", "--base-url", server.url, *SHORT, *kept, "--repeats", "2", "--tag", "again",
                              "--lang", "zh")
            self.assertEqual(second.returncode, 0, second.stderr)
            self.assertNotIn("尚未校准", second.stderr)  # once is enough
            for words in ("驱动与固件版本", "推理引擎：scoville", "2 次运行", "功耗"):
                self.assertIn(words, second.stdout)
            self.assertEqual({run["tag"] for run in json.loads(scoville("runs", "list", *kept, "--json").stdout)["runs"]},
                             {"baseline", "again"})


if __name__ == "__main__":
    harness.main()

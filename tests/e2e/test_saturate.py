#!/usr/bin/env python3
"""The largest load within SLOs, against an endpoint whose capacity is known.    test_saturate.py BINARY

Four slots of 100 ms: 40 requests a second. A machine too busy to make such a load says so, and the figure is then not asked for.
"""

import os
import signal
import tempfile
import shutil
import unittest

import harness
from harness import EndToEnd, Server, finish, scoville, start

SCRIPT = "ttft=100ms,tokens=1,slots=4"
CAPACITY = 40.0
LOAD = ("--random-input-len", "32", "--random-output-len", "1", "--ignore-eos", "--disable-tqdm")
FAST = ("--min-step", "2s", "--max-step", "20s", "--start", "25", "--precision", "1%")


class Saturate(EndToEnd):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="scoville-e2e-saturate-")
        cls.store = ("--store", os.path.join(cls.folder, "runs.db"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def searched(self, *args: str) -> dict:
        """An answer that this machine was quiet enough to find."""
        for _ in range(2):
            with Server(SCRIPT) as server:
                done = scoville("saturate", "--base-url", server.url, *LOAD, *args, *self.store, "--json")
            self.assertIn(done.returncode, (0, 4), done.stderr)
            seen = self.one_object(done.stdout)
            busy = sum(step["verdict"] == "client_limited" for step in seen["steps"])
            if seen["limit"] != "client" and seen["outcome"] == "found" and not busy:
                self.assertEqual(done.returncode, 0)
                return seen
        self.skipTest("this machine is too busy: the client was the bottleneck in two searches")

    def test_constant_arrivals_come_to_slots_over_service_time_within_3_percent(self):
        seen = self.searched("--slo", "ttft:p80:160ms", "--arrivals", "constant", *FAST)
        self.assertEqual(seen["schema"], "scoville.saturation/1")
        self.assertAlmostEqual(seen["rate_per_s"]["value"] / CAPACITY, 1, delta=0.03)
        self.assertEqual(seen["rate_per_s"]["low"], seen["rate_per_s"]["value"])
        self.assertGreater(seen["rate_per_s"]["high"], seen["rate_per_s"]["value"])
        self.assertGreaterEqual(seen["attainment"]["slos"][0]["low"], 0.8)
        last = seen["steps"][seen["confirmed_by"]]
        self.assertEqual((last["purpose"], last["verdict"], last["pooled"]), ("confirm", "holds", 1))
        self.the_set_is_stored(seen)

    def the_set_is_stored(self, seen: dict):
        """Every step is a run of the set, and the set shows what was found."""
        shown = self.report("runs", "show", seen["set"], *self.store)
        self.assertEqual(shown, seen)
        self.assertIn("holds", scoville("runs", "show", seen["set"], *self.store).stdout)
        runs = [run for run in self.report("runs", "list", *self.store)["runs"] if run["kind"] == "saturate"]
        self.assertEqual(len([run for run in runs if run["set"] == seen["set"]]), len(seen["steps"]) + 1)  # and one user
        step = self.report("runs", "show", seen["steps"][-1]["run"], *self.store)
        self.assertIsNotNone(step["goodput"])
        self.fails(2, "compare", seen["set"], "other", *self.store, says="saturate")  # loads that differ are no repeats

    def test_users_beyond_the_slots_wait(self):
        seen = self.searched("--slo", "ttft:p90:150ms", "--over", "concurrency", "--devices", "2", "--min-step", "1s",
                             "--max-step", "20s")
        self.assertEqual(seen["users"]["value"], 4)
        self.assertEqual(seen["users"]["high"], 5)
        self.assertEqual(seen["per_device"]["value"], 2)
        self.assertIsNone(seen["constant_arrivals"])

    def test_where_no_load_holds_it_is_3_and_said_in_both_languages(self):
        with Server(SCRIPT) as server:
            for language, words in (("en", "No load holds"), ("zh", "没有负载成立")):
                done = scoville("saturate", "--base-url", server.url, *LOAD, "--slo", "ttft:p50:20ms", "--over", "concurrency",
                                "--min-step", "1s", "--no-store", "--lang", language)
                if done.returncode == 4:
                    self.skipTest("this machine is too busy: " + done.stdout[-300:])
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(words, done.stdout)

    def test_who_stops_it_is_told_the_bracket_so_far(self):
        with Server(SCRIPT) as server:
            process = start("saturate", "--base-url", server.url, *LOAD[:-1], "--slo", "ttft:p90:160ms", *self.store, "--min-step",
                            "1s", "--json")
            for line in process.stderr:  # one step is judged, the next one runs
                if line.startswith("step 2: ") and "requests" in line:
                    break
            process.send_signal(signal.SIGINT)
            done = finish(process)
        self.assertEqual(done.returncode, 130)
        seen = self.one_object(done.stdout)
        self.assertEqual((seen["outcome"], seen["limit"]), ("cannot_tell", "stopped"))
        self.assertGreaterEqual(len(seen["steps"]), 1)
        self.assertEqual(self.report("runs", "show", seen["set"], *self.store), seen)

    def test_what_it_cannot_look_for_is_one_line(self):
        here = ("--base-url", "http://127.0.0.1:1")
        for args, says in (((), "--slo"), (("--slo", "ttft:p99:1s,ttft:p99:2s"), "twice"),
                           (("--slo", "ttft:p99:1s", "--slo", "ttft:p99:2s"), "twice"),
                           (("--slo", "ttft:p99:1s", "--min-step", "5s", "--max-step", "1s"), "--max-step"),
                           (("--slo", "ttft:p99:1s", "--start", "5", "--most", "4"), "--most"),
                           (("--slo", "ttft:p99:1s", "--over", "concurrency", "--start", "1.5"), "whole"),
                           (("--slo", "ttft:p99:1s", "--over", "concurrency", "--arrivals", "constant"), "--arrivals")):
            with self.subTest(args):
                self.fails(2, "saturate", *here, *args, says=says)


if __name__ == "__main__":
    harness.main()

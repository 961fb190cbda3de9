#!/usr/bin/env python3
"""`scoville calibrate`, and the error bound of a run measured after it.    test_calibrate.py BINARY

Nothing here depends on how fast this machine is: points may have been bottlenecks, and the tests then ask for less.
"""

import os
import shutil
import signal
import tempfile
import unittest

import harness
from harness import EndToEnd, Server, finish, scoville, start

BOUND = ("--random-input-len", "16", "--random-output-len", "20", "--ignore-eos", "--max-concurrency", "4", "--num-prompts",
         "40")
SCRIPT = "ttft=20ms,itl=20ms,tokens=20"  # 4 streams ÷ 20 ms: 200 events a second


class Calibrate(EndToEnd):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="scoville-e2e-calibrate-")
        cls.store = ("--store", os.path.join(cls.folder, "runs.db"))
        cls.done = scoville("calibrate", "--quick", "--json", *cls.store)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def calibration(self) -> dict:
        self.assertIn(self.done.returncode, (0, 4), self.done.stderr)
        return self.one_object(self.done.stdout)

    def good(self, transport: str) -> bool:
        """Whether the instrument kept up at 100 and at 1,000 events a second."""
        points = [p for p in self.calibration()["points"] if p["transport"] == transport]
        return all(p["verdict"] != "bottleneck" for p in points[:2])

    def test_each_point_tells_its_load_its_error_and_the_instruments_verdict(self):
        calibration = self.calibration()
        self.assertEqual(calibration["schema"], "scoville.calibration/1")
        self.assertNotIn(os.uname().nodename, calibration["machine"])
        points = calibration["points"]
        self.assertEqual([(p["transport"], p["threads"], p["asked_events_per_s"]) for p in points],
                         [(transport, 1, rate) for transport in ("tcp", "tls") for rate in (100, 1000, 10000)])
        for point in points:
            self.assertGreater(point["n"], 0)
            self.assertGreater(point["events_per_s"], 0)
            self.assertLessEqual(point["p50_ns"], point["p99_ns"])
            self.assertLessEqual(point["p99_ns"], point["max_ns"] + 100)  # P99 is to 0.1 µs
            self.assertIn(point["verdict"], ("ok", "suspect", "bottleneck"))

    def test_exit_4_says_that_the_instrument_was_the_bottleneck_at_a_lowest_rate(self):
        lowest = [p["verdict"] for p in self.calibration()["points"] if p["asked_events_per_s"] == 100]
        self.assertEqual(self.done.returncode, 4 if "bottleneck" in lowest else 0)

    def test_what_was_stored_is_shown_in_both_languages_and_as_json(self):
        self.assertEqual(self.report("calibrate", "--show", *self.store), self.calibration())
        english = scoville("calibrate", "--show", *self.store)
        chinese = scoville("calibrate", "--show", "--lang", "zh", *self.store)
        self.assertEqual((english.returncode, chinese.returncode), (0, 0))
        for text, words in ((english.stdout, ("plain TCP, 1 thread", "events/s", "error bound for")),
                            (chinese.stdout, ("明文 TCP，1 线程", "事件/秒", "误差界"))):
            for word in words:
                self.assertIn(word, text)
            self.assertEqual(len([line for line in text.splitlines() if "TLS" in line and "µs" in line]), 4)

    def test_a_store_without_one_says_how_to_make_one(self):
        with Server(SCRIPT) as server:
            elsewhere = ("--store", os.path.join(self.folder, "empty.db"))
            run = self.report("bench", "--base-url", server.url, *BOUND, *elsewhere)
        self.fails(1, "calibrate", "--show", *elsewhere, says="run scoville calibrate")
        bound = run["instrument"]["error_bound_ns"]
        self.assertEqual(bound, {"ttft": None, "tpot": None, "icl": None, "e2e": None, "reason": "not calibrated"})
        self.assertIsNone(run["instrument"]["calibration"])

    def test_a_run_within_the_range_has_a_bound_from_that_calibration(self):
        with Server(SCRIPT) as server:
            run = self.report("bench", "--base-url", server.url, *BOUND, *self.store)
        instrument = run["instrument"]
        self.assertEqual(instrument["calibration"]["made_ns"], self.calibration()["made_ns"])
        if not self.good("tcp") or instrument["verdict"] == "bottleneck" or instrument["events_per_s"] > 900:
            self.assertIsNotNone(instrument["error_bound_ns"]["reason"])
            return
        self.assertIsNone(instrument["error_bound_ns"]["reason"])
        arrival = instrument["calibration"]["arrival_error_ns"]
        for latency in ("ttft", "icl", "e2e"):
            self.assertGreaterEqual(instrument["error_bound_ns"][latency], arrival)
        self.assertGreater(instrument["error_bound_ns"]["tpot"], 0)

    def test_what_was_not_calibrated_has_no_bound_and_says_why(self):
        with Server(SCRIPT) as server:
            run = self.report("bench", "--base-url", server.url, *BOUND, "--threads", "2", *self.store)
        if run["instrument"]["verdict"] != "bottleneck":
            self.assertEqual(run["instrument"]["error_bound_ns"]["reason"], "not calibrated for this number of threads")
        self.assertIsNone(run["instrument"]["error_bound_ns"]["ttft"])

    def test_the_report_quotes_the_bound_at_its_own_rate_or_the_reason_in_both_languages(self):
        with Server(SCRIPT) as server:
            for language, words in (("en", "error bound"), ("zh", "误差界")):
                done = scoville("bench", "--base-url", server.url, *BOUND, "--lang", language, *self.store)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(sum(words in line for line in done.stdout.splitlines()), 1)

    def test_a_calibration_that_was_stopped_is_not_kept(self):
        store = ("--store", os.path.join(self.folder, "stopped.db"))
        process = start("calibrate", *store)
        while not os.path.exists(store[1]):
            self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        done = finish(process)
        self.assertEqual((done.returncode, done.stdout), (130, ""))
        self.fails(1, "calibrate", "--show", *store)


if __name__ == "__main__":
    harness.main()

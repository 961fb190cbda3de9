#!/usr/bin/env python3
"""`scoville probe capacity`: bounds, what it is held against, refusals.    test_capacity.py BINARY"""

import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

BOUND = 128 << 20  # of all that is taken here: other programs live on this machine, too


def has_torch() -> bool:
    return Path(harness.binary).with_name("scoville-torch").exists()


class Capacity(EndToEnd):
    def setUp(self):
        if not has_torch():
            self.skipTest("scoville-torch is not built")

    def test_a_bound_is_reached_exactly_in_one_piece_and_in_all(self):
        found = self.report("probe", "capacity", "--at-most", "128MiB")
        self.assertEqual(found["kind"], "device_capacity")
        self.assertEqual(found["device"], "cpu")
        self.assertEqual((found["largest_single_bytes"], found["total_bytes"]), (BOUND, BOUND))
        self.assertEqual(found["limit"], "asked")
        self.assertGreater(found["free_before_bytes"], BOUND)
        self.assertGreater(found["nominal_bytes"], found["free_before_bytes"] / 2)
        self.assertEqual(found["nominal_from"], "probe")
        self.assertAlmostEqual(found["total_share"], BOUND / found["nominal_bytes"])

    def test_shares_are_of_what_is_given_or_of_the_catalogue(self):
        found = self.report("probe", "capacity", "--at-most", "128MiB", "--nominal", "256MiB")
        self.assertEqual((found["largest_single_share"], found["total_share"]), (0.5, 0.5))
        self.assertEqual(found["nominal_from"], "given")
        found = self.report("probe", "capacity", "--at-most", "64MiB", "--catalogue", "h100-sxm")
        self.assertEqual((found["nominal_bytes"], found["nominal_from"]), (80e9, "catalogue"))
        self.assertEqual(found["catalogue_id"], "h100-sxm")

    def test_what_is_left_alone_is_not_taken(self):
        """With nearly all of it left alone, hardly anything is taken: the host's limit, not ours."""
        free = self.report("probe", "capacity", "--at-most", "1MiB")["free_before_bytes"]
        found = self.report("probe", "capacity", "--reserve", str(free * 10), status=4)
        self.assertEqual(found["total_bytes"], 0)
        self.assertIn(found["limit"], ("host", "cgroup"))

    def test_the_table_says_shares_in_both_languages(self):
        done = scoville("probe", "capacity", "--at-most", "64MiB", "--nominal", "256MiB")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("25.0 %", done.stdout)
        self.assertIn("--at-most", done.stdout)
        self.assertIn("标称", scoville("probe", "capacity", "--at-most", "64MiB", "--lang", "zh").stdout)

    def test_a_device_that_is_not_there_is_one_line(self):
        self.fails(1, "probe", "capacity", "--device", "cuda", "--probe", "torch", says="no_device")

    def test_a_probe_that_takes_memory_without_saying_how_much_is_named(self):
        answer = """import sys, json
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "result": {"pieces": 3}}), flush=True)"""
        script = Path(harness.data_home, "capacity_probe.py")
        script.write_text(answer)
        self.fails(1, "probe", "capacity", "--probe", f"python3 {script}", says="python3")


class Refusals(EndToEnd):
    def test_two_nominal_figures_and_a_stranger(self):
        self.fails(2, "probe", "capacity", "--nominal", "1GB", "--catalogue", "h100-sxm", says="--nominal")
        self.fails(2, "probe", "capacity", "--catalogue", "h100-xsm", says="h100-sxm")


if __name__ == "__main__":
    harness.main()

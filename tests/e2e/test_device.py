#!/usr/bin/env python3
"""`scoville probe device`: the CPU probe, a probe of another language, probes that break.    test_device.py BINARY"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

SMALL = f"{sys.executable} {Path(__file__).resolve().parents[2] / 'examples/probe/small_probe.py'}"
TIMES = {"median_ns", "min_ns", "p5_ns", "p95_ns", "first_call_ns", "n", "noisy", "steady"}

# Answers products until it comes to one of 2048, and dies there; or is silent from there on.
BREAKS = '''
import json, os, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    say = lambda **what: print(json.dumps({"id": asked["id"], **what}), flush=True)
    if asked["ask"] == "describe":
        say(result={"probe": "breaks", "asks": ["gemm"], "dtypes": ["bf16"], "devices": [{"id": "x:0", "name": "NVIDIA H100 80GB HBM3"}]})
        continue
    for shape in asked["params"]["shapes"]:
        if shape["m"] == 4096:
            os.abort() if sys.argv[1] == "abort" else time.sleep(100)
        say(row={**shape, "dtype": "bf16", "rel_l2": 2.9e-3, "poisoned": 0, "hot": {"median_ns": 1e6, "n": 10}})
    say(result={})
'''


class Device(EndToEnd):
    def breaking(self, how: str, *flags: str) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "breaks.py")
            path.write_text(BREAKS)
            return self.report("probe", "device", "--device", "x:0", "--probe", f"{sys.executable} {path} {how}", "--level",
                               "quick", *flags)

    def test_every_row_of_the_cpu_has_what_its_format_says(self):
        seen = self.report("probe", "device", "--level", "quick", "--threads", "1")
        self.assertEqual(seen["format"], "scoville-device")
        self.assertTrue(seen["key"]["stack"]["onednn"])
        self.assertEqual(seen["dtypes"], ["fp32", "bf16", "int8"])
        self.assertEqual({each["part"] for each in seen["missing"]}, {"copy", "attention"})
        points = seen["gemm"]["points"]
        self.assertEqual(len({(p["m"], p["n"], p["k"], p["dtype"]) for p in points}), len(points))
        for point in points:
            if point["fault"]:  # a processor without it says so
                self.assertIn(point["fault"]["reason"], ("unsupported", "oom"))
                continue
            self.assertEqual(set(point["hot"]), TIMES)
            self.assertEqual(point["threads"], 1)
            self.assertEqual(point["poisoned"], 0)
            self.assertEqual(point["precision"], "as_asked", point)
            self.assertAlmostEqual(point["operations_per_second"] * point["hot"]["median_ns"] / 1e9 / point["operations"], 1, 6)
            self.assertTrue(point["kernel"])
        for point in seen["bandwidth"]["points"] + seen["bandwidth"]["sweep"]:
            self.assertIsNone(point["fault"], point)
            self.assertGreater(point["bytes_per_second"], 1e8)
            self.assertEqual(point["moved_bytes"] % point["array_bytes"], 0)
        self.assertEqual({p["operation"] for p in seen["bandwidth"]["points"]}, {"copy", "mul", "add", "triad", "read", "write"})
        self.assertGreaterEqual(len(seen["latency"]), 3)
        self.assertEqual({each["kind"] for each in seen["launch"]}, {"parallel_region", "roundtrip"})
        for line in seen["roofline"]:
            self.assertAlmostEqual(line["ridge"], line["peak"] / line["bytes_per_second"], 6)
        best = {each["dtype"]: each["operations_per_second"] for each in seen["gemm"]["best"]}
        if "bf16" in best and best["bf16"] < 1.3 * best["fp32"]:
            print(f"\nwarning: bf16 only {best['bf16'] / best['fp32']:.2f} x fp32: a noisy machine, or one without it", file=sys.stderr)

    def test_more_threads_than_processors_are_marked(self):
        seen = self.report("probe", "device", "--level", "quick", "--only", "launch", "--threads", "4096")
        self.assertTrue(all(each["oversubscribed"] for each in seen["launch"]))

    def test_a_probe_in_another_language(self):
        with tempfile.TemporaryDirectory() as folder:
            saved = Path(folder, "saved.json")
            seen = self.report("probe", "device", "--probe", SMALL, "--level", "quick", "--save", str(saved))
            self.assertEqual(json.loads(saved.read_text()), seen)
        copy = [each for each in seen["bandwidth"]["points"] if each["operation"] == "copy"]
        self.assertEqual(len(copy), 1)
        self.assertGreater(copy[0]["bytes_per_second"], 1e7)
        self.assertTrue(all(each["fault"]["reason"] == "unsupported" for each in seen["gemm"]["points"]))
        self.assertIn({"part": "latency", "what": None, "reason": "not_implemented", "message": None}, seen["missing"])
        shown = scoville("probe", "device", "--probe", SMALL, "--level", "quick", "--lang", "zh")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("不支持", shown.stdout)

    def test_a_probe_that_crashes_in_the_midst_still_gives_the_table(self):
        seen = self.breaking("abort", "--only", "gemm")
        points = seen["gemm"]["points"]
        crashed = [each for each in points if each["fault"]]
        self.assertTrue(crashed)
        self.assertTrue(all(each["fault"]["reason"] == "crash" and each["m"] == 4096 for each in crashed))
        self.assertGreater(len(points), len(crashed))
        self.assertEqual(points[-1]["group"], "roofline")  # what came after it was asked for anew
        self.assertEqual(seen["catalogue"]["id"], "h100-sxm")
        self.assertTrue(seen["gemm"]["best"][0]["share_of_catalogue_peak"])

    def test_a_probe_that_falls_silent_is_ended(self):
        seen = self.breaking("sleep", "--only", "gemm", "--silence", "300ms")
        self.assertIn("timeout", {each["fault"]["reason"] for each in seen["gemm"]["points"] if each["fault"]})

    def test_what_is_not_there_is_said_in_one_line(self):
        self.fails(1, "probe", "device", "--probe", "/nonexistent/probe", says="/nonexistent/probe")
        self.fails(1, "probe", "device", "--device", "cuda:7", "--probe", SMALL, says="cuda:7")
        self.fails(2, "probe", "device", "--only", "gem", says="gemm")
        self.fails(2, "probe", "device", "--dtypes", "fp13", says="fp32")
        self.fails(2, "probe", "device", "--catalogue", "h100", says="h100-sxm")
        self.fails(1, "probe", "device", "--probe", SMALL, "--only", "latency", says="nothing", )


if __name__ == "__main__":
    harness.main()

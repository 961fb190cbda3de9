#!/usr/bin/env python3
"""scoville-torch asked over its protocol (docs/formats/probe.md).    test_torch_probe.py BINARY"""

import json
import subprocess
import unittest
from pathlib import Path

import harness
from harness import EndToEnd

QUICK = {"warm_up_ms": 1, "most_time_ms": 20}  # what is measured is not looked at here; that it was is
HOT = {"difference", "mode", "n", "k", "first_call_ns", "min_ns", "p5_ns", "median_ns", "p95_ns", "mean_ns", "stdev_ns", "iqr_ns", "noisy", "steady", "timer"}


def ask(question: str, device: str = "cpu", **params) -> tuple[list, dict]:
    """The rows, and what came last: {"result": …} or {"error": …}."""
    request = {"id": 7, "ask": question, "device": device, "params": params}
    if question not in ("describe", "capacity"):
        request["params"] = {"timing": QUICK, "threads": 1} | params  # threads wait for each other on a busy machine
    done = subprocess.run([Path(harness.binary).with_name("scoville-torch")], input=json.dumps(request) + "\n",
                          capture_output=True, text=True, timeout=harness.LIMIT_S, env=harness.environment())
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0 and all(line["id"] == 7 for line in lines), done
    return [line["row"] for line in lines if "row" in line], lines[-1]


class OfTorch(EndToEnd):
    def setUp(self):
        if not Path(harness.binary).with_name("scoville-torch").exists():
            self.skipTest("scoville-torch is not built")

    def is_timed(self, row: dict):
        self.assertNotIn("fault", row)
        self.assertEqual(set(row["hot"]), HOT)
        self.assertGreater(row["hot"]["median_ns"], 0)
        self.assertGreaterEqual(row["threads"], 1)

    def test_it_describes_torch_blas_and_the_cpu(self):
        _, last = ask("describe")
        about = last["result"]
        self.assertEqual((about["probe"], about["protocol"]), ("scoville-torch", 1))
        self.assertEqual(about["devices"][0]["id"], "cpu")
        self.assertTrue(about["devices"][0]["name"])
        self.assertGreater(about["devices"][0]["memory_bytes"], 1 << 28)
        self.assertIsNone(about["devices"][0]["pci"])
        self.assertIn(about["threads_of"], ("cgroup", "affinity"))
        self.assertTrue(about["stack"]["torch"])
        self.assertTrue(Path(about["stack"]["blas"]["library"]).exists())
        self.assertIn(about["stack"]["blas"].get("threads_by"), ("openmp", "pthreads", "none", None))
        if about["stack"]["blas"].get("threads_by") == "pthreads":  # two pools: OpenMP's is to wait asleep
            self.assertIsNotNone(about["stack"]["openmp_wait"]["GOMP_SPINCOUNT"])
        for question in ("gemm", "bandwidth", "copy", "launch", "attention", "capacity", "dynamic_shapes"):
            self.assertIn(question, about["asks"])

    def test_the_error_of_a_product_has_the_signature_of_its_precision(self):
        """Of Gaussian inputs, whatever K: 3e-7 in fp32, 2.9e-3 in bf16 (device-probes.md, measured by hand)."""
        rows, _ = ask("gemm", shapes=[{"label": "square", "m": 256, "n": 200, "k": 300}, {"m": 8, "n": 16, "k": 32, "batch": 3}],
                      dtypes=["fp64", "fp32", "bf16"])
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.is_timed(row)
            self.assertEqual(row["poisoned"], 0)
        self.assertEqual(rows[0]["label"], "square")
        limits = {"fp64": (0, 1e-14), "fp32": (2e-8, 1e-6), "bf16": (1.5e-3, 6e-3)}
        for row in rows:
            low, high = limits[row["dtype"]]
            self.assertTrue(low <= row["rel_l2"] <= high, row)

    def test_what_a_build_lacks_and_what_the_device_refuses_are_told_apart(self):
        version = ask("describe")[1]["result"]["stack"]["torch"]
        rows, last = ask("gemm", shapes=[{"m": 32, "n": 32, "k": 32}], dtypes=["int8", "fp8_e4m3", "fp16"])
        self.assertIn("result", last)
        if not version.startswith("1."):
            self.skipTest(f"what torch {version} takes on a CPU is not known here")
        self.assertEqual([row["fault"]["reason"] for row in rows], ["absent_in_torch", "absent_in_torch", "unsupported"])
        self.assertIn("_int_mm", rows[0]["fault"]["message"])
        self.assertIn("not implemented for 'Half'", rows[2]["fault"]["message"])

    def test_bandwidth_counts_as_stream_does_and_checks_its_arrays(self):
        rows, _ = ask("bandwidth", bytes=[1 << 20])
        self.assertEqual({row["operation"]: row["moved_bytes"] >> 20 for row in rows},
                         {"copy": 2, "mul": 2, "add": 3, "triad": 3, "read": 1, "write": 1})
        for row in rows:
            self.is_timed(row)
            self.assertTrue(row["checked"])
        rows, _ = ask("bandwidth", bytes=[4096], operations=["triad"], stores=["non_temporal"])
        self.assertEqual(rows[0]["fault"]["reason"], "absent_in_torch")

    def test_a_cold_time_is_there_where_it_was_asked_for(self):
        rows, _ = ask("bandwidth", bytes=[4096], operations=["copy"], timing=QUICK | {"cold": True})
        self.assertEqual((rows[0]["hot"]["mode"], rows[0]["cold"]["mode"]), ("hot", "cold"))
        self.assertEqual(rows[0]["cold"]["k"], 1)

    def test_a_host_is_not_copied_to_from_itself(self):
        rows, _ = ask("copy", bytes=[4096], pinned=[True, False])
        faults = {row["direction"]: row.get("fault", {}).get("reason") for row in rows}
        self.assertEqual(faults, {"h2d": "unsupported", "d2h": "unsupported", "d2d": None})

    def test_launch_has_three_kinds(self):
        rows, _ = ask("launch")
        self.assertEqual([row["kind"] for row in rows], ["enqueue", "pipelined", "roundtrip"])
        for row in rows:
            self.is_timed(row)

    def test_attention_is_right_with_grouped_heads_with_a_mask_and_without(self):
        shapes = [{"heads": 4, "kv_heads": 2, "head_dim": 32, "query_len": 1, "kv_len": 65, "causal": True, "batch": 2},
                  {"heads": 4, "head_dim": 32, "query_len": 48, "kv_len": 48, "causal": True},
                  {"heads": 4, "kv_heads": 1, "head_dim": 32, "query_len": 8, "kv_len": 40, "causal": True},
                  {"heads": 2, "head_dim": 32, "query_len": 8, "kv_len": 40, "causal": False}]
        rows, _ = ask("attention", shapes=shapes, dtypes=["fp32", "bf16"])
        for row in rows:
            self.is_timed(row)
            self.assertLess(row["rel_l2"], {"fp32": 1e-6, "bf16": 1e-2}[row["dtype"]], row)
            self.assertEqual(row["grouping"] == "none", row["heads"] == row["kv_heads"])

    def test_threads_are_as_asked_and_more_than_cores_are_marked(self):
        rows, _ = ask("launch", threads=1)
        self.assertEqual({(row["threads"], "marks" in row) for row in rows}, {(1, False)})
        rows, _ = ask("launch", threads=harness.os.cpu_count() + 2)
        self.assertEqual(rows[0]["marks"], ["oversubscribed"])

    def test_bad_parameters_and_absent_devices_are_reasons(self):
        for question, params, says in (("gemm", {}, "shapes"), ("gemm", {"shapes": [{"m": 0, "n": 1, "k": 1}]}, "m"),
                                       ("gemm", {"shapes": [{"m": 1, "n": 1, "k": 1}], "dtypes": ["fp7"]}, "fp7"),
                                       ("bandwidth", {"operations": ["dance"]}, "dance"), ("copy", {"directions": ["up"]}, "up"),
                                       ("attention", {"shapes": [{"heads": 3, "kv_heads": 2, "head_dim": 8, "query_len": 1}]}, "kv_heads"),
                                       ("dynamic_shapes", {"lengths": [5], "model": "huge"}, "tiny"), ("launch", {"threads": -1}, "threads")):
            with self.subTest(question + says):
                _, last = ask(question, **params)
                self.assertEqual(last["error"]["reason"], "bad_request")
                self.assertIn(says, last["error"]["message"])
        _, last = ask("launch", device="xpu")
        self.assertEqual(last["error"]["reason"], "no_device")
        _, last = ask("launch", device="toaster")
        self.assertEqual(last["error"]["reason"], "bad_request")


if __name__ == "__main__":
    harness.main()

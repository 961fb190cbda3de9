#!/usr/bin/env python3
"""`scoville probe operators` on the CPU and on the mock accelerator with every planted fault.    test_operators.py BINARY

Skipped, with a word, where scoville-torch was not built.
"""

import json
import os
import tempfile
import time
from pathlib import Path

import harness
from harness import EndToEnd, environment, scoville

VERDICTS = {"supported", "partial", "unsupported", "absent", "crash", "timeout", "oom", "skipped"}
# What the mock does to an operator, and what must be found.
FAULTS = {"missing": ("aten::silu", "unsupported", []), "fallback": ("aten::softmax.int", "partial", ["fallback"]),
          "wrong": ("aten::tanh", "partial", ["numerics"]), "wrong_device": ("aten::exp", "partial", ["wrong_device"]),
          "abort": ("aten::topk", "crash", None), "hang": ("aten::sort", "timeout", None), "oom": ("aten::argmax", "oom", None),
          "bf16": ("aten::gelu", "partial", ["numerics"]), "slow": ("aten::relu", "supported", [])}
SOUND = "aten::mul.Tensor"


def built(name: str) -> Path:
    return Path(harness.binary).parent / name


class Operators(EndToEnd):
    def setUp(self):
        if not built("scoville-torch").exists():
            self.skipTest("scoville-torch is not built: no libtorch here")

    def rows(self, *args: str, **variables: str) -> dict:
        done = scoville("probe", "operators", "--json", *args, env=environment(**variables))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def mock(self, *args: str, **variables: str) -> dict:
        return self.rows("--device", "privateuseone", "--load", str(built("libscoville_mock.so")), "--dtypes", "fp32", *args, **variables)

    def test_every_operator_has_a_verdict_on_the_cpu(self):
        began = time.monotonic()
        found = self.rows()
        self.assertLess(time.monotonic() - began, 60)
        self.assertGreaterEqual(len(found["operators"]), 60)
        for row in found["operators"]:
            with self.subTest(row["name"]):
                self.assertIn(row["verdict"], VERDICTS - {"crash", "timeout", "oom", "skipped"})
                self.assertEqual(row["verdict"] == "supported", not row["evidence"])
        by_name = {row["name"]: row for row in found["operators"]}
        self.assertEqual(by_name["aten::add.Tensor"]["verdict"], "supported")

    def test_the_mock_without_faults_has_none(self):
        found = self.mock()
        self.assertEqual({row["verdict"] for row in found["operators"]} - {"supported", "absent"}, set())

    def test_every_planted_fault_is_found_and_nothing_else(self):
        planted = ",".join(f"{kind}={name}" for kind, (name, _, _) in FAULTS.items())
        only = [name for name, _, _ in FAULTS.values()] + [SOUND]
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, "faulty.json")
            found = self.mock("--silence", "1500ms", "--save", saved, "--only", *only, SCOVILLE_MOCK=planted)
            by_name = {row["name"]: row for row in found["operators"]}
            for kind, (name, verdict, shortfalls) in FAULTS.items():
                with self.subTest(kind):
                    self.assertEqual(by_name[name]["verdict"], verdict, by_name[name]["evidence"])
                    if shortfalls is not None and kind != "wrong_device":
                        self.assertEqual(by_name[name]["shortfalls"], shortfalls)
            self.assertIn("wrong_device", by_name["aten::exp"]["shortfalls"])
            self.assertEqual(by_name[SOUND]["verdict"], "supported")
            self.assertIn("looks like bf16", by_name["aten::gelu"]["evidence"][0])
            # Held against it, a sound one has fixed them all; the other way round all are broken.
            fixed = self.mock("--against", saved, "--only", *only, "--save", os.path.join(folder, "sound.json"))
            changes = {each["name"]: each["change"] for each in fixed["against"]["changes"]}
            self.assertEqual(changes, {name: "fixed" for name, verdict, _ in FAULTS.values() if verdict != "supported"})
            broken = self.mock("--against", os.path.join(folder, "sound.json"), "--only", "aten::silu", SOUND, SCOVILLE_MOCK="missing=aten::silu")
            self.assertEqual([(each["name"], each["change"]) for each in broken["against"]["changes"]], [("aten::silu", "broken")])

    def test_a_fallback_shows_by_all_three_signs(self):
        found = self.mock("--only", "aten::softmax.int", SCOVILLE_MOCK="fallback=aten::softmax.int")
        case = found["operators"][0]["cases"][0]
        self.assertEqual(case["fallback"]["signs"], ["dispatcher", "warning", "strict"])
        self.assertEqual(case["fallback"]["calls"][0]["call"], "aten::_to_cpu")
        self.assertEqual(case["fallback"]["calls"][0]["inside"], "aten::softmax")
        self.assertEqual(case["fallback"]["bytes"], 2 * 16 * 128 * 4)  # the input, brought to the host once

    def test_only_what_a_model_uses(self):
        found = self.rows("--model", "llama", "--dtypes", "fp32")
        names = {row["name"] for row in found["operators"]}
        self.assertIn("aten::silu", names)
        self.assertNotIn("aten::conv2d", names)

    def test_what_is_wrong_with_the_command_line_is_one_line(self):
        for args, words in ((("--only", "aten::sofmax.int"), "did you mean aten::softmax.int?"), (("--dtypes", "fp31"), "fp32"),
                            (("--model", "lama"), "llama"), (("--against", "/nonexistent"), "/nonexistent"),
                            (("--table", "/nonexistent"), "/nonexistent")):
            with self.subTest(args):
                done = scoville("probe", "operators", *args)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1)
                self.assertIn(words, done.stderr)

    def test_a_trace_makes_the_migration_list(self):
        trace = Path(__file__).resolve().parents[2] / "examples/traces/step.json"
        shares = {row["operator"]: row["share"] for row in json.loads(scoville("trace", str(trace), "--json").stdout)["tables"][0]["operators"]}
        done = scoville("probe", "operators", "--only", "mm", "gelu", "linalg_svd", "--trace", str(trace), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = json.loads(done.stdout)["migration"]
        self.assertTrue(all(step["verdict"] != "supported" for step in steps))
        for step in steps:
            self.assertEqual(step["time_share"], shares.get(step["name"]))
        known = [step["time_share"] for step in steps if step["time_share"] is not None]
        self.assertEqual(known, sorted(known, reverse=True))
        self.assertIn("aten::mm", [step["name"] for step in steps])  # fp16 on libtorch 1.13

    def test_a_device_that_is_not_there(self):
        done = scoville("probe", "operators", "--device", "privateuseone", "--only", "mm")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no_device", done.stderr)


if __name__ == "__main__":
    harness.main()

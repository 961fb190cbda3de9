"""probes/scoville_torch.py held against scoville-torch on the CPU: one protocol, one answer.

    test_python_probe.py BINARY

Skipped, with a word, where no Python with torch is found (SCOVILLE_TEST_PYTHON, else the system's python3).
"""

import json
import os
import subprocess
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

PROBE = Path(__file__).resolve().parents[2] / "probes/scoville_torch.py"
TIMING = {"timing": {"most_time_ms": 50, "warm_up_ms": 1}}


def python() -> str | None:
    for candidate in (os.environ.get("SCOVILLE_TEST_PYTHON"), "/usr/bin/python3", "python3"):
        if candidate and subprocess.run([candidate, "-c", "import torch"], capture_output=True).returncode == 0:
            return candidate
    return None


def ask(words: list[str], question: str, **params) -> tuple[list, dict]:
    request = json.dumps({"id": 1, "ask": question, "device": "cpu", "params": params})
    done = subprocess.run(words, input=request + "\n", capture_output=True, text=True, timeout=120)
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    return [reply["row"] for reply in replies if "row" in reply], next(reply for reply in replies if "result" in reply or "error" in reply)


INTERPRETER = python()


@unittest.skipUnless(INTERPRETER, "no Python with torch here")
class BothProbes(EndToEnd):
    @classmethod
    def setUpClass(cls):
        cls.cpp = [str(Path(harness.binary).with_name("scoville-torch"))]
        if not Path(cls.cpp[0]).exists():
            raise unittest.SkipTest("built without libtorch")
        cls.py = [INTERPRETER, str(PROBE)]

    def both(self, question: str, **params):
        return ask(self.cpp, question, **params), ask(self.py, question, **params)

    def same_members(self, ours: list, theirs: list):
        self.assertEqual(len(ours), len(theirs))
        for one, other in zip(ours, theirs):
            self.assertEqual(set(one) - {"grouping"}, set(other) - {"grouping"})
            if "hot" in one:
                self.assertEqual(set(one["hot"]), set(other["hot"]))
                self.assertGreater(other["hot"]["median_ns"], 0)

    def test_what_the_python_one_answers_the_other_answers_too(self):
        (_, cpp), (_, py) = self.both("describe")
        self.assertLessEqual(set(py["result"]["asks"]), set(cpp["result"]["asks"]))
        self.assertEqual(py["result"]["protocol"], cpp["result"]["protocol"])
        self.assertLessEqual({"readiness", "gemm", "bandwidth", "copy", "launch", "operator"}, set(py["result"]["asks"]))

    def test_readiness_goes_through_the_same_steps(self):
        (cpp, _), (py, _) = self.both("readiness")
        self.assertEqual([(row["check"], row["verdict"]) for row in cpp], [(row["check"], row["verdict"]) for row in py])

    def test_products_have_the_error_of_their_precision_in_both(self):
        (cpp, _), (py, _) = self.both("gemm", shapes=[{"label": "a", "m": 96, "n": 80, "k": 512}], dtypes=["fp64", "fp32", "bf16", "fp16"], **TIMING)
        for one, other in zip(cpp, py):
            if "fault" in one or "fault" in other:  # two torches of different age
                continue
            self.assertEqual((one["dtype"], other["poisoned"], other["finite"]), (other["dtype"], 0, True))
            self.assertLess(max(one["rel_l2"], other["rel_l2"]), 2 * min(one["rel_l2"], other["rel_l2"]) + 1e-15)
        self.same_members([row for row in cpp if "fault" not in row], [row for row in py if "fault" not in row])

    def test_memory_copies_and_launches_have_the_same_rows(self):
        for question, params in (("bandwidth", {"bytes": [1 << 16], "stores": ["regular", "non_temporal"]}),
                                 ("copy", {"bytes": [4096], "directions": ["h2d", "d2h", "d2d"]}), ("launch", {})):
            with self.subTest(question=question):
                (cpp, _), (py, _) = self.both(question, **params, **TIMING)
                self.same_members(cpp, py)
                self.assertEqual([row.get("fault", {}).get("reason") for row in cpp], [row.get("fault", {}).get("reason") for row in py])

    def test_every_operator_gets_the_same_verdict(self):
        def verdicts(*more: str) -> dict:
            report = json.loads(scoville("probe", "operators", "--json", *more).stdout)
            return {row["name"]: row["verdict"] for row in report["operators"]}

        versions = [ask(words, "describe")[1]["result"]["stack"]["torch"][:4] for words in (self.cpp, self.py)]
        if versions[0] != versions[1]:
            self.skipTest(f"torch {versions[0]} and {versions[1]} cannot be held equal")
        theirs = verdicts("--probe", " ".join(self.py))
        self.assertEqual(verdicts(), theirs)
        self.assertGreater(list(theirs.values()).count("supported"), 30)

    def test_a_fallback_is_seen_in_the_profiler_s_record_of_the_call(self):
        mock = Path(harness.binary).with_name("libscoville_mock.so")
        words = ("--probe", f"{' '.join(self.py)} --load {mock}", "--device", "privateuseone", "--only", "silu", "gelu", "--dtypes", "fp32", "--json")
        done = scoville("probe", "operators", *words, env=harness.environment(SCOVILLE_MOCK="fallback=aten::silu"))
        rows = {row["name"]: row for row in json.loads(done.stdout)["operators"]}
        if "Could not" in done.stderr or not rows:
            self.skipTest("this Python's torch cannot load a library built for the other")
        self.assertEqual((rows["aten::silu"]["verdict"], rows["aten::gelu"]["verdict"]), ("partial", "supported"))
        self.assertIn("aten::_to_cpu inside aten::silu", rows["aten::silu"]["evidence"][0])

    def test_what_it_does_not_know_is_said_in_the_protocol_s_words(self):
        _, reply = ask(self.py, "dance")
        self.assertEqual(reply["error"]["reason"], "not_implemented")
        _, reply = ask(self.py, "gemm", shapes=[{"m": 1, "n": 1, "k": 1}], dtypes=["fp13"])
        self.assertEqual(reply["error"]["reason"], "bad_request")

    def test_the_program_makes_its_device_table_from_it(self):
        done = scoville("probe", "device", "--probe", " ".join(self.py), "--level", "quick", "--only", "bandwidth,launch", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.one_object(done.stdout)


if __name__ == "__main__":
    harness.main()

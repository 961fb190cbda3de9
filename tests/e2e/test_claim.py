#!/usr/bin/env python3
"""Claims: init, check, with stored measurements too.    test_claim.py BINARY"""

import re
import shlex
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ROOT / "examples/claims"
CHINESE = re.compile(r"[\u4e00-\u9fff]")
LOAD = ("--num-prompts", "24", "--random-input-len", "16", "--random-output-len", "12", "--num-warmups", "2",
        "--ignore-eos", "--max-concurrency", "4", "--disable-tqdm", "--engine-arg", "version=1", "--repeats", "5")
EXIT = {"unsupported": 3, "untestable": 4, "not_comparable": 3, "refuted_as_stated": 3, "supported_with_conditions": 0,
        "inconclusive": 4}

CLAIM = """
text: B is RATIOx as fast as A
who: {party: B Inc, role: vendor}
url: https://b.example
subject: {device: B}
comparator: {device: A}
metric: {name: output_speed_per_user, ratio: RATIO}
workload: {model: scripted}
"""


class Claims(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-claim-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = ("--store", str(self.folder / "runs.db"))

    def write(self, text: str) -> str:
        path = self.folder / "claim.yaml"
        path.write_text(text)
        return str(path)

    def test_each_public_claim_has_a_verdict_with_its_exit_code_in_both_languages(self):
        for path in sorted(CLAIMS.glob("*.yaml")):
            with self.subTest(path.name):
                done = scoville("claim", "check", str(path), "--json")
                seen = self.one_object(done.stdout)
                self.assertEqual(done.returncode, EXIT[seen["verdict"]])
                self.assertEqual(len(seen["checklist"]), 20)
                english, chinese = scoville("claim", "check", str(path)), scoville("claim", "check", str(path), "--lang", "zh")
                self.assertTrue(english.stdout.startswith("Verdict: "))
                self.assertTrue(chinese.stdout.startswith("结论："))
                self.assertNotRegex(english.stdout, CHINESE)

    def test_the_official_sentence_is_untestable_and_the_headline_unsupported(self):
        seen = self.report("claim", "check", str(CLAIMS / "jalapeno.yaml"), status=4)
        self.assertEqual((seen["verdict"], seen["evidence"]["level"]), ("untestable", "L1"))
        self.assertLessEqual({"comparator.device", "workload.model", "metric.boundary"}, set(seen["fields"]))
        self.assertEqual([each["id"] for each in seen["watch"]],
                         ["white_paper", "engine_docs", "third_party", "community", "production"])
        headline = self.report("claim", "check", str(CLAIMS / "jalapeno_headline.yaml"), status=3)
        self.assertEqual((headline["verdict"], headline["evidence"]["level"]), ("unsupported", "L0"))

    def test_the_commands_that_would_test_a_claim_are_commands_of_this_program(self):
        """Each place filled in, each command parses: what it then finds nobody at is not a fault of its words."""
        built = set(re.findall(r"^  (\w+(?: \w+)?)  ", scoville("--help").stdout, re.M))
        built.add("probe correctness")  # fills its column to the brim
        fill = {"URL": "http://127.0.0.1:1", "TOKENS": "64", "CONCURRENCY": "4", "SLO": "ttft:p99:5s", "USER": "20"}
        checked = set()
        for name in ("gb200_30x", "jalapeno", "cerebras_speed", "mi300x_nvidia_2x"):
            for each in self.one_object(scoville("claim", "check", str(CLAIMS / f"{name}.yaml"), "--json").stdout)["to_test"]:
                words = shlex.split(each["command"])
                self.assertEqual(words[0], "scoville")
                command = next((" ".join(words[1:1 + n]) for n in (2, 1) if " ".join(words[1:1 + n]) in built), None)
                if command in (None, "env", "claim check"):  # a command of a later version; one that needs no place
                    continue
                args = [next((value for end, value in fill.items() if word.strip("<>").endswith(end)), "x")
                        if word.startswith("<") else word for word in words[1:]]
                args = [str(self.system()) if word.endswith(".json") else word for word in args]
                if command == "bench":  # it would wait for a server that starts
                    args += ["--ready-check-timeout", "0s"]
                done = scoville(*args)
                if command in ("fit", "cost"):  # they ask no server
                    continue
                with self.subTest(each["command"]):
                    self.assertEqual(done.returncode, 1, done.stderr)  # 2 would be a word that it does not know
                checked.add(command)
        self.assertLessEqual({"duel", "saturate", "sweep", "bench", "probe correctness"}, checked)

    def system(self) -> Path:
        path = self.folder / "system.json"
        if not path.exists():
            self.assertEqual(scoville("env", "-o", str(path)).returncode, 0)
        return path

    def test_init_writes_a_file_that_check_reads_and_asks_for_what_is_missing(self):
        path = str(self.folder / "new.yaml")
        sentence = "X is up to 2.1x faster than Y in FP8 on Llama-3.1-8B"
        init = ("claim", "init", sentence, "--url", "https://x.example", "--who", "X Inc", "--role", "vendor",
                "--date", "2026-06-24", "-o", path)
        done = scoville(*init)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^ 1\. .*\?$")
        self.assertTrue(done.stderr.startswith(path), done.stderr)  # news, not a fault: without the prefix of one
        self.fails(1, *init, says="new.yaml")  # what is there stays
        seen = self.report("claim", "check", path, status=4)
        self.assertEqual(seen["claim"]["ratio"], {"low": 2.1, "high": 2.1})
        self.assertTrue(seen["claim"]["up_to"])
        self.assertEqual(len(re.findall(r"(?m)^ ?\d+\. ", done.stdout)), len(seen["missing"]))
        chinese = scoville(*init[:-1], str(self.folder / "zh.yaml"), "--lang", "zh")
        self.assertRegex(chinese.stdout, r"(?m)^ 1\. .*？$")
        self.report("claim", "check", str(self.folder / "zh.yaml"), status=4)

    def test_init_reads_no_ratio_out_of_a_device_name(self):
        path = str(self.folder / "amd.yaml")
        self.assertEqual(scoville("claim", "init", "MI300X has 40% lower latency than H100", "-o", path).returncode, 0)
        claim = Path(path).read_text()
        self.assertRegex(claim, r"(?m)^    ratio: 1\.66667 ")
        self.assertIn('device: "MI300X"', claim)
        self.assertIn('device: "H100"', claim)

    def test_two_parties_that_contradict_each_other_settle_nothing(self):
        """Unless they speak of different cells: the published one says FP8, and latency at batch 1; without that it may be the same."""
        original = (CLAIMS / "mi300x_amd_1_3x.yaml").read_text()
        self.assertEqual(self.report("claim", "check", str(CLAIMS / "mi300x_amd_1_3x.yaml"))["verdict"], "supported_with_conditions")
        with tempfile.TemporaryDirectory() as folder:
            unsaid = Path(folder, "unsaid.yaml")
            unsaid.write_text(original.replace("TensorRT-LLM and FP8 (by AMD's reply) on the H100, latency at batch 1", "a blog post"))
            self.assertNotEqual(unsaid.read_text(), original)
            seen = self.report("claim", "check", str(unsaid), status=4)
        self.assertEqual((seen["verdict"], seen["reason"]), ("inconclusive", "contradicted"))

    def test_a_bad_file_is_one_line_with_file_line_field_and_what_was_expected(self):
        self.fails(2, "claim", "check", self.write("text: t\nmetrics: {}\n"), says="claim.yaml:2: metrics: unknown key; did you mean metric?")
        self.fails(2, "claim", "check", self.write("text: t\nwho: {role: friend}\n"), says="who.role")
        self.fails(2, "claim", "check", self.write("- a\n"), says="claim.yaml")
        self.fails(1, "claim", "check", str(self.folder / "none.yaml"), says="none.yaml")
        self.fails(2, "claim", "check", self.write("text: t\n"), "--result", "one", says="--result")

    def test_stored_measurements_decide_a_claim(self):
        for tag, itl in (("a", 8), ("b", 4)):
            with Server(f"ttft=10ms,itl={itl}ms,tokens=12") as server:
                self.sound_set(self.store, "--base-url", server.url, *LOAD, "--tag", tag)
        results = ("--result", "a", "--result", "b", *self.store)

        def check(ratio: float):
            done = scoville("claim", "check", self.write(CLAIM.replace("RATIO", str(ratio))), "--json", *results)
            seen = self.one_object(done.stdout)
            if any("instrument" in field for field in seen["fields"]):
                self.skipTest("this machine was too busy to measure")
            return done.returncode, seen

        status, seen = check(1.9)
        self.assertEqual((status, seen["verdict"]), (0, "supported_as_stated"))
        self.assertAlmostEqual(seen["results"][0]["ratio"], 2, delta=0.1)
        self.assertEqual(seen["results"][0]["by"], "us")
        self.assertEqual(seen["evidence"]["level"], "L1")  # no A/A tests, an unverified gate: not L5
        self.assertEqual(check(4)[1]["verdict"], "direction_supported_size_refuted")
        turned = scoville("claim", "check", self.write(CLAIM.replace("RATIO", "1.5")), "--json", "--result", "b", "--result", "a", *self.store)
        self.assertEqual((turned.returncode, self.one_object(turned.stdout)["verdict"]), (3, "refuted"))

    def test_what_the_gate_refuses_is_not_comparable_with_its_fields(self):
        for tag, length in (("a", "16"), ("b", "32")):
            with Server("ttft=5ms,itl=2ms,tokens=12") as server:
                load = [length if before == "--random-input-len" else word for before, word in zip(("", *LOAD), LOAD)]
                self.sound_set(self.store, "--base-url", server.url, *load, "--tag", tag)
        seen = self.report("claim", "check", self.write(CLAIM.replace("RATIO", "1.5")), "--result", "a", "--result", "b", *self.store, status=3)
        self.assertEqual((seen["verdict"], seen["reason"]), ("not_comparable", "gate_refused"))
        self.assertTrue(seen["fields"])

    def test_a_metric_that_serving_runs_do_not_measure_is_refused(self):
        power = CLAIM.replace("output_speed_per_user", "perf_per_watt").replace("RATIO", "2")
        self.fails(2, "claim", "check", self.write(power), "--result", "a", "--result", "b", *self.store, says="--result")


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`scoville once` and `scoville bench` against a real model on a real engine, end to end.

    test_engine.py BINARY [CLASS or CLASS.test …]

The engine is the one that `scripts/real_engine.sh start` left running (its URL is in .engine/url), or the llama.cpp
server at SCOVILLE_ENGINE_URL. What the client says is held against what the server counted for itself (`timings`).
"""

import atexit
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIALECTS = ("openai", "openai-completions")
CONTEXT = 2048  # tokens in each slot of the engine: CONTEXT in real_engine.sh

binary = ""
url = ""


data_home = tempfile.mkdtemp(prefix="scoville-engine-data-")  # where runs of tests are stored
atexit.register(shutil.rmtree, data_home, True)


def environment() -> dict:
    env = {name: value for name, value in os.environ.items() if name not in ("LANG", "LC_ALL", "LC_MESSAGES")}
    return env | {"LC_CTYPE": "C.UTF-8", "XDG_DATA_HOME": data_home}


def scoville(*args: str) -> subprocess.CompletedProcess:
    return subprocess.run([binary, *args], capture_output=True, text=True, encoding="utf-8", timeout=120,
                          stdin=subprocess.DEVNULL, env=environment())


class EngineTest(unittest.TestCase):
    def report(self, *args: str, status: int = 0) -> dict:
        """What the command prints with --json: one JSON object, alone on stdout."""
        done = scoville(*args, "--json")
        self.assertEqual(done.returncode, status, f"{args}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return json.loads(done.stdout)


class Once(EngineTest):
    def once(self, dialect: str, *args: str) -> dict:
        return self.report("once", "--base-url", url, "--dialect", dialect, "--prompt", "Hello", *args)

    def test_a_request_is_taken_apart_into_times_text_and_tokens(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                seen = self.once(dialect, "--max-tokens", "16")
                self.assertEqual(seen["status"], "ok")
                self.assertIsNone(seen["error_class"])
                self.assertEqual(seen["http_status"], 200)
                self.assertIn(seen["finish_reason"], ("stop", "length"))
                self.assertEqual(seen["n_out_source"], "usage")
                self.assertTrue(1 <= seen["n_out"] <= 16, seen["n_out"])
                self.assertTrue(1 <= seen["token_events"] <= seen["n_out"], seen["token_events"])
                self.assertGreater(len(seen["text"]), 0)
                self.assertEqual(len(seen["gaps_ms"]), seen["token_events"] - 1)
                times = [seen[key] for key in ("headers_ms", "ttft_any_ms", "t_last_ms", "e2e_ms")]
                self.assertEqual(times, sorted(times))
                self.assertGreater(times[0], 0)
                self.assertEqual(seen["malformed"], 0)

    def test_ignore_eos_gives_exactly_the_tokens_that_were_asked_for(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                seen = self.once(dialect, "--max-tokens", "40", "--ignore-eos")
                self.assertEqual((seen["n_out"], seen["fulfilled"]), (40, 1))
                self.assertEqual(seen["finish_reason"], "length")

    def test_tokens_are_those_that_the_server_counted_for_itself(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                seen = self.once(dialect, "--max-tokens", "16")
                timings = seen["server_timings"] or {}
                if timings.get("predicted_n") is None:
                    self.skipTest("the engine sends no timings, so nothing to hold the tokens against")
                self.assertEqual(seen["prompt_tokens"], timings["prompt_n"] + timings["cache_n"])
                self.assertEqual(seen["n_out"], timings["predicted_n"])

    def test_one_token_can_be_asked_for(self):
        seen = self.once("openai-completions", "--max-tokens", "1", "--ignore-eos")
        self.assertEqual((seen["status"], seen["n_out"]), ("ok", 1))
        self.assertIsNone(seen["tpot_ms"])


class Bench(EngineTest):
    COMMON = ("--num-prompts", "12", "--random-input-len", "64", "--random-output-len", "16", "--ignore-eos")

    def bench(self, dialect: str, *args: str) -> dict:
        return self.report("bench", "--base-url", url, "--dialect", dialect, *self.COMMON, *args)

    def check_exact(self, run: dict):
        requests, prompts = run["requests"], run["dataset"]["prompt_tokens"]
        self.assertEqual((requests["attempted"], requests["succeeded"], requests["short"]), (12, 12, 0))
        self.assertEqual(sum(requests["failed"].values()), 0)
        self.assertEqual((prompts["asked_mean"], prompts["measured_mean"], prompts["off_share"]), (64, 64, 0))
        for name in ("ttft", "tpot", "e2e"):
            self.assertEqual(run["metrics"][name]["n"], 12, name)
        median = {name: run["metrics"][name]["quantiles"]["50"]["value"] for name in ("ttft", "tpot", "e2e")}
        self.assertTrue(0 < median["ttft"] < median["e2e"], median)
        self.assertGreater(median["tpot"], 0)

    def test_a_closed_loop_sends_prompts_of_exactly_the_length_that_was_asked_for(self):
        for dialect in DIALECTS:
            with self.subTest(dialect):
                run = self.bench(dialect, "--max-concurrency", "2")
                self.check_exact(run)
                self.assertLessEqual(run["load"]["in_flight"]["peak"], 2)

    def test_an_open_loop_offers_the_rate_that_was_asked_for(self):
        run = self.bench("openai", "--request-rate", "4")
        self.check_exact(run)
        self.assertEqual(run["load"]["offered_per_s"], 4)
        self.assertGreater(run["load"]["achieved_per_s"], 0)
        self.assertGreaterEqual(run["instrument"]["send_lag_ns"]["max"], 0)


class Launched(EngineTest):
    ENGINE = str(ROOT / "scripts" / "real_engine.sh")
    LOAD = ("--num-prompts", "6", "--max-concurrency", "2", "--random-input-len", "64", "--random-output-len", "16",
            "--ignore-eos")

    def test_a_real_engine_is_started_measured_and_stopped(self):
        run = self.report("bench", "--launch", shlex.join([self.ENGINE, "serve", "{port}"]), *self.LOAD)
        launch = run["launch"]
        self.assertEqual(run["requests"]["succeeded"], 6)
        self.assertGreater(launch["time_to_first_token_ns"], launch["time_to_ready_ns"])
        self.assertEqual((launch["ending"]["how"], launch["ending"]["survivors"], launch["crashes"]), ("stopped", 0, 0))
        self.assertEqual(run["system"]["fingerprint"]["fields"]["engine.name"]["value"], "llama.cpp")

    def test_what_a_real_engine_says_of_its_end_is_told(self):
        # A port that is no number: Python's own words, from the last line of its traceback.
        done = scoville("bench", "--launch", shlex.join([self.ENGINE, "serve", "no-port"]), "--base-url",
                        "http://127.0.0.1:9", *self.LOAD)
        self.assertEqual(done.returncode, 1, done.stderr[-2000:])
        self.assertIn("no-port", done.stderr.splitlines()[-1])


class Kept(EngineTest):
    LOAD = ("--num-prompts", "6", "--max-concurrency", "2", "--random-input-len", "64", "--random-output-len", "16",
            "--ignore-eos")

    def test_the_fingerprint_says_which_engine_served_which_model_on_what(self):
        run = self.report("bench", "--base-url", url, *self.LOAD, "--system", "local", "--engine-arg", "kv=f16")
        fields = run["system"]["fingerprint"]["fields"]
        self.assertEqual(fields["engine.name"]["value"], "llama.cpp")
        self.assertEqual(fields["model.context_length"]["value"], CONTEXT)
        self.assertGreater(fields["model.parameters"]["value"], 100e6)  # SmolLM2-135M
        self.assertEqual(fields["engine.flags.kv"], {"value": "f16", "source": "--engine-arg", "status": "ok"})
        self.assertEqual(fields["os.kernel"]["value"], os.uname().release)
        states = {row["row"]: row["state"] for row in run["system"]["checklist"]}
        # This engine tells a build; of the weights it tells neither revision nor hash, and no --model-path was given.
        self.assertEqual((states["engine"], states["model"]), ("fixed", "unknown"))

    def test_a_set_is_stored_and_shown_as_it_was_measured(self):
        measured = self.report("bench", "--base-url", url, *self.LOAD, "--repeats", "2", "--tag", "twice")
        self.assertEqual([run["requests"]["succeeded"] for run in measured["runs"]], [6, 6])
        shown = self.report("runs", "show", "twice")
        self.assertEqual(shown["set"]["metrics"], measured["set"]["metrics"])

    def test_a_run_that_was_killed_is_interrupted_and_can_be_read(self):
        bench = subprocess.Popen([binary, "bench", "--base-url", url, "--duration", "60s", "--max-concurrency", "2",
                                  "--random-input-len", "64", "--random-output-len", "16", "--ignore-eos", "--tag",
                                  "killed"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
        give_up = time.monotonic() + 100
        while not (seen := self.report("runs", "list", "--tag", "killed")["runs"]) or not seen[0]["requests"]:
            self.assertLess(time.monotonic(), give_up)
        bench.kill()
        bench.wait()
        self.assertEqual(self.report("runs", "list", "--tag", "killed")["runs"][0]["status"], "interrupted")
        shown = self.report("runs", "show", seen[0]["id"])
        self.assertIn("interrupted", [warning["code"] for warning in shown["warnings"]])
        self.assertGreaterEqual(shown["requests"]["succeeded"], 1)


class Chinese(EngineTest):
    def test_the_report_speaks_chinese(self):
        done = scoville("bench", "--base-url", url, "--num-prompts", "4", "--max-concurrency", "2",
                        "--random-input-len", "64", "--random-output-len", "8", "--ignore-eos", "--lang", "zh")
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertRegex(done.stdout, r"[\u4e00-\u9fff]{2}")
        self.assertIn("TTFT", done.stdout)

    def test_a_chinese_prompt_and_its_answer_survive(self):
        # A Chinese character is often several tokens, and llama.cpp holds its bytes back until it is whole: such an
        # answer has fewer token events than tokens.
        seen = self.report("once", "--base-url", url, "--dialect", "openai-completions",
                           "--prompt", "你好，请写一首诗：", "--max-tokens", "40", "--ignore-eos")
        self.assertEqual((seen["status"], seen["n_out"]), ("ok", 40))
        self.assertTrue(1 <= seen["token_events"] <= 40, seen["token_events"])


class Errors(EngineTest):
    def test_an_unknown_path_is_one_line_and_exit_status_1(self):
        done = scoville("bench", "--base-url", url, "--endpoint", "/nope", "--model", "m", "--num-prompts", "2",
                        "--random-input-len", "64", "--random-output-len", "8")
        self.assertEqual(done.returncode, 1, done.stderr[-2000:])
        lines = [line for line in done.stderr.splitlines() if re.search(r"\b404\b", line)]
        self.assertEqual(len(lines), 1, done.stderr)

        seen = self.report("once", "--base-url", url, "--endpoint", "/nope", "--prompt", "Hello", status=1)
        self.assertEqual((seen["status"], seen["error_class"], seen["http_status"]), ("failed", "http_status", 404))
        self.assertIsNone(seen["ttft_any_ms"])

    def test_a_prompt_longer_than_the_context_is_named_as_such(self):
        prompt = "word " * (CONTEXT + 500)
        for dialect in DIALECTS:
            with self.subTest(dialect):
                seen = self.report("once", "--base-url", url, "--dialect", dialect, "--prompt", prompt,
                                   "--max-tokens", "8", status=1)
                self.assertEqual((seen["status"], seen["error_class"]), ("failed", "http_status"))
                self.assertEqual((seen["http_status"], seen["sub_class"]), (400, "context_length"))
                self.assertIsNone(seen["ttft_any_ms"])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    binary = sys.argv[1]
    url = os.environ.get("SCOVILLE_ENGINE_URL") or ""
    if not url:
        left = ROOT / ".engine" / "url"
        if not left.exists():
            sys.exit("no engine runs: scripts/real_engine.sh start")
        url = left.read_text().strip()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)

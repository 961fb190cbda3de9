#!/usr/bin/env python3
"""The command line: bad flags, help, version, languages.    test_usage.py BINARY"""

import re
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

CHINESE = re.compile(r"[\u4e00-\u9fff]")
HERE = ("--base-url", "http://127.0.0.1:1")  # nothing is sent to it

COUNT = ("0", "-1", "1.5", "x", "1e3", "99999999999999999999")
DURATION = ("0s", "-1s", "x", "5 parsecs", "1h-")
NUMBER = ("-1", "nan", "inf", "x", "1,5")

# What each flag with a value must refuse. Free texts refuse the empty one alone.
TARGET = {
    "--base-url": ("ftp://h", "http://", "http://h:0", "http://h:99999", "http://u:secret@h", "http://[::1",
                   "http://h h"),
    "--host": ("",), "--port": COUNT + ("65536",), "--endpoint": ("chat",), "--model": ("",),
    "--dialect": ("", "OpenAI", "vllm"), "--api-key-file": ("/nonexistent", ""),
    "--header": ("x", ":v", "a b:c", "a:b\nc"), "--extra-body": ("[]", "{", "1", "x"),
    "--served-model-name": ("",), "--backend": ("", "vLLM", "infinity-embeddings"),
    "--top-k": ("-2", "x", "1.5"), "--min-p": NUMBER + ("1.01",), "--frequency-penalty": ("-2.1", "nan", "x"),
    "--presence-penalty": ("2.1", "nan", "x"), "--repetition-penalty": NUMBER + ("0",), "--logprobs": COUNT,
    "--temperature": NUMBER + ("101",), "--top-p": NUMBER + ("1.01",),
    "--max-tokens-field": ("tokens",), "--cacert": ("",), "--cert": ("",), "--key": ("",), "--proxy": ("",),
    "--timeout": DURATION, "--idle-timeout": DURATION, "--token-idle-timeout": DURATION, "--connect-timeout": DURATION,
    "--lang": ("fr", "zh_TW"),
}
BENCH = TARGET | {
    "--num-prompts": COUNT, "--duration": DURATION, "--request-rate": NUMBER[:2] + ("0", "x", "1e9"),
    "--arrivals": ("uniform",), "--burstiness": NUMBER + ("0", "1e7"), "--max-concurrency": COUNT + ("1000001",),
    "--ramp-up-strategy": ("quadratic",), "--ramp-up-start-rps": NUMBER + ("0",), "--ramp-up-end-rps": NUMBER + ("0",),
    "--num-warmups": ("-1", "some", "1000001"), "--seed": ("-1", "x", "1.5"), "--threads": COUNT + ("1025",),
    "--random-input-len": ("0", "-5", "x", "uniform:9", "uniform:9:3", "normal:512", "lognormal:0:1"),
    "--random-output-len": ("0", "-5", "x", "uniform:9:3"), "--dataset-path": ("", "/nonexistent"), "--dataset-name": ("", "sonnet", "Sharegpt"),
    "--probe-request-rate": NUMBER + ("0", "1001"), "--cancel-share": NUMBER + ("101",), "--cancel-after": DURATION,
    "--offline": ("", "/nonexistent"), "--offline-output": ("",),
    "--trace-speed": NUMBER + ("0",), "--max-turns": COUNT, "--think-time": ("-1s", "x"), "--sharegpt-output-len": COUNT,
    "--custom-output-len": COUNT, "--prune": ("", "sglang"), "--context-limit": COUNT,
    "--seq-dist": ("", "256", "256,128", "0,1:1", "1,1:0", "1,1:x"), "--turns": COUNT + ("10001",),
    "--turn-input-len": ("0", "x", "uniform:9:3"), "--images-per-request": COUNT + ("65",),
    "--lora-modules": ("", ","), "--lora-assignment": ("", "sequential"), "--random-batch-size": COUNT + ("4097",),
    "--image-size": ("", "512", "0x5", "5x8193", "axb"), "--prefix-repetition-prefix-len": COUNT,
    "--prefix-repetition-suffix-len": COUNT, "--prefix-repetition-num-prefixes": COUNT,
    "--prefix-repetition-output-len": COUNT, "--gsp-prompts-per-group": COUNT,
    "--goodput": ("ttft", "ttft:x", "ttft:-1", "speed:5", ""), "--metric-percentiles": ("0", "100", "x", "50,-1"),
    "--repeats": COUNT + ("101",), "--retries": ("-1", "101", "x"), "--ready-check-timeout": ("-1s", "x"),
    "--output": ("",), "--store": ("",), "--tag": ("",), "--system": ("", "/nonexistent"),
    "--engine-arg": ("", "a", "=1"), "--model-path": ("", "/nonexistent"), "--derived-from": ("", "abc"), "--device-name": ("", "cpu"),
    "--device-hour": ("", "9.8", "CNY", "-1CNY"), "--devices": COUNT + ("1000001",),
    "--fail-on": ("everything",), "--length-spread": NUMBER + ("1",), "--format": ("", "xml"), "--output-json": ("",),
    "--result-dir": ("",), "--result-filename": ("",), "--label": ("",), "--metadata": ("", "a", "=1"),
    "--percentile-metrics": ("", "ttfb", "ttft,,itl"),
    "--launch": ("", "a | b", "a 'b", "a $HOME"), "--launch-preset": ("", "vlm"),
    "--launch-preset-file": ("", "/nonexistent"), "--launch-arg": ("", "=x"), "--launch-set": ("", "tp", "=2"),
    "--launch-env": ("", "A", "=b"), "--ready": ("", "health"), "--launch-timeout": DURATION,
    "--stop-timeout": DURATION, "--launch-log": ("",),
}
ONCE = TARGET | {"--prompt": ("",), "--max-tokens": COUNT, "--n": COUNT + ("129",), "--requests": COUNT + ("1001",)}
SERVE = {
    "--scripted": ("tokens", "tokens=-1", "ttft=x", "nothing=1", "tokens=1,tokens=2", "error_rate=2", "usage=odd"),
    "--scripted-file": ("/nonexistent",), "--host": ("",), "--port": ("-1", "65536", "x"), "--port-file": ("",),
    "--unix": ("",), "--cert": ("",), "--key": ("",), "--lang": ("fr",),
    "--model": ("",), "--engine": ("",), "--device": ("",), "--dtype": ("", "int8"), "--load": ("",), "--threads": COUNT,
    "--max-batch": COUNT, "--context": COUNT + ("1",), "--seed": ("-1", "x", "1.5"),
}
ENV = {"--output": ("",), "--base": ("/nonexistent", ""), "--timeout": DURATION, "--pci-data": ("/nonexistent", ""),
       "--lang": ("fr",)}
PROBE = {"--device": ("",), "--probe": ("",), "--load": ("",), "--threads": ("-1", "x", "4097"), "--silence": DURATION + ("10ms",), "--lang": ("fr",)}
SIZES = ("", "-1", "x", "8 gigs", "nan", "99999999 TB")
CAPACITY = PROBE | {"--nominal": SIZES + ("0",), "--catalogue": ("", "h1000000"), "--devices-file": ("", "/nonexistent"),
                    "--at-most": SIZES + ("0",), "--reserve": SIZES}
SHAPES = TARGET | PROBE | {"--lengths": ("0", "7", "x", "1001"), "--least": COUNT, "--most": COUNT, "--max-tokens": COUNT,
                           "--preset": ("", "huge"), "--dtype": ("", "fp7"), "--seed": ("-1", "x", "1.5")}
STORED = {"--store": ("",), "--lang": ("fr",)}
SIZE = {"--max-bytes": ("", "0", "-1", "x", "8 gigs", "1e3", "nan", "99999999 TB")}
RUNS = {"runs list": STORED | {"--tag": ("",)}, "runs show": STORED, "runs tag": STORED, "runs delete": STORED,
        "runs export": STORED | {"--output": ("",)}, "runs import": STORED | SIZE | {"--tag": ("",), "--system": ("", "/nonexistent")}, "runs verify": SIZE | {"--lang": ("fr",)}}
BASELINE = {flag: values for flag, values in BENCH.items() if flag not in ("--fail-on", "--ready-check-timeout")}
BASELINE |= {"--repeats": COUNT + ("1", "101")}
CORRECTNESS = {flag: TARGET[flag] for flag in (
    "--base-url", "--model", "--endpoint", "--dialect", "--api-key-file", "--header", "--cacert", "--cert", "--key", "--proxy",
    "--connect-timeout", "--extra-body", "--max-tokens-field", "--timeout", "--lang")}
CORRECTNESS |= {
    "--dataset-path": ("", "/nonexistent"), "--num-prompts": ("-1", "x", "1.5"), "--tasks": ("", "/nonexistent"),
    "--max-tokens": COUNT, "--max-concurrency": COUNT + ("1001",), "--seed": ("-1", "x", "1.5"), "--logprobs": ("-1", "21"),
    "--engine-arg": ("", "a", "=1"), "--b-engine-arg": ("", "a", "=1"), "--accuracy-target": NUMBER + ("0", "1.01"), "--agreement-target": NUMBER + ("0", "1.01"), "--store": ("",), "--tag": ("",),
    "--system": ("", "/nonexistent"), "--model-path": ("", "/nonexistent"),
    "--device": ("",), "--probe": ("",), "--load": (), "--threads": ("-1", "x", "4097"), "--silence": DURATION,
    "--save": ("",), "--against": ("", "/nonexistent"), "--evidence": ("", "/nonexistent"), "--dtype": ("", "fp8"), "--layers": ("", "none"),
    "--variants": ("",), "--greedy-tokens": ("-1", "x", "1.5"), "--torchscript": ("",), "--inputs": ("",), "--tolerance": ("", "fp31"),
}
COMPARING = {"--primary": ("", "speed", "tpot,x"), "--subject": ("chip", "device,x"), "--allow": ("everything",),
             "--margin": ("", "x", "0%", "101%"), "--accuracy": ("",), "--fail-on": ("everything",)}
DUEL = {flag: values for flag, values in BENCH.items() if flag not in (
    "--base-url", "--host", "--port", "--ready-check-timeout", "--repeats", "--device-hour", "--devices", "--output", "--output-json",
    "--format", "--result-dir", "--result-filename", "--label", "--metadata", "--percentile-metrics", "--fail-on", "--offline-output")}
DUEL = {flag: values for flag, values in DUEL.items() if "launch" not in flag and flag not in ("--ready", "--stop-timeout")}
DUEL |= COMPARING | {"--pairs": COUNT + ("1", "101"), "--b-model": ("",), "--b-system": ("",), "--b-engine-arg": ("", "a", "=1"),
                     "--b-model-path": ("",), "--b-derived-from": ("", "abc"), "--b-device-name": ("", "cpu")}
SATURATE = {flag: values for flag, values in BENCH.items() if flag not in (
    "--num-prompts", "--duration", "--request-rate", "--burstiness", "--max-concurrency", "--ramp-up-strategy",
    "--ramp-up-start-rps", "--ramp-up-end-rps", "--goodput", "--metric-percentiles", "--repeats", "--ready-check-timeout",
    "--output", "--output-json", "--format", "--result-dir", "--result-filename", "--label", "--metadata",
    "--percentile-metrics", "--fail-on", "--offline", "--offline-output", "--trace-speed")}
SATURATE |= {"--dataset-path": ("",), "--slo": ("", "ttft", "ttft:500ms", "ttft:p0:5ms", "speed:p99:5ms", "ttft:p99:0"), "--over": ("users",),
             "--arrivals": ("gamma",), "--start": NUMBER + ("0",), "--most": NUMBER + ("0",),
             "--precision": ("", "x", "2", "0%", "51%"), "--min-step": DURATION, "--max-step": DURATION}
SWEEP = {flag: values for flag, values in BENCH.items() if flag not in (
    "--ramp-up-strategy", "--ramp-up-start-rps", "--ramp-up-end-rps", "--ready-check-timeout", "--output", "--output-json",
    "--format", "--result-dir", "--result-filename", "--label", "--metadata", "--percentile-metrics", "--fail-on", "--offline",
    "--offline-output", "--trace-speed")}
SWEEP |= {"--vary": ("", "rate", "rate=0", "speed=1", "concurrency=1.5", "rate=1:2", "rate=1,1"), "--vary-launch": ("", "tp", "=1"),
          "--at-user-rate": ("", "x", "0"), "--around": ("", "0", "x"), "--span": COUNT + ("65",), "--per-length": COUNT + ("51",),
          "--resume": ("",), "--show": ("",)}
HISTORY = STORED | {flag: COMPARING[flag] for flag in ("--primary", "--allow", "--margin")}
RECORD = {"--to": ("", "ftp://h", "http://u:secret@h"), "--cacert": ("",), "--proxy": ("",), "--connect-timeout": DURATION,
          "--listen": ("", "8080", ":8080", "h:", "h:65536", "::1:80", "h h:1", "[::1]"), "--port-file": ("",), "--output": ("",),
          "--max-body": ("", "0", "-1", "x", "2GB"), "--duration": DURATION, "--lang": ("fr",)}
FIT = {"--model-path": ("", "/nonexistent"), "--device": ("", "cpu", "h1000000"), "--context": COUNT, "--output-len": COUNT + ("8",), "--concurrency": COUNT,
       "--devices": COUNT, "--precision": ("", "int3"), "--kv-dtype": ("", "fp4"), "--engine": ("", "nobody"), "--memory-share": NUMBER + ("0", "1.1"),
       "--devices-file": ("", "/nonexistent"), "--lang": ("fr",)}
LEARN = {"--output": ("",), "--format": ("", "csv"), "--tokens-per-char": NUMBER + ("0", "11"), "--input-tokens": COUNT,
         "--session-field": ("",), "--lang": ("fr",)}
ADOPTION = {"--log": ("",), "--plan": ("",), "--lang": ("fr",)}
DATED = ADOPTION | {"--date": ("", "yesterday", "2026-02-30", "2026-8-1")}
DECISION = {"matrix": {"--lang": ("fr",)}, "scenario list": {"--lang": ("fr",)}, "scenario show": {"--lang": ("fr",)}, "next": ADOPTION, "next enter": DATED,
            "next leave": DATED | {"--result": ("",)}, "next book": DATED | {"--who": ("",)}, "next first-token": DATED}
SHARE = ("", "x", "0%", "50%", "-1%", "nan")
CANARY = {"--slo": ("", "ttft", "ttft:x", "ttft:0", "ttft:-1", "speed:5", "ttft:p99:5ms"), "--p99": ("", "ttft", "icl:5"),
          "--error-margin": SHARE, "--expected-errors": SHARE, "--miss-margin": SHARE, "--expected-misses": SHARE, "--alpha": SHARE,
          "--power": ("", "50%", "100%", "x"), "--test": ("", "wald"), "--looks": COUNT + ("101",), "--step": ("", "2", "x"),
          "--at-least": ("", "-1s", "x"), "--interval": DURATION, "--for": DURATION, "--aliases": ("",), "--lang": ("fr",)}
CLAIM = {"claim init": {"--url": ("",), "--who": ("",), "--role": ("", "friend"), "--date": ("", "2026-13-01", "yesterday"),
                        "--output": ("",), "--lang": ("fr",)},
         "claim check": STORED | {"--result": ("",)}}
COST = STORED | {"--fail-on": ("", "everything")}
COST_INIT = {"--region": ("", "mars"), "--output": ("",), "--lang": ("fr",)}
OPERATORS = {"--device": ("",), "--probe": ("",), "--load": ("",), "--threads": ("x", "-1", "4097"), "--silence": ("x", "-1s", "1ms"), "--only": ("", "nonsense"),
             "--dtypes": ("", "fp31"), "--model": ("", "lama"), "--table": ("", "/nonexistent"), "--trace": ("", "/nonexistent"), "--save": ("",), "--against": ("", "/nonexistent"), "--lang": ("fr",)}
EVALUATE = STORED | {"--out": ("",), "--date": ("", "yesterday", "2026-02-30")}
EVALUATE_INIT = {"--who": ("", "everybody"), "--baseline": ("",), "--candidate": ("",), "--output": ("",), "--lang": ("fr",)}
PORTABILITY = {"--rule": ("", "no-such-rule"), "--vendor": ("", "acme"), "--rules": ("", "/nonexistent"), "--against": ("", "/nonexistent"),
               "--max-findings": ("", "-1", "x", "1.5"), "--lang": ("fr",)}
TRACE = {"--rules": ("", "/nonexistent"), "--lang": ("fr",)}
PROBE_DEVICE = PROBE | {"--level": ("", "slow"), "--only": ("", "gem", ","), "--dtypes": ("", "fp13"), "--catalogue": ("", "h1oo"), "--save": ("",)}
PROBE_READINESS = PROBE | {"--python": ("",), "--base-url": ("",), "--model": ("",), "--image": ("",), "--tools": ("", "/nonexistent")}
QUICKSTART = {"--device": ("",), "--model": ("",), "--lang": ("fr",)}
WORDS = {"portability": (str(Path(__file__).parent),), "trace": (__file__,), "cost": ("a",), "evaluate": ("/nonexistent",), "claim init": ("X beats Y",),
         "claim check": ("/nonexistent",), "canary": ("a", "b"), "matrix": ("a",), "scenario show": ("chat",), "next enter": ("desk",),
         "next leave": ("desk",), "next book": ("image", "1"), "compare": ("a", "b"), "workload learn": ("a",), "runs import": ("x",),
         "history": ("a",), "duel": ("http://127.0.0.1:1", "http://127.0.0.1:1"),
         "sweep": HERE + ("--vary", "concurrency=1"), "saturate": HERE + ("--slo", "ttft:p99:1s"),
         "fit": ("--model-path", str(Path(__file__).parents[2] / "examples/models/llama-3.1-8b"), "--device", "h100-sxm", "--context", "8"),
         **{command: HERE for command in ("bench", "once", "baseline", "probe correctness", "probe dynamic-shapes")}}
REFUSED = RUNS | DECISION | CLAIM | {"canary": CANARY, "portability": PORTABILITY, "trace": TRACE, "cost": COST, "cost init": COST_INIT, "evaluate": EVALUATE,
                  "evaluate init": EVALUATE_INIT, "fit": FIT, "record": RECORD, "workload learn": LEARN, "compare": STORED | COMPARING, "duel": DUEL,
                  "history": HISTORY, "saturate": SATURATE, "sweep": SWEEP, "probe correctness": CORRECTNESS, "probe operators": OPERATORS,
                  "probe device": PROBE_DEVICE, "probe readiness": PROBE_READINESS, "probe capacity": CAPACITY, "probe dynamic-shapes": SHAPES,
                  "env": ENV, "baseline": BASELINE, "calibrate": STORED, "bench": BENCH, "once": ONCE, "serve": SERVE,
                  "quickstart": QUICKSTART}


def commands() -> list:
    return re.findall(r"^  (\w+(?: [\w-]+)?)  ", scoville("--help").stdout, re.M)


class BadFlags(EndToEnd):
    def test_each_value_out_of_range_is_one_line_that_names_the_flag_or_the_value(self):
        for command, flags in REFUSED.items():
            for flag, values in flags.items():
                for value in values:
                    with self.subTest(f"{command} {flag} {value!r}"):
                        rest = WORDS.get(command, ()) if flag != "--base-url" else ()
                        done = self.fails(2, *command.split(), *rest, f"{flag}={value}")
                        self.assertTrue(flag in done.stderr or (value and value in done.stderr), done.stderr)
                        self.assertEqual(done.stdout, "")

    def test_the_table_above_knows_every_flag_that_takes_a_value(self):
        for command in commands():
            # "  --port N     its port": one blank, the value's stand-in, then two blanks or the end of the line.
            valued = re.findall(r"^  (?:-\w,)?(--[a-z][a-z0-9-]*) \S+(?:  |$)", scoville(*command.split(), "--help").stdout, re.M)
            self.assertEqual(set(valued), set(REFUSED[command]), command)

    def test_flags_that_do_not_go_together(self):
        for args, says in (
                (("--request-rate", "5", "--ramp-up-strategy", "linear"), "--ramp-up"),
                (("--ramp-up-strategy", "linear", "--ramp-up-start-rps", "1"), "--ramp-up"),
                (("--arrivals", "constant"), "--request-rate"),
                (("--request-rate", "5", "--arrivals", "constant", "--burstiness", "2"), "burstiness"),
                (("--request-rate", "5", "--arrivals", "gamma"), "--burstiness"),
                (("--duration", "5s"), "--duration"),
                (("--key", "k.pem"), "--cert"),
                (("--launch-env", "A=b"), "--launch-preset"),
                (("--launch", "a", "--launch-preset", "vllm"), "--launch"),
                (("--launch", "a", "--launch-set", "tp=2"), "--launch-set"),
                (("--launch", "a", "--launch-each"), "--repeats"),
                (("--launch", "a {model}"), "--model")):
            with self.subTest(args):
                self.fails(2, "bench", *HERE, *args, says=says)

    def test_what_is_no_flag_no_command_or_no_value(self):
        self.fails(2, says="--help")
        self.fails(2, "measure", says="measure")
        self.fails(2, "bench", *HERE, "--num-promts", "5", says="--num-promts")
        self.fails(2, "bench", *HERE, "surplus", says="surplus")
        self.fails(2, "bench", *HERE, "--num-prompts", says="--num-prompts")
        self.fails(2, "bench", *HERE, "--seed", "1", "--seed", "2", says="--seed")
        self.fails(2, "bench", says="--base-url")

    def test_a_bad_flag_is_told_in_chinese_too(self):
        done = self.fails(2, "bench", "--lang", "zh", *HERE, "--num-prompts", "0", says="--num-prompts")
        self.assertRegex(done.stderr, CHINESE)

    def test_an_empty_key_and_a_key_with_a_line_feed_are_refused(self):
        done = self.fails(2, "bench", *HERE, env=harness.environment(OPENAI_API_KEY="sk-one\ntwo"))
        self.assertNotIn("sk-one", done.stderr)


class Help(EndToEnd):
    def test_every_command_has_help_with_an_example_that_calls_it(self):
        self.assertGreaterEqual(set(commands()), {"bench", "once", "serve", "quickstart"})
        for command in commands():
            for lang in ("en", "zh"):
                done = scoville(*command.split(), "--help", "--lang", lang)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, rf"\n  scoville {command}\b.*\n")
                for flag in ("--lang", "--help"):
                    self.assertIn(flag, done.stdout)

    def test_help_in_chinese_is_chinese_by_flag_and_by_environment(self):
        for command in ("", *commands()):
            args = (*command.split(), "--help")
            english, chinese = scoville(*args), scoville(*args, "--lang", "zh")
            self.assertNotRegex(english.stdout, CHINESE)
            self.assertRegex(chinese.stdout, CHINESE)
            of_a_chinese = harness.environment(LANG="zh_CN.UTF-8")
            self.assertEqual(scoville(*args, env=of_a_chinese).stdout, chinese.stdout)
            self.assertEqual(scoville(*args, "--lang", "en", env=of_a_chinese).stdout, english.stdout)
            lines = chinese.stdout.splitlines()
            for line, following in zip(lines, lines[1:]):  # each flag has its explanation in Chinese, maybe below it
                if line.startswith("  --"):
                    self.assertRegex(line + following, CHINESE)

    def test_version_names_version_revision_compiler_and_method(self):
        done = scoville("--version")
        self.assertEqual(done.returncode, 0)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[0], r"^scoville \d+\.\d+\.\d+ \(\S+\)$")
        self.assertRegex(lines[1], r"\d")
        self.assertRegex(lines[2], r"^method_version \d+$")


class Languages(EndToEnd):
    def test_tables_are_chinese_and_json_stays_english(self):
        with Server("ttft=1ms,itl=1ms,tokens=8") as server:
            load = ("bench", "--base-url", server.url, "--num-prompts", "4", "--max-concurrency", "2",
                    "--random-input-len", "16", "--random-output-len", "8", "--lang", "zh")
            table = scoville(*load)
            self.assertEqual(table.returncode, 0, table.stderr)
            self.assertRegex(table.stdout, CHINESE)
            self.assertIn("TTFT", table.stdout)
            self.assertNotRegex(scoville(*load, "--json").stdout, CHINESE)
            self.assertRegex(scoville("once", "--base-url", server.url, "--lang", "zh").stdout, CHINESE)


if __name__ == "__main__":
    harness.main()

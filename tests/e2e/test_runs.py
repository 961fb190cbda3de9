#!/usr/bin/env python3
"""Repeats, and what is stored of them: bench --repeats, runs list, show, tag, delete.    test_runs.py BINARY"""

import json
import os
import pty
import re
import signal
import statistics
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville, start

SCRIPT = "ttft=5ms,itl=1ms,tokens=8"
LOAD = ("--num-prompts", "20", "--max-concurrency", "4", "--random-input-len", "16", "--random-output-len", "8",
        "--num-warmups", "2")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


class Stored(EndToEnd):
    """Each test has a store of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-runs-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = str(self.folder / "runs.db")
        self.store = ("--store", self.file)

    def bench(self, server: Server, *args: str, status: int = 0) -> dict:
        return self.report("bench", "--base-url", server.url, *LOAD, *self.store, *args, status=status)

    def list(self, *args: str) -> list:
        return self.report("runs", "list", *self.store, *args)["runs"]

    def show(self, name: str) -> dict:
        return self.report("runs", "show", name, *self.store)


class Sets(Stored):
    def test_three_runs_are_one_set_with_its_figures_and_every_run_whole(self):
        with Server(SCRIPT) as server:
            done = scoville("bench", "--base-url", server.url, *LOAD, *self.store, "--repeats", "3", "--tag", "before",
                            "--json", "-o", str(self.folder / "set.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        told = [line for line in done.stderr.splitlines() if line.startswith("run ")]
        self.assertEqual(told, ["run 1 of 3", "run 2 of 3", "run 3 of 3"])
        seen = self.one_object(done.stdout)
        self.assertEqual(json.loads((self.folder / "set.json").read_text()), seen)
        head, runs = seen["set"], seen["runs"]
        self.assertEqual((seen["schema"], head["tag"]), ("scoville.set/1", "before"))
        self.assertEqual(head["runs"], [run["run"] for run in runs])
        self.assertEqual(len(set(head["runs"])), 3)
        self.assertEqual(head["interval"], {"method": "order_statistics", "level": 0.75})
        for name in ("ttft", "tpot", "ntpot", "icl", "e2e"):
            for quantile in ("50", "95"):
                figure = head["metrics"][name]["p" + quantile]
                values = [run["metrics"][name]["quantiles"][quantile]["value"] for run in runs]
                self.assertEqual(figure["values"], values)
                self.assertEqual((figure["median"], figure["n"]), (statistics.median(values), 3))
                self.assertEqual((figure["low"], figure["high"]), (min(values), max(values)))
                self.assertEqual((figure["min"], figure["max"]), (min(values), max(values)))
                self.assertAlmostEqual(figure["cv"], statistics.stdev(values) / statistics.mean(values))
        for name in ("output_tokens_per_s", "total_tokens_per_s", "requests_per_s"):
            for window in ("full", "steady"):
                values = [run["metrics"][name][window] for run in runs]
                self.assertEqual(head["metrics"][name][window]["values"], values)
        # The stored set says what bench said, by its id and by its tag; each of its runs what stands in it.
        self.assertEqual(self.show(head["id"]), seen)
        self.assertEqual(self.show("before"), seen)
        for run in runs:
            self.assertEqual(self.show(run["run"]), run)

    def test_a_stored_report_reads_as_it_was_printed_in_both_languages(self):
        for lang in ("en", "zh"):
            with Server(SCRIPT) as server:
                one = scoville("bench", "--base-url", server.url, *LOAD, *self.store, "--lang", lang)
                several = scoville("bench", "--base-url", server.url, *LOAD, *self.store, "--lang", lang, "--repeats", "2")
            run, first, _ = self.list()[-3:]
            self.assertEqual((one.returncode, several.returncode), (0, 0), one.stderr + several.stderr)
            self.assertIsNone(run["set"])
            self.assertEqual(scoville("runs", "show", run["id"], *self.store, "--lang", lang).stdout, one.stdout)
            self.assertEqual(scoville("runs", "show", first["set"], *self.store, "--lang", lang).stdout, several.stdout)
            self.assertIn("50 %", several.stdout)  # what two runs really cover
            (self.assertRegex if lang == "zh" else self.assertNotRegex)(several.stdout, CHINESE)

    def test_limits_are_summarised_and_nothing_is_stored_unasked(self):
        with Server(SCRIPT) as server:
            seen = self.bench(server, "--repeats", "2", "--no-store", "--goodput", "ttft:10s")
        self.assertEqual(seen["set"]["metrics"]["attainment"]["values"], [1, 1])
        self.assertFalse(Path(self.file).exists())

    def test_runs_without_a_success_are_kept_and_leave_the_figures_empty(self):
        with Server("ttft=1ms,itl=1ms,close_after=5") as server:
            seen = self.bench(server, "--repeats", "2", "--ignore-eos", status=1)
        self.assertEqual(len(seen["set"]["runs"]), 2)
        self.assertIn("runs_without_success", self.codes(seen["set"]))
        figure = seen["set"]["metrics"]["e2e"]["p50"]
        self.assertEqual((figure["median"], figure["n"], figure["reason"]), (None, 0, "missing"))
        self.assertEqual([run["status"] for run in self.list()], ["finished", "finished"])

    def test_ctrl_c_keeps_the_runs_that_are_complete(self):
        with Server("ttft=50ms,itl=1ms,tokens=8") as server:
            running = start("bench", "--base-url", server.url, *LOAD, *self.store, "--repeats", "50", "--json")
            for line in running.stderr:
                if line.startswith("run 2 of 50"):
                    break
            running.send_signal(signal.SIGINT)
            done = harness.finish(running)
        self.assertEqual(done.returncode, 130, done.stderr)
        seen = self.one_object(done.stdout)
        complete = seen["set"]["runs"]
        self.assertTrue(1 <= len(complete) < 50, complete)
        self.assertEqual(seen["set"]["metrics"]["ttft"]["p50"]["n"], len(complete))
        self.assertIn(f"{len(complete)} of 50 runs are complete", done.stderr)
        self.assertEqual(self.show(seen["set"]["id"]), seen)

    def test_files_that_hold_one_run_are_refused_unless_each_run_is_appended(self):
        here = ("bench", "--base-url", "http://127.0.0.1:1", "--repeats", "2")
        for args in (("-o", "x.csv", "--format", "csv"), ("-o", "x.json", "--format", "vllm"), ("--save-result",),
                     ("--output-json", "x.json"), ("--append-result", "-o", "x.csv", "--format", "csv")):
            self.fails(2, *here, *args, says="--repeats")
        file = self.folder / "vllm.json"
        with Server(SCRIPT) as server:
            self.bench(server, "--repeats", "2", "--append-result", "--output-json", str(file))
        lines = file.read_text().splitlines()
        self.assertEqual([json.loads(line)["completed"] for line in lines], [20, 20])


class Runs(Stored):
    def test_list_shows_runs_the_newest_last_with_what_they_were(self):
        with Server(SCRIPT) as server:
            first = self.bench(server, "--tag", "a")
            self.bench(server, "--request-rate", "200", "--repeats", "2")
        runs = self.list()
        self.assertEqual(len(runs), 3)
        self.assertEqual(runs[0]["id"], first["run"])
        self.assertEqual((runs[0]["tag"], runs[0]["set"], runs[0]["kind"]), ("a", None, "bench"))
        self.assertEqual((runs[0]["status"], runs[0]["requests"]), ("finished", 20))  # without the warm-up
        self.assertEqual((runs[0]["model"], runs[0]["url"]), (first["system"]["model"], first["system"]["url"]))
        self.assertEqual(runs[0]["load"], {"kind": "closed", "requests_per_s": None, "max_concurrency": 4,
                                           "num_prompts": 20, "duration_s": None})
        self.assertRegex(runs[0]["started"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(runs[1]["load"]["requests_per_s"], 200)
        self.assertEqual(runs[1]["set"], runs[2]["set"])
        self.assertEqual([run["id"] for run in self.list("--tag", "a")], [first["run"]])
        for lang in ("en", "zh"):
            table = scoville("runs", "list", *self.store, "--lang", lang)
            self.assertEqual((table.returncode, table.stderr), (0, ""))
            self.assertEqual(len(table.stdout.splitlines()), 2 + 3)
            (self.assertRegex if lang == "zh" else self.assertNotRegex)(table.stdout, CHINESE)

    def test_a_store_that_is_missing_or_has_no_such_run(self):
        done = scoville("runs", "list", *self.store, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["runs"]), (0, []))
        self.assertIn(self.file, done.stderr)
        for args in (("show", "x"), ("tag", "x", "y"), ("delete", "x", "--yes")):
            self.fails(1, "runs", *args, *self.store, says=self.file)
        self.assertFalse(Path(self.file).exists())  # looking, or changing nothing, makes none
        with Server(SCRIPT) as server:
            run = self.bench(server)["run"]
        for args in (("show", "nothing"), ("tag", "nothing", "y"), ("delete", run, "nothing", "--yes")):
            self.fails(1, "runs", *args, *self.store, says="nothing")
        self.assertEqual(len(self.list()), 1)  # all or none
        done = self.fails(0, "runs", "list", *self.store, "--tag", "nothing", says="nothing")
        self.assertEqual(done.stdout, "")
        Path(self.file).write_text("x" * 5000)
        self.fails(1, "runs", "list", *self.store, says="not a store")

    def test_words_that_are_missing_or_wrong(self):
        for args, says in (((), "list, show, tag, delete, export, import, verify"), (("lst",), "list"), (("show",), "NAME"), (("tag", "x"), "TAG"),
                           (("delete",), "NAME"), (("export",), "NAME"), (("import",), "FILE"),
                           (("verify",), "BUNDLE")):
            self.fails(2, "runs", *args, says=says)
        for lang in ("en", "zh"):
            done = scoville("runs", "--help", "--lang", lang)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(re.findall(r"^  runs (\w+)", done.stdout, re.M), ["list", "show", "tag", "delete", "export", "import", "verify"])
        self.assertIn("scoville runs show NAME", scoville("runs", "show", "--help").stdout)

    def test_a_tag_is_given_moved_and_removed(self):
        with Server(SCRIPT) as server:
            one = self.bench(server)["run"]
            several = self.bench(server, "--repeats", "2")
        told = self.report("runs", "tag", one[:-1], "base", *self.store)
        self.assertEqual(told, {"tag": "base", "runs": [one]})
        self.assertEqual(self.show("base")["run"], one)
        several["set"]["tag"] = "base"
        self.assertEqual(self.report("runs", "tag", several["set"]["id"], "base", *self.store)["runs"],
                         several["set"]["runs"])
        self.assertEqual(self.show(several["set"]["id"]), several)
        shown = scoville("runs", "show", "base", *self.store, "--json")
        self.assertEqual(self.one_object(shown.stdout), several)  # the newest under the tag
        self.assertIn("runs list --tag base", shown.stderr)
        self.assertEqual(scoville("runs", "tag", "base", "", *self.store).returncode, 0)
        self.assertEqual([run["tag"] for run in self.list()], [None] * 3)

    def test_runs_of_different_plans_under_one_tag_get_no_common_figure(self):
        with Server(SCRIPT) as server:
            self.bench(server, "--tag", "mixed")
            self.bench(server, "--tag", "mixed", "--request-rate", "200")
        seen = self.show("mixed")
        self.assertIsNone(seen["set"]["metrics"])
        self.assertIn("runs_differ", self.codes(seen["set"]))
        self.assertEqual(len(seen["runs"]), 2)

    def test_deleting_asks_a_person_and_refuses_a_script_without_yes(self):
        with Server(SCRIPT) as server:
            one = self.bench(server, "--tag", "old")["run"]
            self.bench(server, "--tag", "old")
            last = self.bench(server)["run"]
        self.fails(2, "runs", "delete", "old", *self.store, says="--yes")
        self.assertEqual(len(self.list()), 3)
        for answer, left in (("n", 3), ("y", 1)):
            terminal, stdin = pty.openpty()
            os.write(terminal, answer.encode() + b"\n")
            done = subprocess.run([harness.binary, "runs", "delete", "old", one, *self.store], stdin=stdin, text=True,
                                  capture_output=True, env=harness.environment(), timeout=harness.LIMIT_S)
            os.close(stdin)
            os.close(terminal)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("delete 2 runs", done.stderr)
            self.assertEqual(len(self.list()), left)
        told = self.report("runs", "delete", last, "--yes", *self.store)
        self.assertEqual(told["deleted"], [last])
        self.assertGreaterEqual(told["freed_bytes"], 0)  # so little may lie in pages that stay
        self.assertEqual(self.list(), [])


class Killed(Stored):
    def test_a_run_whose_process_was_killed_can_be_shown_and_says_so(self):
        with Server(SCRIPT) as server:
            running = start("bench", "--base-url", server.url, *LOAD[2:], "--duration", "10m", *self.store)
            self.addCleanup(running.kill)
            give_up = time.monotonic() + harness.LIMIT_S
            runs = []
            while not runs or runs[0]["requests"] < 20:
                self.assertLess(time.monotonic(), give_up)
                runs = json.loads(scoville("runs", "list", *self.store, "--json").stdout)["runs"]
            run = runs[0]
            self.assertEqual(run["status"], "running")
            self.fails(1, "runs", "delete", run["id"], "--yes", *self.store, says="still running")
            so_far = scoville("runs", "show", run["id"], *self.store, "--json")
            self.assertIn("still running", so_far.stderr)
            self.assertIn("interrupted", self.codes(self.one_object(so_far.stdout)))
            running.kill()
            give_up = time.monotonic() + harness.LIMIT_S
            while self.list()[0]["status"] == "running":  # not waited for: a dead process needs no burial to be dead
                self.assertLess(time.monotonic(), give_up)
            harness.finish(running)
        self.assertEqual(self.list()[0]["status"], "interrupted")
        seen = self.show(run["id"])
        self.assertIn("interrupted", self.codes(seen))
        self.assertGreaterEqual(seen["requests"]["succeeded"], 20)
        self.assertEqual(scoville("runs", "show", run["id"], *self.store).returncode, 0)
        self.assertEqual(self.report("runs", "delete", run["id"], "--yes", *self.store)["deleted"], [run["id"]])


if __name__ == "__main__":
    harness.main()

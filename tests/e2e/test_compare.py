#!/usr/bin/env python3
"""Comparisons of stored sets, and of endpoints in turn: compare, duel.    test_compare.py BINARY"""

import json
import re
import signal
import sqlite3
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, finish, scoville, start

LOAD = ("--num-prompts", "24", "--random-input-len", "16", "--random-output-len", "12",
        "--num-warmups", "2", "--ignore-eos")
CLOSED = ("--max-concurrency", "4")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def script(itl_ms: float) -> str:
    return f"ttft=10ms,itl={itl_ms}ms,tokens=12"


class Compared(EndToEnd):
    """Each test has a store of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-compare-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = ("--store", str(self.folder / "runs.db"))

    def measure(self, server: Server, tag: str, repeats: int = 5, *more: str, concurrency: str = "4"):
        self.sound_set(self.store, "--base-url", server.url, *LOAD, "--max-concurrency", concurrency, "--repeats", str(repeats),
                       "--tag", tag, "--disable-tqdm", *more)

    def compare(self, *args: str, status: int = 0) -> dict:
        return self.report("compare", *args, *self.store, status=status)


class Verdicts(Compared):
    def test_five_percent_apart_are_told_apart_and_equals_are_not(self):
        with Server(script(4)) as a, Server(script(4.2)) as b, Server(script(4)) as c:
            self.measure(a, "a")
            self.measure(b, "b")
            self.measure(c, "c")
        seen = self.compare("a", "b")
        tpot = seen["metrics"]["tpot"]
        self.assertEqual((tpot["unit"], tpot["primary"], seen["gate"]["result"]), ("ns", True, "FLAG"))
        self.assertIn(tpot["verdict"], ("slower", "slower_size_uncertain"))
        self.assertAlmostEqual(tpot["ratio"]["value"], 4 / 4.2, delta=0.01)
        self.assertLess(tpot["ratio"]["low"], tpot["ratio"]["high"])
        self.assertAlmostEqual(tpot["ratio"]["level"], 0.968254, places=5)
        self.assertAlmostEqual(tpot["p"], 2 / 252, places=6)
        self.assertEqual(len(tpot["base"]["values"]), 5)
        self.assertIn("no_noise_floor", self.codes(seen))
        self.assertIn("device", seen["gate"]["unverified"])
        self.assertEqual(seen["gate"]["scope"], "service")
        self.assertIn(self.compare("b", "a")["metrics"]["tpot"]["verdict"], ("faster", "faster_size_uncertain"))

        equal = self.compare("a", "c")["metrics"]["tpot"]
        self.assertEqual(equal["verdict"], "equivalent")

        self.compare("a", "b", "--fail-on", "slower", status=3)
        self.compare("a", "c", "--fail-on", "slower")

        ranked = self.compare("a", "b", "c")
        self.assertEqual({each["name"]: each["rank"] for each in ranked["ranking"]["arms"]}, {"a": 1, "c": 1, "b": 3})
        self.assertEqual(ranked["family"]["size"], 2)

        for language in ("en", "zh"):
            table = scoville("compare", "a", "b", *self.store, "--lang", language)
            self.assertEqual(table.returncode, 0, table.stderr)
            self.assertEqual(bool(CHINESE.search(table.stdout)), language == "zh")
            for line in table.stdout.splitlines():
                self.assertLessEqual(len(line), 130)

    def test_a_comparison_computes_what_an_older_store_lacks_and_keeps_it(self):
        with Server(script(2)) as server:
            self.measure(server, "a", 2)
            self.measure(server, "b", 2)
        file = sqlite3.connect(self.store[1])
        count = "SELECT count(*) FROM document WHERE name = 'statistics'"
        self.assertEqual(file.execute(count).fetchone()[0], 4)
        before = self.compare("a", "b", status=4)
        file.execute("DELETE FROM document WHERE name = 'statistics'")
        file.commit()
        again = self.compare("a", "b", status=4)
        for metric, figures in before["metrics"].items():
            self.assertEqual(again["metrics"][metric]["verdict"], figures["verdict"])
            self.assertAlmostEqual(again["metrics"][metric]["ratio"]["value"], figures["ratio"]["value"])
        self.assertEqual(again["gate"], before["gate"])
        self.assertEqual(file.execute(count).fetchone()[0], 4)
        file.close()

    def test_three_runs_are_too_few_and_it_says_what_would_do(self):
        with Server(script(2)) as server:
            self.measure(server, "a", 3)
            self.measure(server, "b", 3)
        tpot = self.compare("a", "b", status=4)["metrics"]["tpot"]
        self.assertEqual((tpot["verdict"], tpot["reason"]), ("inconclusive", "too_few_runs"))
        self.assertGreaterEqual(tpot["resolve"]["runs"], 4)
        self.assertGreater(tpot["resolve"]["minutes"], 0)


class Gate(Compared):
    def test_another_load_is_refused_by_name_and_may_be_allowed(self):
        with Server(script(2)) as server:
            self.measure(server, "a", 2)
            self.measure(server, "b", 2, concurrency="8")
        seen = self.compare("a", "b", status=3)
        self.assertEqual((seen["gate"]["result"], seen["gate"]["refused"]), ("REFUSE", ["load.concurrency"]))
        self.assertIsNone(seen["metrics"])
        allowed = self.compare("a", "b", "--allow", "load.concurrency", status=4)
        self.assertEqual(allowed["gate"]["allowed"], ["load.concurrency"])
        self.assertIn("tpot", allowed["metrics"])

    def test_answers_of_other_lengths_are_another_workload(self):
        with Server(script(2)) as a, Server("ttft=10ms,itl=2ms,tokens=9") as b:
            for server, tag in ((a, "a"), (b, "b")):
                done = scoville("bench", "--base-url", server.url, *LOAD[:-1], "--max-concurrency", "4", *self.store, "--repeats", "2", "--tag",
                                tag, "--disable-tqdm")
                self.assertEqual(done.returncode, 0, done.stderr)
        seen = self.compare("a", "b", status=3)
        self.assertEqual(seen["gate"]["refused"], ["output_tokens"])
        self.assertIn("workload_differs", self.codes(seen))

    def test_an_undeclared_difference_is_refused_where_a_subject_is_declared(self):
        with Server(script(2)) as a, Server(script(2)) as b:
            self.measure(a, "a", 2, "--engine-arg", "tp=1")
            self.measure(b, "b", 2, "--engine-arg", "tp=2")
        seen = self.compare("a", "b", "--subject", "driver", status=3)
        self.assertEqual(seen["gate"]["refused"], ["parallelism"])
        seen = self.compare("a", "b", "--subject", "parallelism", status=4)
        self.assertIn("parallelism", seen["gate"]["differs"])
        # Two devices against one: rates per device, and not TPOT.
        self.assertTrue(seen["gate"]["per_device"])
        self.assertEqual(seen["family"]["primary"], ["output_tokens_per_s"])
        self.assertNotIn("tpot", seen["metrics"])
        self.assertIn("primary_switched", self.codes(seen))

    def test_what_follows_from_another_question_is_no_workload_that_differs(self):
        with Server(script(2)) as server:
            self.measure(server, "a", 2)
            done = scoville("bench", "--base-url", server.url, *LOAD[:2], "--random-input-len", "16", "--random-output-len", "6",
                            "--num-warmups", "2", "--ignore-eos", *CLOSED, *self.store, "--repeats", "2", "--tag", "b")
            self.assertEqual(done.returncode, 0, done.stderr)
        seen = self.compare("a", "b", status=3)
        self.assertEqual(seen["gate"]["refused"], ["dataset", "output_tokens"])
        self.assertNotIn("workload_differs", self.codes(seen))

    def test_devices_are_counted_without_a_price(self):
        with Server(script(2)) as server:
            self.measure(server, "a", 2, "--devices", "1")
            self.measure(server, "b", 2, "--devices", "2")
        self.assertTrue(self.compare("a", "b", status=4)["gate"]["per_device"])

    def test_two_precisions_need_a_correctness_check(self):
        with Server(script(2)) as a, Server(script(2)) as b:
            self.measure(a, "a", 2, "--engine-arg", "dtype=bfloat16")
            self.measure(b, "b", 2, "--engine-arg", "dtype=fp8")
        seen = self.compare("a", "b", status=3)
        self.assertEqual(seen["gate"]["refused"], ["accuracy"])
        self.fails(2, "compare", "a", "b", "--accuracy", "nothing", *self.store, says="--accuracy nothing")

        facts = [{"engine.name": "scoville", "engine.flags.dtype": dtype} for dtype in ("bfloat16", "fp8")]
        check = {"schema": "scoville.correctness/1", "id": "c1", "gate": {"verdict": "pass", "accuracy_target": 0.99},
                 "arms": [{"accuracy_facts": each} for each in facts]}
        file = self.folder / "check.json"
        file.write_text(json.dumps(check))
        seen = self.compare("a", "b", "--accuracy", str(file), status=4)
        self.assertEqual((seen["gate"]["refused"], seen["gate"]["allowed"]), ([], []))
        self.assertEqual([each["code"] for each in seen["gate"]["fields"] if each["field"] == "accuracy"], ["c1"])
        self.assertIn("precision", seen["gate"]["differs"])

        check["gate"]["verdict"] = "fail"
        file.write_text(json.dumps(check))
        self.assertEqual(self.compare("a", "b", "--accuracy", str(file), status=3)["gate"]["refused"], ["accuracy"])
        check["arms"][1]["accuracy_facts"]["engine.flags.dtype"] = "int8"
        file.write_text(json.dumps(check))
        self.fails(2, "compare", "a", "b", "--accuracy", str(file), *self.store, says="other systems")


class Bundles(Compared):
    def test_a_bundle_is_an_arm_like_any_other_and_needs_no_store(self):
        with Server(script(3)) as a, Server(script(3.3)) as b:
            self.measure(a, "a", 4)
            self.measure(b, "b", 4)
        stored = self.compare("a", "b")
        files = []
        for tag in ("a", "b"):
            files.append(str(self.folder / f"{tag}.scov"))
            done = scoville("runs", "export", tag, "-o", files[-1], *self.store)
            self.assertEqual(done.returncode, 0, done.stderr)
        mixed = self.compare(files[0], "b")
        alone = self.report("compare", *files, "--store", str(self.folder / "none.db"))
        for seen in (mixed, alone):
            self.assertEqual(seen["metrics"]["tpot"]["verdict"], stored["metrics"]["tpot"]["verdict"])
            self.assertAlmostEqual(seen["metrics"]["tpot"]["ratio"]["value"], stored["metrics"]["tpot"]["ratio"]["value"])
            self.assertEqual(seen["gate"], stored["gate"])
        self.assertFalse((self.folder / "none.db").exists())

        damaged = bytearray(Path(files[0]).read_bytes())
        damaged[len(damaged) // 2] ^= 0x55
        Path(files[0]).write_bytes(damaged)
        self.fails(1, "compare", files[0], "b", *self.store, says=files[0])


class Validity(Compared):
    def test_a_queue_that_grows_is_a_run_that_drifts_and_a_comparison_says_so(self):
        # 400 requests a second at a server that, two at a time, can do 90: each waits longer than the one before.
        load = ("--num-prompts", "80", "--random-input-len", "16", "--random-output-len", "4", "--ignore-eos",
                "--request-rate", "400", "--arrivals", "constant", "--max-concurrency", "2", "--disable-tqdm")
        with Server("ttft=20ms,itl=1ms,tokens=4") as server:
            for tag in ("a", "b"):
                done = scoville("bench", "--base-url", server.url, *load, *self.store, "--repeats", "2", "--tag", tag)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"DRIFTING: TTFT rises by \d")
        run = self.report("runs", "show", "a", *self.store)["runs"][0]
        self.assertEqual(run["validity"]["verdict"], "drifting_up")
        self.assertLess(run["validity"]["series"]["ttft"]["trend"]["p"], 0.025)
        self.assertGreater(run["validity"]["series"]["ttft"]["trend"]["drift"], 0.1)
        self.assertEqual([each["code"] for each in run["warnings"]].count("drifting"), 1)
        done = scoville("compare", "a", "b", "--allow", "runs.schedule", "--json", *self.store)
        seen = self.one_object(done.stdout)
        self.assertEqual([each["code"] for each in seen["warnings"]].count("runs_drift"), 2)  # once an arm
        self.assertEqual(seen["gate"]["allowed"], ["runs.schedule"])
        # Drifting is said, not refused. A busy machine may make the client the bottleneck, which is another matter.
        self.assertEqual(set(seen["gate"]["refused"]) - {"runs.instrument"}, set())


class Noise(Compared):
    def test_a_floor_is_stored_and_makes_the_margin(self):
        with Server(script(2)) as server:
            self.measure(server, "a", 20)
            self.measure(server, "b", 5)
        floor = self.compare("--aa", "a")
        self.assertEqual((floor["schema"], floor["pairs"]), ("scoville.noise_floor/1", 10))
        self.assertGreater(floor["floors"]["tpot"], 0)
        self.assertEqual(len(floor["ratios"]["tpot"]), 10)
        seen = self.compare("a", "b")
        self.assertNotIn("no_noise_floor", self.codes(seen))
        tpot = seen["metrics"]["tpot"]
        self.assertAlmostEqual(tpot["noise_floor"], floor["floors"]["tpot"])
        self.assertAlmostEqual(tpot["margin"], max(0.02, 2 * floor["floors"]["tpot"]))

    def test_fewer_than_ten_pairs_make_none_and_two_systems_are_not_one(self):
        with Server(script(2)) as a, Server(script(3)) as b:
            self.measure(a, "a", 3)
            self.measure(b, "b", 3)
        self.assertEqual(self.compare("--aa", "a", status=4)["floors"], {})
        self.fails(3, "compare", "--aa", "a", "b", *self.store, says="engine.flags")


class Usage(Compared):
    def test_bad_words_are_one_line(self):
        with Server(script(1)) as server:
            self.measure(server, "a", 2)
            self.measure(server, "b", 2)
        here = self.store
        self.fails(2, "compare", "a", *here, says="two names")
        self.fails(2, "compare", "a", "a", *here, says="--aa")
        self.fails(2, "compare", "--aa", "a", "b", "c", *here, says="--aa")
        self.fails(2, "compare", "a", "b", "c", "--paired", *here, says="--paired")
        self.fails(1, "compare", "a", "nothing", *here, says="nothing")
        self.fails(2, "compare", "a", "b", "--primary", "speed", *here, says="tpot")
        self.fails(2, "compare", "a", "b", "--allow", "everything", *here, says="load.concurrency")
        self.fails(2, "compare", "a", "b", "--margin", "nothing", *here, says="3%")
        self.fails(1, "compare", "a", "b", "--store", str(self.folder / "none.db"), says="none.db")

    def test_a_family_too_large_for_its_runs_is_refused_beforehand(self):
        with Server(script(1)) as server:
            self.measure(server, "a", 4)
            self.measure(server, "b", 4)
        self.fails(2, "compare", "a", "b", "--primary", "tpot,ttft", *self.store, says="measure 5 runs")


class Duels(Compared):
    def duel(self, a: Server, b: Server, *more: str, status: int = 0) -> dict:
        return self.report("duel", a.url, b.url, *LOAD, *CLOSED, *self.store, "--disable-tqdm", *more, status=status)

    def test_pairs_in_turn_tell_five_percent_apart(self):
        with Server(script(4)) as a, Server(script(4.2)) as b:
            seen = self.duel(a, b, "--pairs", "6", "--tag", "d")
            same = self.duel(a, a, "--pairs", "6")
        tpot = seen["metrics"]["tpot"]
        self.assertEqual((seen["design"], seen["base"]["n"]), ("paired", 6))
        self.assertIn(tpot["verdict"], ("slower", "slower_size_uncertain"))
        self.assertAlmostEqual(tpot["p"], 2 / 64)
        self.assertEqual(same["metrics"]["tpot"]["verdict"], "equivalent")
        # A B, B A, A B, …: the runs of each pair lie side by side, and the order turns.
        runs = self.report("runs", "list", *self.store)["runs"]
        order = [each["tag"][-1] for each in runs if each["tag"]]
        self.assertIn("".join(order), ("abbaabbaabba", "abbaabbaabba"[::-1]))
        unpaired, paired = self.compare("d-a", "d-b"), self.compare("d-a", "d-b", "--paired")
        self.assertEqual((unpaired["base"]["n"], unpaired["design"]), (6, "unpaired"))
        self.assertIn("runs_alternate", self.codes(unpaired))
        self.assertEqual(paired["design"], "paired")
        self.assertAlmostEqual(paired["metrics"]["tpot"]["p"], tpot["p"])
        self.assertAlmostEqual(paired["metrics"]["tpot"]["ratio"]["value"], tpot["ratio"]["value"])

    def test_stopped_by_hand_it_reports_the_pairs_that_are_complete(self):
        with Server(script(1)) as a, Server(script(1)) as b:
            process = start("duel", a.url, b.url, *LOAD, *CLOSED, *self.store, "--pairs", "100", "--json")
            b.wait_for("vllm:request_success_total", 100)
            process.send_signal(signal.SIGINT)
            done = finish(process)
        self.assertEqual(done.returncode, 130, done.stderr)
        seen = self.one_object(done.stdout)
        self.assertIn("duel_stopped", self.codes(seen))
        self.assertGreaterEqual(seen["base"]["n"], 2)
        self.assertEqual(seen["base"]["n"], seen["candidate"]["n"])

    def test_what_is_known_to_be_no_comparison_is_not_measured(self):
        with Server(script(1) + ",model=one") as a, Server(script(1) + ",model=two") as b:
            seen = self.duel(a, b, status=3)
        self.assertEqual((seen["gate"]["refused"], seen["base"]["n"]), (["model"], 0))

    def test_an_endpoint_that_is_not_there_is_named(self):
        with Server(script(1)) as a:
            self.fails(1, "duel", a.url, "http://127.0.0.1:1", *LOAD, *CLOSED, *self.store, says="B: ")


if __name__ == "__main__":
    harness.main()

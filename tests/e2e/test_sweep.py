#!/usr/bin/env python3
"""A grid of loads and engine settings, against the scripted endpoint.    test_sweep.py BINARY"""

import os
import shlex
import signal
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, finish, scoville, start

SCRIPT = "ttft=5ms,itl=2ms"
LOAD = ("--random-input-len", "32", "--random-output-len", "16", "--ignore-eos")
SHORT = ("--num-prompts", "16", *LOAD)


def serve(*more: str) -> str:
    return shlex.join([harness.binary, "serve", "--port", "{port}", *more])


class Sweep(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-sweep-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = ("--store", str(self.folder / "runs.db"))

    def runs(self) -> list:
        return self.report("runs", "list", *self.store)["runs"]

    def test_every_combination_is_a_point_and_the_whole_is_one_stored_set(self):
        with Server(SCRIPT) as server:
            seen = self.report("sweep", "--base-url", server.url, *SHORT[:2], "--random-input-len", "32", "--ignore-eos",
                               "--vary", "concurrency=1:4:x2", "--vary", "output-len=8,16", "--at-user-rate", "20,100000",
                               "--devices", "2", "--device-hour", "10CNY", "--goodput", "ttft:5000", *self.store)
        self.assertEqual(seen["schema"], "scoville.sweep/1")
        self.assertEqual([point["load"] for point in seen["points"]],
                         [{"concurrency": c, "output-len": o} for c in "124" for o in ("8", "16")])
        for point in seen["points"]:
            self.assertEqual((point["state"], point["attempted"], point["failed"]), ("measured", 16, 0))
            self.assertAlmostEqual(point["per_device"] * 2, point["output_tokens_per_s"], places=6)
            self.assertAlmostEqual(point["per_money"], point["per_device"] * 360, places=3)
            self.assertGreater(point["good_requests_per_s"], 0)
            self.assertLess(point["user_tokens_per_s"], 1000 / 2 * 1.05)  # 2 ms a token
        self.assertEqual(seen["throughput"], "per_device")
        self.assertEqual([each["lengths"] for each in seen["frontiers"]], [{"output-len": "8"}, {"output-len": "16"}])
        for frontier in seen["frontiers"]:
            reach, beyond = frontier["read"]
            if reach["best"] is not None:  # else this machine was too busy for every point
                self.assertIn(reach["best"], frontier["points"])
            self.assertIsNone(beyond["best"])
        runs = self.runs()
        self.assertEqual({(run["kind"], run["set"]) for run in runs}, {("sweep", seen["set"])})
        self.assertEqual(len(runs), 6)
        self.assertEqual(self.report("sweep", "--show", seen["set"], *self.store), seen)
        self.assertEqual(self.report("sweep", "--show", "last", *self.store), seen)
        self.assertEqual(self.report("runs", "show", seen["set"], *self.store), seen)
        one = self.report("runs", "show", seen["points"][0]["runs"][0]["run"], *self.store)
        self.assertEqual(one["requests"]["attempted"], 16)
        self.fails(2, "compare", seen["set"], "other", *self.store, says="sweep")

    def test_the_table_says_it_in_both_languages(self):
        with Server(SCRIPT) as server:
            args = ("sweep", "--base-url", server.url, *SHORT, "--vary", "concurrency=1,2", *self.store)
            english, chinese = scoville(*args), scoville(*args, "--lang", "zh")
        for done, words in ((english, ("Sweep of", "--at-user-rate", "of the whole system", "scoville sweep --show")),
                            (chinese, ("扫描", "前沿", "每个用户的 token/秒"))):
            self.assertEqual(done.returncode, 0, done.stderr)
            for each in words:
                self.assertIn(each, done.stdout)

    def test_the_order_is_drawn_by_the_seed_or_as_listed(self):
        def order(*more: str) -> list:
            with Server("ttft=1ms,tokens=1") as server:
                done = scoville("sweep", "--base-url", server.url, "--num-prompts", "2", "--num-warmups", "0",
                                "--vary", "concurrency=1,2,3,4,5", "--repeats", "2", *more, *self.store)
            self.assertEqual(done.returncode, 0, done.stderr)
            return [line.split(": ")[1] for line in done.stderr.splitlines() if line.startswith("run ")]

        listed = [f"concurrency {n}" for n in range(1, 6)]
        self.assertEqual(order("--in-order"), listed * 2)
        drawn = order("--seed", "1")
        self.assertNotEqual(drawn, listed * 2)
        self.assertEqual(sorted(drawn[:5]), listed)
        self.assertEqual(order("--seed", "1"), drawn)

    def test_after_kill_9_what_was_measured_is_kept_and_the_rest_is_made(self):
        grid = ("--vary", "concurrency=1,2,4", "--repeats", "2", "--in-order")
        with Server("ttft=30ms,itl=2ms") as server:
            process = start("sweep", "--base-url", server.url, *SHORT, *grid, *self.store)
            for line in process.stderr:
                if line.startswith("run 3 of 6"):
                    break
            process.kill()
            finish(process)
            before = {run["id"] for run in self.runs() if run["status"] == "finished"}
            partial = self.report("sweep", "--show", "last", *self.store)
            kept = {run["run"] for point in partial["points"] for run in point["runs"]}
            self.assertGreaterEqual(len(kept), 2)
            self.assertLess(len(kept), 6)
            self.assertLessEqual(kept, before)
            self.fails(2, "sweep", "--resume", partial["set"], "--num-prompts", "17", *self.store,
                       says="--num-prompts was 16, and is 17 now")
            self.fails(2, "sweep", "--resume", partial["set"], "--top-p", "0.5", *self.store, says="--top-p was not given then")
            seen = self.report("sweep", "--resume", "last", *self.store)
        self.assertEqual(seen["set"], partial["set"])
        self.assertTrue(all(point["state"] == "measured" and len(point["runs"]) == 2 for point in seen["points"]))
        runs = {run["run"] for point in seen["points"] for run in point["runs"]}
        self.assertLessEqual(kept, runs)  # not measured again
        self.assertEqual(len(runs), 6)
        again = scoville("sweep", "--resume", seen["set"], *self.store)  # nothing is left to do
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("6 of 6", again.stderr)
        self.assertEqual(self.report("sweep", "--show", seen["set"], *self.store), seen)

    def test_ctrl_c_reports_what_there_is_and_says_how_to_go_on(self):
        with Server("ttft=30ms,itl=2ms") as server:
            process = start("sweep", "--base-url", server.url, *SHORT, "--vary", "concurrency=1,2,4", *self.store, "--json")
            for line in process.stderr:
                if line.startswith("run 2 of 3"):
                    break
            process.send_signal(signal.SIGINT)
            done = finish(process)
        self.assertEqual(done.returncode, 130)
        seen = self.one_object(done.stdout)
        self.assertEqual(sorted(point["state"] for point in seen["points"]), ["measured", "pending", "pending"])
        self.assertIn("scoville sweep --resume " + seen["set"], done.stderr)

    def test_one_engine_for_each_combination_and_one_that_does_not_start_is_a_row(self):
        command = serve("--scripted", "ttft=5ms,itl={pace}")
        done = scoville("sweep", "--launch", command, "--vary-launch", "pace=2ms,nonsense,8ms", *SHORT,
                        "--vary", "concurrency=1,2", *self.store, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = self.one_object(done.stdout)
        self.assertEqual([each["settings"]["pace"] for each in seen["settings"]], ["2ms", "nonsense", "8ms"])
        states = [(point["settings"], point["state"]) for point in seen["points"]]
        self.assertEqual(states, [(0, "measured")] * 2 + [(1, "not_started")] * 2 + [(2, "measured")] * 2)
        self.assertIn("itl", seen["points"][2]["why"])
        self.assertGreater(seen["points"][0]["user_tokens_per_s"], seen["points"][4]["user_tokens_per_s"])
        self.assertEqual(done.stderr.count("settings "), 3)
        table = scoville("sweep", "--show", "last", *self.store).stdout
        self.assertIn("did not start", table)
        self.assertIn("pace 8ms", table)

    def test_an_engine_that_dies_at_one_load_is_started_again_for_the_next(self):
        engine = self.folder / "engine.sh"  # the second load kills its engine, once it is asked
        engine.write_text("#!/bin/sh\n" + f'n=$(cat {self.folder}/n 2>/dev/null || echo 0); n=$((n+1)); echo $n > {self.folder}/n\n'
                          + f'{shlex.join([harness.binary, "serve", "--scripted"])} "$1" --port "$2" &\necho $! > {self.folder}/pid\nwait $!\n')
        engine.chmod(0o755)
        process = start("sweep", "--launch", f"{engine} ttft=20ms,itl={{pace}} {{port}}", "--vary-launch", "pace=2ms", *SHORT,
                        "--vary", "concurrency=1,2,4", "--in-order", *self.store, "--json")
        for line in process.stderr:
            if line.startswith("run 2 of 3"):
                os.kill(int((self.folder / "pid").read_text()), signal.SIGKILL)
                break
        done = finish(process)
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = self.one_object(done.stdout)
        self.assertEqual([point["state"] for point in seen["points"]], ["measured", "engine_ended", "measured"])
        self.assertEqual((self.folder / "n").read_text().strip(), "2")
        self.assertIn("the sweep goes on", done.stderr)
        resumed = self.report("sweep", "--resume", "last", *self.store)  # such a point is tried again
        self.assertTrue(all(point["state"] == "measured" for point in resumed["points"]))

    def test_precisions_are_ranked_apart_until_a_check_has_passed(self):
        command = serve("--scripted", SCRIPT) + " --port-file " + str(self.folder / "{dtype}")
        seen = self.report("sweep", "--launch", command, "--vary-launch", "dtype=bf16,fp8", *SHORT, "--vary", "concurrency=1",
                           *self.store)
        self.assertEqual([pair["standing"] for pair in seen["pairs"]], ["precision_without_accuracy"])
        self.assertEqual([each["settings"] for each in seen["frontiers"]], [[0], [1]])
        self.assertIn("scoville probe correctness", scoville("sweep", "--show", "last", *self.store).stdout)

    def test_a_queue_that_grows_is_marked_and_not_on_the_frontier(self):
        with Server("ttft=50ms,itl=1ms,tokens=4,slots=1") as server:  # some 19 requests a second
            seen = self.report("sweep", "--base-url", server.url, "--vary", "rate=4,60", "--arrivals", "constant",
                               "--num-prompts", "100", "--random-input-len", "32", "--random-output-len", "4", *self.store)
        over = seen["points"][1]
        self.assertIn(over["out_of_frontier"], ("queue_grows", "client_limited"))
        self.assertFalse(over["on_frontier"])

    def test_lengths_around_block_sizes(self):
        with Server("ttft=2ms,tokens=2") as server:
            args = ("sweep", "--find-bad-shapes", "--around", "64,128", "--span", "1", "--base-url", server.url, *self.store)
            done = scoville(*args, "--per-length", "6", "--json")
            table = scoville(*args, "--per-length", "6", "--lang", "zh")
        self.assertIn(done.returncode, (0, 4), done.stderr)
        seen = self.one_object(done.stdout)
        self.assertEqual(seen["schema"], "scoville.shapes/1")
        self.assertEqual([each["prompt_tokens"] for each in seen["lengths"]], [63, 64, 65, 127, 128, 129])
        self.assertTrue(all(each["n"] == 6 for each in seen["lengths"]))
        self.assertEqual([seen["lengths"][i]["verdict"] for i in (0, 5)], ["edge", "edge"])
        self.assertIn("首 token 时间", table.stdout)
        runs = self.runs()
        self.assertEqual(len(runs), 2)
        self.assertEqual(self.report("runs", "show", runs[0]["set"], *self.store), seen)
        self.fails(2, *args, "--per-length", "5", says="6 lengths need 6 requests each")

    def test_what_it_cannot_do_is_one_line(self):
        here = ("--base-url", "http://127.0.0.1:1")
        for args, says in ((here, "varies something"), ((*here, "--vary", "input-len=8,16"), "what load?"),
                           ((*here, "--vary", "rate=1,2", "--request-rate", "1"), "--request-rate"),
                           ((*here, "--vary", "rate=1,2", "--vary", "rate=3"), "varied twice"),
                           ((*here, "--vary", "rate=1", "--vary-launch", "tp=1,2"), "--launch"),
                           ((*here, "--vary", "rate=1:100:+1", "--vary", "concurrency=1:101:+1"), "10100 runs"),
                           ((*here, "--vary", "rate=1", "--span", "2"), "--find-bad-shapes"),
                           ((*here, "--find-bad-shapes", "--vary", "rate=1"), "--vary"),
                           ((*here, "--vary", "rate=1", "--device-hour", "1CNY"), "--devices"),
                           (("--launch", serve("--scripted", SCRIPT), "--vary", "rate=1", "--vary-launch", "tp=1"), "{tp}"),
                           (("--launch", serve("--scripted", SCRIPT), "--vary", "rate=1", "--vary-launch", "port=1"), "{port}"),
                           (("--launch-preset", "vllm", "--model", "m", "--vary", "rate=1", "--vary-launch", "speed=1"), "speed"),
                           (("--resume", "last", *self.store[:1], str(self.folder / "none.db")), "none.db"),
                           (("--resume", "last", "--no-store"), "--no-store")):
            with self.subTest(args):
                done = scoville("sweep", *args)
                self.assertIn(done.returncode, (1, 2), done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
                self.assertIn(says, done.stderr)
        self.fails(1, "sweep", *here, "--vary", "rate=1", "--disable-tqdm", "--connect-timeout", "100ms", *self.store, says="127.0.0.1:1")
        self.fails(2, "sweep", "--resume", "set-x", *self.store, says="no sweep set-x")
        self.fails(2, "sweep", "--show", "set-x", *self.store, says="no sweep set-x")


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""`bench --launch`: an engine is started, watched and stopped around a measurement.    test_launch.py BINARY

The engines are `scoville serve` itself, and small scripts around it that misbehave in one way each.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

import harness
from harness import LIMIT_S, EndToEnd, finish, scoville, start

SHORT = ("--num-prompts", "12", "--max-concurrency", "4", "--random-input-len", "32", "--random-output-len", "16",
         "--ignore-eos")
LONG = ("--num-prompts", "400", "--max-concurrency", "4", "--random-input-len", "32", "--random-output-len", "64",
        "--ignore-eos")
SCRIPT = "ttft=5ms,itl=1ms"


def serve(*more: str) -> str:
    return shlex.join([harness.binary, "serve", "--scripted", SCRIPT, "--port", "{port}", *more])


def until(holds, what: str):
    give_up = time.monotonic() + LIMIT_S
    while not holds():
        if time.monotonic() > give_up:
            raise TimeoutError(what)
        time.sleep(0.01)


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


class Launch(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-launch-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.store = ("--store", str(self.folder / "runs.db"))

    def script(self, body: str) -> str:
        """A shell script as the start of an engine command; it writes its pids into files for the test."""
        path = self.folder / "engine.sh"
        path.write_text(f"#!/bin/sh\ncd {shlex.quote(str(self.folder))}\n{body}\n")
        path.chmod(0o755)
        return str(path)

    def pid(self, name: str) -> int:
        path = self.folder / name
        until(lambda: path.exists() and path.read_text().strip(), name)
        return int(path.read_text())

    def launched(self, command: str, *more: str, status: int = 0) -> dict:
        return self.report("bench", "--launch", command, *SHORT, *self.store, *more, status=status)

    def log_of(self, run: dict) -> str:
        return Path(run["launch"]["log"]).read_text()


class Happy(Launch):
    def test_an_engine_is_started_measured_and_stopped_and_the_run_tells_of_it(self):
        run = self.launched(serve(), "--launch-env", "HF_TOKEN=secret-value", "--launch-env", "MODE=fast")
        launch = run["launch"]
        self.assertEqual(run["requests"]["succeeded"], 12)
        self.assertGreater(launch["time_to_ready_ns"], 0)
        self.assertGreater(launch["time_to_first_token_ns"], launch["time_to_ready_ns"])
        self.assertEqual(launch["environment"], ["HF_TOKEN=***", "MODE=fast"])
        self.assertEqual((launch["ending"]["how"], launch["crashes"]), ("stopped", 0))
        self.assertEqual((launch["ending"]["killed_others"], launch["ending"]["survivors"]), (0, 0))
        self.assertIn("{port}", launch["given"])
        port = launch["command"][launch["command"].index("--port") + 1]
        self.assertIn(f":{port}/", run["system"]["url"])
        self.assertIn(f"http://127.0.0.1:{port}", self.log_of(run))
        self.assertEqual(Path(launch["log"]).parent, self.folder / "logs")
        fields = run["system"]["fingerprint"]["fields"]
        self.assertEqual(fields["engine.flags.scripted"]["value"], SCRIPT)
        self.assertEqual((fields["engine.env.mode"]["value"], fields["engine.env.hf_token"]["value"]), ("fast", "***"))
        # Read back, it is the same; the secret is nowhere, neither in the store nor beside it.
        self.assertEqual(self.report("runs", "show", run["run"], *self.store)["launch"], launch)
        for path in self.folder.rglob("*"):
            if path.is_file():
                self.assertNotIn(b"secret-value", path.read_bytes(), path)

    def test_other_launch_flags_are_another_system_and_another_port_is_not(self):
        def comparable(command):
            return self.launched(command)["system"]["fingerprint"]["hash"]["comparable"]

        first = comparable(serve())
        self.assertEqual(comparable(serve()), first)
        self.assertNotEqual(comparable(serve().replace("itl=1ms", "itl=2ms")), first)

    def test_the_table_says_it_in_both_languages(self):
        for lang, words in (("en", "Started by Scoville: ready after"), ("zh", "由 Scoville 启动")):
            done = scoville("bench", "--launch", serve(), *SHORT, *self.store, "--lang", lang)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stdout)
            self.assertIn(str(self.folder / "logs"), done.stderr)

    def test_without_a_store_the_log_lies_among_the_temporary_files(self):
        run = self.report("bench", "--launch", serve(), *SHORT, "--no-store",
                          env=harness.environment(TMPDIR=str(self.folder)))
        self.assertEqual(Path(run["launch"]["log"]).parent, self.folder)
        named = self.launched(serve(), "--launch-log", str(self.folder / "mine.log"))
        self.assertIn("127.0.0.1", self.log_of(named))

    def test_an_engine_without_a_place_for_its_port_is_measured_where_the_user_says(self):
        port = self.launched(serve())["launch"]["command"][-1]  # free again
        run = self.launched(serve().replace("{port}", port), "--base-url", f"http://127.0.0.1:{port}")
        self.assertIn(f":{port}/", run["system"]["url"])

    def test_a_preset_of_ones_own_brings_command_path_and_settings(self):
        preset = self.folder / "mine.yaml"
        preset.write_text(f"""
name: mine
version: 3
command: [{harness.binary}, serve, --port, "{{port}}"]
ready: /v1/models
environment: {{MODE: fast}}
settings: {{tp: [--scripted, "tokens={{value}},{SCRIPT}"]}}
""")
        run = self.report("bench", "--launch-preset-file", str(preset), "--launch-set", "tp=8", *SHORT, *self.store)
        launch = run["launch"]
        self.assertEqual((launch["preset"], launch["preset_version"], launch["ready"]), ("mine", 3, "/v1/models"))
        self.assertEqual(launch["command"][-2:], ["--scripted", f"tokens=8,{SCRIPT}"])
        self.assertEqual(launch["environment"], ["MODE=fast"])

    def test_presets_are_listed(self):
        done = scoville("bench", "--launch-preset", "list")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("vllm-ascend", "sglang", "llama-server", "documentation only"):
            self.assertIn(name, done.stdout)
        presets = {each["name"]: each for each in self.report("bench", "--launch-preset", "list")["presets"]}
        self.assertEqual(presets["vllm"]["settings"]["tp"], ["--tensor-parallel-size", "{value}"])
        self.assertTrue(all(each["sources"] for each in presets.values()))


class Repeats(Launch):
    def starts(self) -> int:
        path = self.folder / "starts"
        return len(path.read_text().splitlines()) if path.exists() else 0

    def test_one_engine_serves_all_repeats_or_each_has_its_own(self):
        command = shlex.quote(self.script(f'echo >> starts\nexec {shlex.quote(harness.binary)} serve "$@"'))
        command += f" --scripted {SCRIPT} --port {{port}}"
        once = self.report("bench", "--launch", command, *SHORT, *self.store, "--repeats", "2")
        self.assertEqual(self.starts(), 1)
        self.assertEqual(len({run["launch"]["time_to_ready_ns"] for run in once["runs"]}), 1)
        each = self.report("bench", "--launch", command, *SHORT, *self.store, "--repeats", "2", "--launch-each")
        self.assertEqual(self.starts(), 3)
        self.assertEqual(len({run["launch"]["log"] for run in each["runs"]}), 2)
        for made in (once, each):
            self.assertEqual([run["launch"]["ending"]["how"] for run in made["runs"]], ["stopped", "stopped"])
            self.assertIsNotNone(made["set"]["metrics"])  # one plan: the address is the same for all
        shown = self.report("runs", "show", each["set"]["id"], *self.store)
        self.assertEqual([run["launch"] for run in shown["runs"]], [run["launch"] for run in each["runs"]])
        table = scoville("runs", "show", each["set"]["id"], *self.store).stdout
        self.assertIn("The engine was started anew for each run", table)

    def test_a_baseline_can_start_its_engine_too(self):
        self.report("baseline", "--launch", serve(), *SHORT, *self.store, "--repeats", "2", "--quick")


class Failing(Launch):
    def refused(self, status: int, *args: str, says: tuple) -> subprocess.CompletedProcess:
        """It ends so, and its last line on standard error holds all of this."""
        done = scoville("bench", *args, *SHORT, *self.store)
        told = f"{done.returncode}\n{done.stdout[-500:]}\n{done.stderr[-1500:]}"
        self.assertEqual(done.returncode, status, told)
        self.assertEqual(done.stdout, "")
        for words in says:
            self.assertIn(words, done.stderr.splitlines()[-1], told)
        return done

    def test_an_unknown_flag_is_told_in_the_engines_own_words(self):
        done = self.refused(1, "--launch", serve("--frobnicate"), says=("unknown argument: --frobnicate", "status 2", "serve"))
        self.assertIn("  | scoville: unknown argument", done.stderr)  # the tail of the log
        argparse = f"{sys.executable} -c 'import argparse; argparse.ArgumentParser().parse_args()' --foo --api-key hidden {{port}}"
        done = self.refused(1, "--launch", argparse, says=("unrecognized arguments: --foo",))
        self.assertNotIn("hidden", done.stderr)
        chinese = scoville("bench", "--launch", argparse, *SHORT, *self.store, "--lang", "zh")
        self.assertIn("引擎在启动过程中结束", chinese.stderr)

    def test_an_engine_that_dies_at_the_start_ends_the_wait_at_once(self):
        begun = time.monotonic()
        self.refused(1, "--launch", "sh -c 'echo loading; echo RuntimeError: no devices; exit 3' {port}",
                     says=("RuntimeError: no devices", "status 3"))
        self.refused(1, "--launch", "sh -c 'kill -9 $$' {port}", says=("signal 9", "said nothing"))
        self.assertLess(time.monotonic() - begun, LIMIT_S)  # of a time-out of ten minutes
        self.refused(1, "--launch", "no-such-engine {port}", says=("no-such-engine", "No such file"))

    def test_an_engine_that_is_never_ready_is_given_up_and_stopped(self):
        command = self.script("echo $$ > pid; exec sleep 600") + " {port}"
        self.refused(1, "--launch", command, "--launch-timeout", "200ms", says=("/health", "0.2 s", "refused"))
        self.assertFalse(lives(self.pid("pid")))
        self.refused(1, "--launch", serve(), "--launch-timeout", "300ms", "--ready", "/nowhere", says=("HTTP 404",))

    def test_a_server_that_was_there_before_is_not_measured_in_the_engines_place(self):
        with harness.Server(SCRIPT) as other:
            command = self.script("touch started; sleep 600")
            self.refused(2, "--launch", command, "--base-url", other.url, says=(other.url.split("/")[-1], "listens"))
            self.assertFalse((self.folder / "started").exists())

    def test_a_store_that_cannot_be_opened_is_known_before_the_engine_is_started(self):
        command = self.script("touch started; sleep 600") + " {port}"
        done = scoville("bench", "--launch", command, *SHORT, "--store", "/proc/none/runs.db")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertFalse((self.folder / "started").exists())


class Ending(Launch):
    def begin(self, command: str, *more: str) -> subprocess.Popen:
        return start("bench", "--launch", command, *LONG, *self.store, "--json", *more)

    def served(self, pid_file: str = "pid", before: str = "", after: str = "wait $!") -> str:
        """An engine whose shell stays the first process; the server's pid goes into a file, its port into another."""
        return self.script(f'{before}\n{shlex.quote(harness.binary)} serve --scripted {SCRIPT} --port "$1" &\n'
                           f"echo $1 > port; echo $! > {pid_file}\n{after}") + " {port}"

    def wait_for_load(self):
        """Until some requests of the run have been answered."""
        port = self.pid("port")

        def has_begun():
            try:
                text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5).read().decode()
            except OSError:
                return False
            found = re.search(r"^\S*request_success\S*\{.*\} (\d+)", text, re.M)
            return found and float(found[1]) > 50

        until(has_begun, "a load")

    def test_a_crash_in_the_run_is_counted_with_its_time_its_signal_and_its_last_words(self):
        command = self.script(f'echo $$ > first; echo $1 > port; echo about to serve\n'
                              f'exec {shlex.quote(harness.binary)} serve --scripted {SCRIPT} --port "$1"') + " {port}"
        bench = self.begin(command)
        self.wait_for_load()
        os.kill(self.pid("first"), signal.SIGKILL)
        done = finish(bench)
        self.assertEqual(done.returncode, 1, done.stderr[-2000:])
        run = self.one_object(done.stdout)
        launch = run["launch"]
        self.assertEqual((launch["crashes"], launch["ending"]["how"], launch["ending"]["signal"]), (1, "by_itself", 9))
        self.assertTrue(launch["ending"]["in_run"])
        self.assertGreater(launch["ending"]["since_start_ns"], 0)
        self.assertLess(launch["ending"]["since_start_ns"], run["window"]["full_s"] * 1e9)
        self.assertIn("about to serve", launch["ending"]["log_tail"])
        self.assertIn("engine_crashed", self.codes(run))
        self.assertGreater(run["requests"]["succeeded"], 0)
        self.assertGreater(sum(run["requests"]["failed"].values()), 0)
        shown = scoville("runs", "show", run["run"], *self.store)
        self.assertIn("signal 9", shown.stdout)
        self.assertIn("  | about to serve", shown.stdout)

    def test_a_set_ends_with_its_engine(self):
        command = self.script(f'echo $$ > first; echo $1 > port\n'
                              f'exec {shlex.quote(harness.binary)} serve --scripted {SCRIPT} --port "$1"') + " {port}"
        bench = self.begin(command, "--repeats", "3")
        self.wait_for_load()
        os.kill(self.pid("first"), signal.SIGKILL)
        done = finish(bench)
        self.assertEqual(done.returncode, 1, done.stderr[-2000:])
        self.assertLess(len(self.one_object(done.stdout)["runs"]), 3)

    def test_an_engine_that_ignores_term_is_killed(self):
        command = self.script(f'trap "" TERM; exec {sys.executable} -c "{self.deaf()}" "$1"') + " {port}"
        run = self.launched(command, "--stop-timeout", "100ms")
        self.assertEqual((run["launch"]["ending"]["how"], run["launch"]["ending"]["signal"]), ("killed", 9))
        self.assertIn("engine_killed", self.codes(run))

    @staticmethod
    def deaf() -> str:
        """A program that starts the server, ignores TERM and waits for ever."""
        return ("import signal, subprocess, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
                f"subprocess.Popen(['{harness.binary}', 'serve', '--scripted', '{SCRIPT}', '--port', sys.argv[1]]); "
                "[signal.pause() for _ in iter(int, 1)]")

    def test_a_process_that_leaves_the_engines_group_is_found_and_ended(self):
        command = self.served(before="setsid sh -c 'trap \"\" TERM; echo $$ > worker; while :; do sleep 1; done' &")
        run = self.launched(command, "--stop-timeout", "200ms")
        self.assertGreaterEqual(run["launch"]["ending"]["killed_others"], 1)
        self.assertIn("engine_left_processes", self.codes(run))
        self.assertFalse(lives(self.pid("worker")))

    def test_ctrl_c_reports_what_was_measured_and_leaves_no_process(self):
        bench = self.begin(self.served())
        self.wait_for_load()
        bench.send_signal(signal.SIGINT)
        done = finish(bench)
        self.assertEqual(done.returncode, 130, done.stderr[-2000:])
        self.assertEqual(self.one_object(done.stdout)["launch"]["ending"]["how"], "stopped")
        self.assertFalse(lives(self.pid("pid")))

    def test_ctrl_c_while_the_engine_starts_ends_both(self):
        bench = self.begin(self.script("echo $$ > pid; exec sleep 600") + " {port}")
        pid = self.pid("pid")
        bench.send_signal(signal.SIGINT)
        self.assertEqual(finish(bench).returncode, 130)
        self.assertFalse(lives(pid))

    def test_an_engine_does_not_outlive_a_scoville_that_is_killed(self):
        bench = self.begin(self.served())
        self.wait_for_load()
        bench.kill()
        bench.communicate()
        until(lambda: not lives(self.pid("pid")), "the end of the engine")

    def test_a_megabyte_a_second_of_log_costs_only_its_file(self):
        command = self.script(f'(while :; do head -c 100000 /dev/zero | tr "\\0" x; echo; done) &\n'
                              f'echo $1 > port; {shlex.quote(harness.binary)} serve --scripted {SCRIPT} --port "$1"') + " {port}"
        run = self.launched(command, "--stop-timeout", "5s")
        self.assertEqual(run["launch"]["ending"]["how"], "stopped")
        self.assertGreater(Path(run["launch"]["log"]).stat().st_size, 100000)


if __name__ == "__main__":
    harness.main()

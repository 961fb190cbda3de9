"""What the end-to-end tests share: the built program, and `scoville serve` as a process of its own.

    test_NAME.py BINARY [unittest arguments …]

Nothing here waits for a while: a server says on standard error when it listens, and what a test needs to have happened
is asked for at the server's /metrics until it has.
"""

import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

LIMIT_S = 60  # for anything; a test that comes near it has hung

binary = ""
data_home = tempfile.mkdtemp(prefix="scoville-e2e-data-")  # where runs of tests are stored
atexit.register(shutil.rmtree, data_home, True)


def environment(**more: str) -> dict:
    """Ours, without what would change the program's language, key or way."""
    dropped = ("LANG", "LC_ALL", "LC_MESSAGES", "SCOVILLE_LANG", "OPENAI_API_KEY")
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    return kept | {"XDG_DATA_HOME": data_home} | more


def start(*args: str, env: dict | None = None, **more) -> subprocess.Popen:
    return subprocess.Popen([binary, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, encoding="utf-8", env=env or environment(), **more)


def finish(process: subprocess.Popen) -> subprocess.CompletedProcess:
    try:
        out, err = process.communicate(timeout=LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def scoville(*args: str, **more) -> subprocess.CompletedProcess:
    return finish(start(*args, **more))


class Server:
    """`scoville serve` with this script, for the length of a `with`."""

    def __init__(self, script: str = "", *flags: str, scheme: str = "http"):
        self.folder = tempfile.mkdtemp(prefix="scoville-e2e-")
        port_file = Path(self.folder, "port")
        self.process = start("serve", "--scripted", script, "--port", "0", "--port-file", str(port_file), *flags)
        self.greeting = self.process.stderr.readline()
        if not port_file.exists():
            raise RuntimeError(self.greeting + self.process.communicate(timeout=LIMIT_S)[1])
        self.url = f"{scheme}://127.0.0.1:{port_file.read_text().strip()}"

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        finish(self.process)
        shutil.rmtree(self.folder)

    def metric(self, name: str) -> float:
        with urllib.request.urlopen(self.url + "/metrics", timeout=LIMIT_S) as answer:
            for line in answer.read().decode().splitlines():
                if line.startswith(name + "{"):
                    return float(line.rsplit(" ", 1)[1])
        raise KeyError(name)

    def wait_for(self, name: str, least: float):
        """Until that metric has come so far."""
        give_up = time.monotonic() + LIMIT_S
        while self.metric(name) < least:
            if time.monotonic() > give_up:
                raise TimeoutError(f"{name} has not come to {least}")
            time.sleep(0.01)


class EndToEnd(unittest.TestCase):
    def fails(self, status: int, *args: str, says: str = "", **more) -> subprocess.CompletedProcess:
        """The command ends so, with exactly one line on standard error that holds `says`."""
        done = scoville(*args, **more)
        told = f"{' '.join(args)}\nstatus {done.returncode}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}"
        self.assertEqual(done.returncode, status, told)
        self.assertEqual(len(done.stderr.splitlines()), 1, told)
        self.assertTrue(done.stderr.startswith("scoville: "), told)
        self.assertIn(says, done.stderr, told)
        return done

    def report(self, *args: str, status: int = 0, **more) -> dict:
        """What the command prints with --json: exactly one JSON object, alone on standard output."""
        done = scoville(*args, "--json", **more)
        self.assertEqual(done.returncode, status, f"{args}\n{done.stdout[-1500:]}\n{done.stderr[-1500:]}")
        return self.one_object(done.stdout)

    def one_object(self, text: str) -> dict:
        value, end = json.JSONDecoder(parse_constant=self.fail).raw_decode(text)
        self.assertEqual(text[end:].strip(), "")
        self.assertIsInstance(value, dict)
        return value

    def sound_set(self, store: tuple, *args: str):
        """A set, or a run, measured with `bench`, again where this machine was too busy for it: its runs would be refused."""
        for _ in range(4):
            seen = self.report("bench", *args, *store)
            runs = seen.get("runs", [seen])
            if all(run["instrument"]["verdict"] != "bottleneck" for run in runs):
                return
            self.assertEqual(scoville("runs", "delete", *(run["run"] for run in runs), "--yes", *store).returncode, 0)
        self.skipTest("this machine is too busy to measure: the client was the bottleneck four times")

    def codes(self, report: dict) -> set:
        return {each["code"] for each in report["warnings"]}


def main():
    global binary
    binary = os.path.abspath(sys.argv.pop(1))
    sys.modules["harness"].binary = binary  # the tests import this file under that name
    unittest.main(module="__main__", verbosity=1)

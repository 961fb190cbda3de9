"""The commands that README.md shows, run as they stand; both languages show the same ones.

    test_docs.py BINARY
"""

import json
import os
import re
import shlex
import signal
import tempfile
import unittest
import urllib.request
from pathlib import Path

import harness
from harness import EndToEnd, Server, finish, scoville, start

ROOT = Path(__file__).resolve().parents[2]
SHORTER = {"60s": "1s", "20": "100", "200": "60", "16": "60"}  # the same command on less time: fewer requests, at a higher rate


def commands(name: str) -> list[list[str]]:
    """The lines of README's code blocks that call scoville, split into words, comments left out."""
    blocks = re.findall(r"^```\n(.*?)^```", (ROOT / name).read_text(), re.M | re.S)
    return [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()
            if line.startswith("scoville ")]


def stand_ins(folder: str, script: str) -> dict:
    """An environment in which the engines that README starts are the scripted endpoint under their names."""
    for name in ("llama-server", "vllm"):
        path = Path(folder, name)
        path.write_text('#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = --port ] && port=$2; shift; done\n'
                        f'exec {shlex.quote(harness.binary)} serve --scripted {script} --port "$port"\n')
        path.chmod(0o755)
    return harness.environment(PATH=f"{folder}:{os.environ['PATH']}")


def headings(name: str) -> list[str]:
    return [line.split(" ")[0] for line in (ROOT / name).read_text().splitlines() if re.match(r"#+ ", line)]


class Readme(EndToEnd):
    def test_both_languages_show_the_same_commands_under_as_many_headings(self):
        self.assertEqual(commands("README.md"), commands("README.zh-CN.md"))
        self.assertEqual(headings("README.md"), headings("README.zh-CN.md"))

    def test_each_command_does_its_job(self):
        lines = commands("README.md")
        script = next(words[words.index("--scripted") + 1] for words in lines if words[1] == "serve")
        with Server(script) as server, tempfile.TemporaryDirectory() as folder:
            env = stand_ins(folder, script)
            for words in lines:
                if words[1] in ("serve", "quickstart"):
                    continue
                run = [SHORTER.get(word, re.sub(r"http://127\.0\.0\.1:800\d", server.url, word)) for word in words[1:]]
                if words[1] == "calibrate":
                    run.append("--quick")
                if words[1] == "duel":
                    run += ["--pairs", "2"]
                if words[1] == "saturate":
                    run += ["--start", "16", "--most", "16", "--min-step", "1s", "--max-step", "30s" if "concurrency" in words else "3s"]
                if "--vary" in words:
                    run += ["--num-prompts", "4", "--random-output-len", "4"]
                if "--find-bad-shapes" in words:
                    run += ["--around", "64", "--span", "1", "--per-length", "6"]
                if words[1:3] == ["probe", "operators"] and not Path(harness.binary).parent.joinpath("scoville-torch").exists():
                    continue  # no libtorch here
                if words[1:3] == ["probe", "device"]:
                    run += ["--only", "bandwidth"]
                if "--device" in words and not Path(harness.binary).with_name("scoville-torch").exists():
                    continue  # built without libtorch
                if words[1:3] == ["probe", "correctness"] and "--base-url" in words:  # this endpoint takes a second for an answer
                    run += ["--num-prompts", "2", "--max-concurrency", "20"]
                if "--backend" in words and "--base-url" not in words:  # its default is port 8000
                    run += ["--base-url", server.url]
                run = [re.sub(r"(^|(?<= ))examples/", f"{ROOT}/examples/", word) for word in run]
                if words[1] == "record":
                    with self.subTest(command=" ".join(words)):
                        self.record(run, folder, env)
                    continue
                with self.subTest(command=" ".join(words)):
                    done = scoville(*run, cwd=folder, env=env)
                    # A machine too busy to be calibrated, answers without a right one, a history of one day say so
                    # with 4: an answer, too.
                    may_not_tell = words[1] in ("calibrate", "compare", "duel", "history", "matrix", "saturate", "evaluate") or "dynamic-shapes" in words or "--find-bad-shapes" in words or "--tasks" in words
                    if words[1] in ("claim", "evaluate"):  # a verdict is an answer, whichever it is
                        self.assertIn(done.returncode, (0, 3, 4), done.stderr)
                        self.assertTrue(done.stdout or "-o" in words)
                        continue
                    was_busy = words[1] == "compare" and "bottleneck" in done.stdout  # refused, and said why
                    self.assertIn(done.returncode, (0, 4, 3) if was_busy else (0, 4) if may_not_tell else (0,), done.stderr)
                    self.assertTrue(done.stdout)

    def record(self, run: list, folder: str, env: dict):
        """A recorder that sees two requests, which what comes next can learn from."""
        run[run.index("--listen") + 1] = "127.0.0.1:0"
        process = start(*run, "--port-file", f"{folder}/port", cwd=folder, env=env)
        self.assertIn("Ctrl-C", process.stderr.readline())
        for text in ("one", "two"):
            url = f"http://127.0.0.1:{Path(folder, 'port').read_text().strip()}/v1/completions"
            with urllib.request.urlopen(url, json.dumps({"model": "m", "prompt": text, "max_tokens": 2}).encode()) as answer:
                self.assertEqual(answer.status, 200)
        process.send_signal(signal.SIGINT)
        done = finish(process)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_readme_says_in_its_first_forty_lines_what_it_is_and_is_not(self):
        top = "\n".join((ROOT / "README.md").read_text().splitlines()[:40])
        for words in ("make quickstart", "make test", "does not do", "No accelerator has been measured", "TTFT  first token"):
            self.assertIn(words, top)

    def test_no_document_has_a_place_left_to_fill(self):
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
            self.assertNotIn("@" + "@", page.read_text(), page)


if __name__ == "__main__":
    harness.main()

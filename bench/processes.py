"""The processes of a measurement: the scripted endpoint, the client, the bare loops; where they run, what they cost."""

import ctypes
import json
import os
import pty
import re
import resource
import shlex
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

READY_S = 10
REALTIME = ["chrt", "-f", "10"]


def has_two_cores() -> bool:
    return shutil.which("taskset") is not None and {0, 1} <= os.sched_getaffinity(0)


def may_be_realtime() -> bool:
    """SCHED_FIFO keeps the other work of a shared machine away from both processes; it needs root or a limit for it."""
    return shutil.which("chrt") is not None and subprocess.run([*REALTIME, "true"], capture_output=True).returncode == 0


def process_cpu_ns(pid: int) -> int:
    """CPU of a running process, user and system, all its threads."""
    clock = ctypes.c_int()
    if ctypes.CDLL(None).clock_getcpuclockid(pid, ctypes.byref(clock)) != 0:
        raise ProcessLookupError(pid)
    return time.clock_gettime_ns(clock.value)


def memory_bytes(pid: int, key: str) -> int:
    """A line of /proc/PID/status; 0 where the process has just ended."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(rf"^{key}:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


@dataclass
class Finished:
    """A program that has ended."""

    output: str
    cpu_ns: int  # of the whole process, user and system

    def json(self) -> dict:
        return json.loads(self.output.strip().splitlines()[-1])


@dataclass
class Bench:
    """What all parts share: the programs, how long each takes, the commands that were run."""

    build: Path
    scratch: Path
    is_quick: bool
    commands: list[str] = field(default_factory=list)
    pins: bool = field(default_factory=has_two_cores)
    is_realtime: bool = field(default_factory=may_be_realtime)

    def program(self, name: str) -> str:
        return str(self.build / name if name == "scoville" else self.build / "bench" / name)

    def pinned(self, core: int, words: list) -> list[str]:
        """The command on its own core and, where that is allowed, ahead of all other work there."""
        return [
            *(["taskset", "-c", str(core)] if self.pins else []),
            *(REALTIME if self.is_realtime else []),
            *map(str, words),
        ]

    def note(self, words: list[str]) -> None:
        """Remembers a command once, whatever its port."""
        text = shlex.join(words).replace(str(self.build), "build/release").replace(str(self.scratch), "$TMP")
        text = re.sub(r"(--port |127\.0\.0\.1:)[1-9]\d*", r"\1PORT", text)
        if text not in self.commands:
            self.commands.append(text)

    def start(self, words: list[str], **more) -> subprocess.Popen:
        self.note(words)
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, text=True, **more)

    def client(self, *words, limit_s: float) -> Finished:
        """Runs a program to its end on the client's core."""
        process = self.start(self.pinned(0, list(words)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return finish(process, limit_s)

    def load(self, endpoint: "Endpoint", *words, limit_s: float) -> Finished:
        """`scoville bench` as users run it: stored while it goes on, the live display on a terminal; JSON on standard
        output. Prompts as short as they go."""
        command = [
            self.program("scoville"),
            "bench",
            "--base-url",
            endpoint.url,
            "--random-input-len",
            32,
            "--ignore-eos",
            *words,
            "--store",
            self.scratch / "runs.db",
            "--json",
        ]
        ours, theirs = pty.openpty()
        process = self.start(self.pinned(0, command), stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        threading.Thread(target=drain, args=(ours,), daemon=True).start()
        return finish(process, limit_s)


def drain(terminal: int) -> None:
    """Reads what a program shows on its terminal, until it ends."""
    try:
        while os.read(terminal, 1 << 16):
            pass
    except OSError:  # the other side is closed
        pass
    os.close(terminal)


def finish(process: subprocess.Popen, limit_s: float) -> Finished:
    """Waits for the end; both pipes are read, and the program's name and last words are in the error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        output, errors = process.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise RuntimeError(f"not over after {limit_s:.0f} s: {shlex.join(process.args)}") from None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode != 0:
        last = (errors or "").strip().splitlines()[-1:]
        raise RuntimeError(f"exit {process.returncode}: {shlex.join(process.args)}: {' '.join(last)}")
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Finished(output, int(cpu_s * 1e9))


class Endpoint:
    """`scoville serve --scripted`, in its own process and on its own core, for the length of a `with`."""

    def __init__(self, bench: Bench, script: str, *more: str):
        self.port_file = Path(tempfile.mkstemp(dir=bench.scratch, prefix="port")[1])
        words = [
            bench.program("scoville"),
            "serve",
            "--scripted",
            script,
            "--port",
            "0",
            "--port-file",
            self.port_file,
            *more,
        ]
        text = [str(word) for word in words]
        bench.note(bench.pinned(1, [*text[:6], *map(str, more)]))
        self.process = subprocess.Popen(bench.pinned(1, text), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.scheme = "https" if "--cert" in more else "http"

    def __enter__(self) -> "Endpoint":
        give_up = time.monotonic() + READY_S
        while not (text := self.port_file.read_text()).endswith("\n"):
            if self.process.poll() is not None or time.monotonic() > give_up:
                self.process.kill()
                raise RuntimeError("the endpoint did not start")
            time.sleep(0.02)
        self.port = int(text)
        self.url = f"{self.scheme}://127.0.0.1:{self.port}"
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def metrics(self) -> dict[str, float]:
        """What GET /metrics says, by the name without labels; quantiles as name@0.99."""
        with urllib.request.urlopen(f"{self.url}/metrics", timeout=5) as answer:
            text = answer.read().decode()
        out = {}
        for name, labels, value in re.findall(r"^([\w:]+)\{([^}]*)\} (\S+)$", text, re.MULTILINE):
            quantile = re.search(r'quantile="([^"]+)"', labels)
            out[f"{name}@{quantile[1]}" if quantile else name] = float(value)
        return out

    def emit_lag_ns(self) -> tuple[float, float]:
        """p50 and p99."""
        metrics = self.metrics()
        return metrics["scoville:emit_lag_seconds@0.5"] * 1e9, metrics["scoville:emit_lag_seconds@0.99"] * 1e9

    def events(self) -> int:
        return int(self.metrics().get("scoville:emit_lag_seconds_count", 0))

    def cpu_ns(self) -> int:
        return process_cpu_ns(self.process.pid)

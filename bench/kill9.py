#!/usr/bin/env python3
"""kill9.py BINARY [KILLS [SEED [LIMIT_S]]]: kills a measuring client with SIGKILL at random moments, and looks what is left.

Each time a bench against the scripted endpoint is killed 0.3 to 4 s after its first request, whatever it is doing. Then
the store must open, the run must read as interrupted, and its last recorded sign of life must not be older than
LIMIT_S, a second, before the kill: both are on CLOCK_MONOTONIC. The scripted streams send every 5 ms, so there is always one.
"""

import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_S = 60


def run(*args: str) -> str:
    return subprocess.run(args, check=True, capture_output=True, text=True, timeout=LIMIT_S).stdout


def stored(binary: str, store: str) -> list:
    return json.loads(run(binary, "runs", "list", "--store", store, "--json"))["runs"]


def kill_once(binary: str, url: str, store: str, rng: random.Random, known: set) -> float:
    """How old, in seconds, the last thing known was at the kill."""
    # At each of these a stream is open at any time: else the last sign of life would be old without anything lost.
    load, tokens = rng.choice(((["--max-concurrency", "8"], 20), (["--max-concurrency", "8"], 4000),
                               (["--max-concurrency", "200", "--threads", "2"], 400), (["--request-rate", "5"], 4000),
                               (["--request-rate", "300"], 20), (["--request-rate", "300"], 400)))
    bench = subprocess.Popen([binary, "bench", "--base-url", url, "--duration", "60s", "--random-output-len",
                              str(tokens), "--random-input-len", "32", "--num-warmups", "0", "--ignore-eos",
                              "--store", store, *load], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began = time.monotonic_ns()  # before the run's first request: nothing can be lost of the time before
    give_up = time.monotonic() + LIMIT_S
    while not (fresh := [r for r in stored(binary, store) if r["id"] not in known]):
        began = time.monotonic_ns()
        if time.monotonic() > give_up:
            raise TimeoutError("the bench did not begin")
    time.sleep(0.3 + rng.random() * 3.7)
    killed = time.monotonic_ns()
    bench.kill()
    bench.wait(timeout=LIMIT_S)
    known.add(fresh[0]["id"])
    listed = next(r for r in stored(binary, store) if r["id"] == fresh[0]["id"])
    assert listed["status"] == "interrupted", listed
    report = json.loads(run(binary, "runs", "show", fresh[0]["id"], "--store", store, "--json"))
    assert "interrupted" in [w["code"] for w in report["warnings"]], report["warnings"]
    return (killed - max(began, report["window"]["to_monotonic_ns"])) / 1e9


def main() -> int:
    binary, kills = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(10**6)
    limit = float(sys.argv[4]) if len(sys.argv) > 4 else 1
    rng = random.Random(seed)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="scoville-kill9-") as folder:
        port = Path(folder, "port")
        server = subprocess.Popen([binary, "serve", "--scripted", "ttft=20ms,itl=5ms,tokens=4000", "--port", "0",
                                   "--port-file", str(port)], stderr=subprocess.DEVNULL)
        try:
            while not port.exists():
                time.sleep(0.01)
            url = "http://127.0.0.1:" + port.read_text().strip()
            known: set = set()
            lost = sorted(kill_once(binary, url, str(Path(folder, "runs.db")), rng, known) for _ in range(kills))
        finally:
            server.terminate()
            server.wait(timeout=LIMIT_S)
    print(f"{kills} kills, every store opened; lost: median {lost[kills // 2]:.3f} s, most {lost[-1]:.3f} s")
    return 0 if lost[-1] <= limit else 1


if __name__ == "__main__":
    sys.exit(main())

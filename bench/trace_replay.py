#!/usr/bin/env python3
"""Replays a trace shaped like Mooncake's against the scripted endpoint, and says whether it kept its times.

    bench/trace_replay.py build/release/scoville [ROWS [SPEED]]

The rows are made here: arrivals at 6.56/s (the tool and agent trace of Mooncake: 23,608 in an hour), lognormal lengths with
Mooncake's means (7,590 tokens in, 182 out), and sessions that grow by whole blocks of 512 tokens, so that prompts share what
real ones would. Prints one JSON object.
"""

import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

RATE, INPUT, OUTPUT, BLOCK = 6.56, 7590, 182, 512


def lognormal(rng: random.Random, mean: float, sigma: float) -> int:
    return max(1, round(rng.lognormvariate(math.log(mean) - sigma * sigma / 2, sigma)))


def rows_of(count: int):
    """Half of the rows go on with one of the last sessions: its blocks, then new ones."""
    rng = random.Random(7)
    at, next_block, sessions = 0.0, 0, []
    for _ in range(count):
        at += rng.expovariate(RATE)
        length = min(lognormal(rng, INPUT, 0.8), 120_000)
        blocks = list(rng.choice(sessions)) if sessions and rng.random() < 0.5 else [0]
        length = max(length, len(blocks) * BLOCK + 1)
        while len(blocks) < math.ceil(length / BLOCK):
            next_block += 1
            blocks.append(next_block)
        sessions = (sessions + [blocks[: len(blocks) // 2 + 1]])[-200:]
        yield {"timestamp": round(at * 1000), "input_length": length, "output_length": min(lognormal(rng, OUTPUT, 0.9), 2000), "hash_ids": blocks}


def main() -> int:
    binary, count, speed = sys.argv[1], int((sys.argv[2:] or ["100000"])[0]), (sys.argv[3:] or ["50"])[0]
    with tempfile.TemporaryDirectory() as folder:
        trace, port = Path(folder, "trace.jsonl"), Path(folder, "port")
        with open(trace, "w") as file:
            for row in rows_of(count):
                file.write(json.dumps(row) + "\n")
        server = subprocess.Popen([binary, "serve", "--scripted", "ttft=100ms,itl=5ms,tokens=2000", "--port", "0", "--port-file", str(port)],
                                  stderr=subprocess.PIPE, text=True)
        try:
            server.stderr.readline()
            done = subprocess.run([binary, "bench", "--base-url", f"http://127.0.0.1:{port.read_text().strip()}", "--dataset-path", str(trace),
                                   "--trace-speed", speed, "--store", str(Path(folder, "runs.db")), "--json"], stdout=subprocess.PIPE, text=True)
        finally:
            server.terminate()
        if done.returncode != 0:
            return done.returncode
        run = json.loads(done.stdout)
        print(json.dumps({"rows": count, "speed": float(speed), "offered_per_s": run["load"]["offered_per_s"], "schedule_met": run["load"]["schedule_met"],
                          "requests": run["requests"], "lateness": run["lateness"], "instrument": run["instrument"]["verdict"],
                          "reasons": run["instrument"]["reasons"], "busiest_second": run["instrument"]["loop_busy_share"],
                          "prompt_tokens": run["dataset"]["prompt_tokens"], "warnings": [each["code"] for each in run["warnings"]]}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())

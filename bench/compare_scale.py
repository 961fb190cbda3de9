#!/usr/bin/env python3
"""How long a comparison of large stored runs takes: once with their statistics to be computed, then from the cache.

    compare_scale.py SCOVILLE STORE_SCALE [RUNS [REQUESTS [TOKENS]]]      (2 × 10 runs of 100,000 requests of 10 tokens)

The records are made ones (bench/store_scale.cpp); plan and fingerprint come from a short real run. The two are timed in one
go, so their ratio holds on a busy machine too.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "e2e"))
import harness  # noqa: E402


def made_store(scale: str, folder: Path, runs: int, requests: int, tokens: int) -> str:
    """Two tags of made runs, each with the documents of a real one."""
    file = str(folder / "runs.db")
    with harness.Server("ttft=1ms,itl=1ms,tokens=4") as server:
        done = harness.scoville("bench", "--base-url", server.url, "--num-prompts", "20", "--request-rate", "200", "--random-input-len",
                                "16", "--random-output-len", "4", "--store", file, "--disable-tqdm")
        assert done.returncode == 0, done.stderr
    for _ in range(2 * runs):
        subprocess.run([scale, file, str(requests), str(tokens)], check=True, stdout=subprocess.DEVNULL)
    store = sqlite3.connect(file)
    (real, real_id), *made = store.execute("SELECT number, id FROM run ORDER BY number").fetchall()
    documents = store.execute("SELECT name, body FROM document WHERE run = ? AND name IN ('manifest', 'outcome')", (real,)).fetchall()
    for place, (number, run_id) in enumerate(made):
        store.execute("UPDATE run SET tag = ? WHERE number = ?", ("ab"[place >= runs], number))
        for name, body in documents:
            body = body.replace('"num_prompts":20', f'"num_prompts":{requests}').replace(real_id, run_id)
            store.execute("INSERT OR REPLACE INTO document VALUES (?, ?, ?)", (number, name, body))
    store.commit()
    store.close()
    return file


def compared(file: str) -> float:
    began = time.perf_counter()
    done = harness.scoville("compare", "a", "b", "--primary", "ttft", "--store", file, "--json")
    assert done.returncode in (0, 4), done.stdout[-2000:] + done.stderr
    return time.perf_counter() - began


def main():
    harness.binary = os.path.abspath(sys.argv[1])
    harness.LIMIT_S = 600
    runs, requests, tokens = (int(each) for each in (*sys.argv[3:], *("10", "100000", "10")[len(sys.argv) - 3:]))
    with tempfile.TemporaryDirectory(prefix="scoville-bench-") as folder:
        file = made_store(os.path.abspath(sys.argv[2]), Path(folder), runs, requests, tokens)
        first, *cached = [compared(file) for _ in range(4)]
        print(f"2 x {runs} runs of {requests} requests, store of {os.path.getsize(file) / 1e6:.0f} MB")
        print(f"statistics computed {first:.2f} s; from the cache {min(cached):.3f} s (of {len(cached)}); ratio {first / min(cached):.0f}")


if __name__ == "__main__":
    main()

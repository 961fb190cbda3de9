#!/usr/bin/env python3
"""A small probe (docs/formats/probe.md): copying a bytearray, and products in plain Python for tiny shapes."""

import json
import random
import statistics
import sys
import time


def timed(call):
    first = None
    samples = []
    while len(samples) < 5:
        begin = time.perf_counter_ns()
        call()
        samples.append(time.perf_counter_ns() - begin)
        first = first or samples[0]
    low, middle, high = statistics.quantiles(samples, n=4)
    return {"mode": "hot", "n": 5, "k": 1, "first_call_ns": first, "min_ns": min(samples), "median_ns": middle,
            "noisy": high - low > 0.1 * middle}


def bandwidth(params):
    for size in params["bytes"]:
        source, target = bytearray(b"x" * size), bytearray(size)
        if "copy" in params["operations"] and "regular" in params["stores"]:
            hot = timed(lambda: target.__setitem__(slice(None), source))
            yield {"operation": "copy", "stores": "regular", "array_bytes": size, "moved_bytes": 2 * size,
                   "checked": target == source, "hot": hot}


def gemm(params):
    for shape in params["shapes"]:
        m, n, k = shape["m"], shape["n"], shape["k"]
        row = {**shape, "dtype": params["dtypes"][0], "threads": 1}
        if m * n * k > 1 << 18 or row["dtype"] != "fp64":
            yield {**row, "fault": {"reason": "unsupported", "message": "only small products of fp64 here"}}
            continue
        a, b = ([[random.gauss(0, 1) for _ in range(k)] for _ in range(rows)] for rows in (m, n))
        yield {**row, "hot": timed(lambda: [[sum(map(float.__mul__, x, y)) for y in b] for x in a])}


def describe():
    return {"protocol": 1, "probe": "small-probe", "version": "1", "stack": {"python": sys.version.split()[0]},
            "devices": [{"id": "cpu", "kind": "cpu", "name": None}], "asks": ["bandwidth", "gemm"], "dtypes": ["fp64"]}


for line in sys.stdin:
    asked = json.loads(line)
    say = lambda **what: print(json.dumps({"id": asked["id"], **what}), flush=True)
    if asked["ask"] == "describe":
        say(result=describe())
    elif asked["ask"] in ("bandwidth", "gemm"):
        for row in {"bandwidth": bandwidth, "gemm": gemm}[asked["ask"]](asked["params"]):
            say(row=row)
        say(result={})
    else:
        say(error={"reason": "not_implemented", "message": f"no {asked['ask']} here"})

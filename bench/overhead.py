#!/usr/bin/env python3
"""The measurements of docs/overhead.md: how exact Scoville is and what it costs, beside bare loops in the same run.

    overhead.py [--quick] [--part NAME …] [--build DIR] [--out DIR] [--no-realtime] [--check]

Everything runs on loopback, bounded in time and count. Tables go to standard output and OUT/results.md, the same as
numbers to OUT/results.json, progress to standard error. Exit 0 when all was measured, whatever the figures; 1 when a
part failed; with --check 3 when a figure was not reached.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

from accuracy import overhead
from cost import client_cpu, endpoint_cpu, memory, send_lag, startup
from figure import Figure
from micro import micro
from processes import Bench

PARTS = {part.__name__: part for part in (startup, micro, overhead, client_cpu, endpoint_cpu, send_lag, memory)}


def arguments() -> argparse.Namespace:
    listed = "\n".join(f"  {name:13} {part.__doc__.splitlines()[0]}" for name, part in PARTS.items())
    parser = argparse.ArgumentParser(
        description="parts:\n" + listed, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", action="append", choices=PARTS, metavar="NAME", help="only this part (repeatable)")
    parser.add_argument("--quick", action="store_true", help="all parts in under two minutes (full: about 18)")
    parser.add_argument(
        "--build", type=Path, default=Path("build/release"), help="where the programs are (build/release)"
    )
    parser.add_argument("--out", type=Path, default=Path("build/bench"), help="where the results go (build/bench)")
    parser.add_argument("--no-realtime", action="store_true", help="never use SCHED_FIFO, also where it is allowed")
    parser.add_argument("--check", action="store_true", help="exit 3 when a figure was not reached")
    return parser.parse_args()


def machine(bench: Bench) -> dict:
    version = subprocess.run(
        [bench.program("scoville"), "--version"], capture_output=True, text=True, check=True
    ).stdout
    models = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "scoville": ", ".join(version.split("\n")).strip(", "),
        "cpu": models[0] if models else platform.machine(),
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "load_before": os.getloadavg()[0],
        "pinning": "endpoint on CPU 1, client on CPU 0" if bench.pins else "none: the processes share the cores",
        "scheduling": "SCHED_FIFO for both, ahead of other work" if bench.is_realtime else "shared with all other work",
        "mode": "quick" if bench.is_quick else "full",
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
    }


def measure(bench: Bench, name: str) -> list[Figure]:
    """The figures of one part; the first carries its commands."""
    print(f"overhead: {name} …", file=sys.stderr, flush=True)
    bench.commands.clear()
    started = time.monotonic()
    figures = PARTS[name](bench)
    figures = figures if isinstance(figures, list) else [figures]
    figures[0].commands = list(bench.commands)
    figures[0].seconds = time.monotonic() - started
    print(f"overhead: {name} took {figures[0].seconds:.0f} s", file=sys.stderr, flush=True)
    return figures


def render(facts: dict, figures: list[Figure]) -> str:
    head = "\n".join(f"- {key.replace('_', ' ')}: {value}" for key, value in facts.items())
    return f"# Results of bench/run.sh\n\n{head}\n\n" + "\n".join(figure.markdown() for figure in figures)


def main() -> int:
    args = arguments()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    figures, failed = [], False
    with tempfile.TemporaryDirectory(prefix="scoville-bench-") as scratch:
        bench = Bench(args.build.resolve(), Path(scratch), args.quick)
        bench.is_realtime = bench.is_realtime and not args.no_realtime
        facts = machine(bench)
        for name in args.part or PARTS:
            try:
                figures += measure(bench, name)
            except (RuntimeError, OSError, ValueError, KeyError, subprocess.SubprocessError) as error:
                print(f"overhead: {name} failed: {error}", file=sys.stderr)
                failed = True
    facts["load_after"] = os.getloadavg()[0]
    text = render(facts, figures)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "results.md").write_text(text)
    (args.out / "results.json").write_text(
        json.dumps({"machine": facts, "figures": [asdict(f) for f in figures]}, indent=1)
    )
    print(text)
    if failed:
        return 1
    missed = any(goal.reached is False for figure in figures for goal in figure.goals)
    return 3 if args.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""What the client and the endpoint cost: CPU per event, send lag, memory, start-up, beside bare loops."""

import json
import os
import statistics
import subprocess
import time
from typing import Callable

from figure import Figure, Goal, micros
from processes import Bench, Endpoint, finish, memory_bytes

CPU_LIMIT = 1.25
TOKENS = 100
# Streams begin at random within 100 ms, so that events are spread alike for both clients: how many of them one wake-up
# serves decides the CPU per event more than anything else does.
SPREAD_SCRIPT = f"ttft=50ms,ttft_dist=uniform,itl=10ms,tokens={TOKENS}"


def pairs_of(bench: Bench) -> int:
    return 2 if bench.is_quick else 5


def in_pairs(count: int, first: Callable[[], dict], second: Callable[[], dict]) -> list[tuple[dict, dict]]:
    return [(first(), second()) for _ in range(count)]


def ratio_rows(out: Figure, c: int, pairs: list[tuple[dict, dict]]) -> None:
    """One row a pair, the median of their ratios as goal. First the yardstick, then ours."""
    ratios = []
    for bare, ours in pairs:
        ratios.append(ours["cpu_ns_per_event"] / bare["cpu_ns_per_event"])
        out.rows.append(
            [
                str(c),
                *(f"{each['cpu_ns_per_event']:,.0f}" for each in (bare, ours)),
                f"{ratios[-1]:.3f}",
                *(f"{each['events']:,}" for each in (bare, ours)),
                bare["more"],
                ours["more"],
            ]
        )
        out.data.append({"c": c, "bare": bare, "ours": ours, "ratio": ratios[-1]})
    median = statistics.median(ratios)
    out.goals.append(
        Goal(
            f"CPU per event at c = {c}, median of {len(pairs)} pairs",
            f"<= {CPU_LIMIT}",
            f"{median:.3f}",
            median <= CPU_LIMIT,
        )
    )


def client_cpu(bench: Bench) -> Figure:
    """CPU of the client per paced event beside a bare loop with stamps, at 10,000 and 100,000 events/s."""
    seconds = 1 if bench.is_quick else 20
    out = Figure(
        "client_cpu",
        "CPU of the client per event, beside a bare epoll + recvmsg loop with stamps",
        [
            "c",
            "bare ns",
            "scoville ns",
            "ratio",
            "bare events",
            "scoville events",
            "bare reads/event, process CPU s",
            "scoville busy, process CPU s",
        ],
    )

    def bare(endpoint: Endpoint, c: int) -> dict:
        done = bench.client(
            bench.program("bare_receive_loop"),
            "--port",
            endpoint.port,
            "--connections",
            c,
            "--seconds",
            seconds,
            "--tokens",
            TOKENS,
            limit_s=seconds + 30,
        )
        result = done.json()
        return result | {
            "process_cpu_ns": done.cpu_ns,
            "more": f"{result['reads'] / result['events']:.3f}, {done.cpu_ns / 1e9:.2f}",
        }

    def ours(endpoint: Endpoint, c: int) -> dict:
        done = bench.load(
            endpoint,
            "--max-concurrency",
            c,
            "--duration",
            f"{seconds}s",
            "--random-output-len",
            TOKENS,
            "--num-warmups",
            0,
            limit_s=seconds + 60,
        )
        run = json.loads(done.output)
        cpu, events = run["instrument"]["cpu_ns"], run["requests"]["attempted"] * TOKENS
        return {
            "cpu_ns": cpu,
            "events": events,
            "cpu_ns_per_event": cpu / events,
            "process_cpu_ns": done.cpu_ns,
            "emit": run["emit"],
            "verdict": run["instrument"]["verdict"],
            "more": f"{run['instrument']['loop_busy_mean'] or 0:.0%}, {done.cpu_ns / 1e9:.2f}",
        }

    for c in (100, 1000):
        with Endpoint(bench, SPREAD_SCRIPT) as endpoint:
            ratio_rows(out, c, in_pairs(pairs_of(bench), lambda: bare(endpoint, c), lambda: ours(endpoint, c)))
            lags = endpoint.emit_lag_ns()
        out.notes.append(f"endpoint's emit lag at c = {c}: p50 {micros(lags[0])} µs, p99 {micros(lags[1])} µs")
    out.notes.append(
        "CPU is that of the load thread while it loads; the process as a whole also starts, analyses and reports"
    )
    return out


def endpoint_cpu(bench: Bench) -> Figure:
    """CPU of the endpoint per event beside a bare paced send loop, read by the same bare client."""
    tokens = 200 if bench.is_quick else 1000
    out = Figure(
        "endpoint_cpu",
        "CPU of the scripted endpoint per event, beside a bare paced send loop",
        [
            "c",
            "bare ns",
            "endpoint ns",
            "ratio",
            "bare events",
            "endpoint events",
            "bare emit lag p50, p99 µs",
            "endpoint emit lag p50, p99 µs",
        ],
    )

    def receive(port: int, c: int) -> None:
        bench.client(
            bench.program("bare_receive_loop"),
            "--port",
            port,
            "--connections",
            c,
            "--seconds",
            1,
            "--tokens",
            tokens,
            "--spread-us",
            10_000,
            limit_s=tokens / 100 + 30,
        )

    def bare(c: int) -> dict:
        sender = bench.start(
            bench.pinned(1, [bench.program("bare_send_loop"), "--connections", c, "--tokens", tokens]),
            stdout=subprocess.PIPE,
        )
        try:
            receive(int(sender.stdout.readline()), c)
            result = finish(sender, 10).json()
        finally:
            sender.kill()
            sender.wait()
        lag = result["emit_lag_ns"]
        return result | {"more": f"{micros(lag['p50'])}, {micros(lag['p99'])}"}

    def ours(c: int) -> dict:
        with Endpoint(bench, f"ttft=10ms,itl=10ms,tokens={tokens}") as endpoint:
            before = endpoint.cpu_ns()
            receive(endpoint.port, c)
            cpu, events, lags = endpoint.cpu_ns() - before, endpoint.events(), endpoint.emit_lag_ns()
        return {
            "cpu_ns": cpu,
            "events": events,
            "cpu_ns_per_event": cpu / events,
            "more": f"{micros(lags[0])}, {micros(lags[1])}",
        }

    for c in (100, 1000):
        ratio_rows(out, c, in_pairs(pairs_of(bench), lambda: bare(c), lambda: ours(c)))
    out.notes.append(
        f"{tokens} events a stream; the endpoint's figure also holds its accepts and requests, the bare loop's "
        "its paced sends alone"
    )
    return out


def send_lag(bench: Bench) -> Figure:
    """Send lag at 5,000 requests/s open loop beside a spin-wait floor."""
    seconds, rate = (3 if bench.is_quick else 10), 5000
    out = Figure(
        "send_lag", f"Send lag at {rate:,} requests/s, open loop", ["", "requests", "p50 µs", "p99 µs", "max µs"]
    )
    with Endpoint(bench, "ttft=1ms,itl=1ms,tokens=1") as endpoint:
        floor = bench.client(
            bench.program("spin_send_floor"),
            "--port",
            endpoint.port,
            "--rate",
            rate,
            "--seconds",
            seconds,
            limit_s=seconds + 30,
        ).json()
        for arrivals in ("constant", "poisson"):
            done = bench.load(
                endpoint,
                "--request-rate",
                rate,
                "--arrivals",
                arrivals,
                "--duration",
                f"{seconds}s",
                "--random-output-len",
                1,
                limit_s=seconds + 60,
            )
            run = json.loads(done.output)
            if arrivals == "constant":
                add_lags(out, "spinning loop, constant", floor["requests"], floor["send_lag_ns"])
            add_lags(out, f"scoville, {arrivals}", run["requests"]["attempted"], run["instrument"]["send_lag_ns"])
            out.data[-1] |= {"verdict": run["instrument"]["verdict"], "achieved_per_s": run["load"]["achieved_per_s"]}
    out.notes.append(
        "the spinning loop does nothing else and spins for the last 120 µs: what is left is the machine's own jitter"
    )
    return out


def add_lags(out: Figure, who: str, requests: int, lags: dict) -> None:
    out.rows.append([who, f"{requests:,}", *(micros(lags[key], 2) for key in ("p50", "p99", "max"))])
    out.data.append({"who": who, "requests": requests, "send_lag_ns": lags})


def startup(bench: Bench) -> Figure:
    """`scoville --version`, from spawn to reaped, beside /bin/true."""
    runs = 50
    out = Figure("startup", f"Start-up, {runs} runs", ["", "median ms", "largest ms"])

    ahead = {"scheduler": (os.SCHED_FIFO, os.sched_param(10))} if bench.is_realtime else {}

    def one(words: list[str]) -> float:
        started = time.perf_counter_ns()
        pid = os.posix_spawn(
            words[0], words, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)], **ahead
        )
        _, status = os.waitpid(pid, 0)
        took = time.perf_counter_ns() - started
        if status != 0:
            raise RuntimeError(f"{words[0]}: status {status}")
        return took / 1e6

    for words in ([bench.program("scoville"), "--version"], ["/bin/true"]):
        bench.note(words)
        times = [one(words) for _ in range(runs)]
        name = " ".join([os.path.basename(words[0]), *words[1:]])
        out.rows.append([name, f"{statistics.median(times):.2f}", f"{max(times):.2f}"])
        out.data.append({"command": name, "median_ms": statistics.median(times), "max_ms": max(times)})
    median = out.data[0]["median_ms"]
    out.goals.append(Goal("scoville --version", "< 10 ms", f"{median:.2f} ms", median < 10))
    return out


def memory(bench: Bench) -> Figure:
    """Memory of the client per concurrent stream, 10,000 in one process, plain and over TLS."""
    out = Figure(
        "memory",
        "Memory of the client per concurrent stream (20 events each, 24 bytes an event)",
        ["", "streams at once", "peak MiB", "peak at 100 streams, MiB", "bytes per stream"],
    )
    tls = ["--cert", str(bench.scratch / "cert.pem"), "--key", str(bench.scratch / "key.pem")]
    make_certificate(bench)
    for name, more, streams, limit in (
        ("plain", [], 10_000, 8192),
        ("TLS", tls, 2000 if bench.is_quick else 10_000, 32768),
    ):
        base, full = (many_streams(bench, count, more) for count in (100, streams))
        each = (full["peak"] - base["peak"]) / (streams - 100)
        out.rows.append(
            [
                name,
                f"{full['in_flight']:,}",
                f"{full['peak'] / 2**20:.1f}",
                f"{base['peak'] / 2**20:.1f}",
                f"{each:,.0f}",
            ]
        )
        out.data.append({"transport": name, "streams": streams, "bytes_per_stream": each, "full": full, "base": base})
        all_ran = full["in_flight"] == streams
        out.goals.append(
            Goal(
                f"{name}, {streams:,} streams at once",
                f"<= {limit:,} B each",
                f"{each:,.0f} B each",
                each <= limit if all_ran else None,
            )
        )
    out.notes.append("peak = VmHWM over the whole run, so that records, analysis and report are in it too")
    return out


def make_certificate(bench: Bench) -> None:
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=127.0.0.1",
            "-keyout",
            bench.scratch / "key.pem",
            "-out",
            bench.scratch / "cert.pem",
        ],
        check=True,
        capture_output=True,
    )


def many_streams(bench: Bench, streams: int, tls: list[str]) -> dict:
    """One run with all its requests in flight at once, and the largest memory that its process had."""
    with Endpoint(bench, "ttft=2s,itl=50ms,tokens=20", *tls) as endpoint:
        words = [
            bench.program("scoville"),
            "bench",
            "--base-url",
            endpoint.url,
            "--max-concurrency",
            streams,
            "--num-prompts",
            streams,
            "--num-warmups",
            0,
            "--random-input-len",
            32,
            "--random-output-len",
            20,
            "--ignore-eos",
            *(["--insecure"] if tls else []),
            "--store",
            bench.scratch / "runs.db",
            "--json",
        ]
        client = bench.start(bench.pinned(0, words), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        peak, give_up = 0, time.monotonic() + 90
        while client.poll() is None and time.monotonic() < give_up:
            peak = max(peak, memory_bytes(client.pid, "VmHWM"))
            time.sleep(0.01)
        run = json.loads(finish(client, 5).output)
    if run["requests"]["succeeded"] != streams:
        raise RuntimeError(f"only {run['requests']['succeeded']} of {streams} streams were answered")
    return {"peak": peak, "in_flight": run["load"]["in_flight"]["peak"]}

"""How far the client's times are from the truth: the published overhead test, beside a bare loop and the peers."""

import json

from figure import Figure, Goal, micros, millis
from processes import Bench, Endpoint

SCRIPT = "ttft=50ms,itl=10ms,tokens=100"
TTFT_NS, ITL_NS = 50e6, 10e6
LATE_NS = 1e6
# TTFT error in ms at each concurrency: vllm-bench's published bench-overhead, three trials on a 4-core machine.
PEERS = {1: (3.8, 2.6), 10: (5.2, 2.7), 100: (23.4, 3.5), 500: (137, 19.9), 1000: (294, 28.1)}
P99_LIMIT_NS, SD_LIMIT_NS = 50e3, 20e3


def overhead(bench: Bench) -> list[Figure]:
    """TTFT 50 ms, ITL 10 ms, 100 tokens, c = 1 … 1000: error against the logged emit times and the nominal ones."""
    seconds = 2 if bench.is_quick else 30
    out = Figure(
        "overhead",
        f"Error of the client, {seconds} s a row",
        [
            "c",
            "events",
            "error p50 µs",
            "p99 µs",
            "max µs",
            "ICL error sd µs",
            "bare loop p99 µs",
            "bare sd µs",
            "endpoint emit lag p99 µs",
            "instrument",
        ],
    )
    nominal = Figure(
        "nominal",
        "Against the nominal times, beside the peers' published figures",
        [
            "c",
            "TTFT mean − 50 ms, ms",
            "ICL mean − 10 ms, µs",
            "vLLM (Python) TTFT, ms",
            "vllm-bench (Rust) TTFT, ms",
            "",
        ],
    )
    for c in PEERS:
        measured = one_row(bench, c, seconds)
        out.data.append(measured)
        late = "endpoint late" if measured["endpoint_late"] else ""
        emit, bare = measured["emit"], measured["bare"]
        out.rows.append(
            [
                str(c),
                f"{emit['n']:,}",
                *(micros(emit["error_ns"][key]) for key in ("p50", "p99", "max")),
                micros(emit["icl_error_sd_ns"]),
                micros(bare["error_ns"]["p99"]) if bare else "–",
                micros(bare["icl_error_sd_ns"]) if bare else "–",
                micros(measured["emit_lag_p99_ns"], 0) + (f" **{late}**" if late else ""),
                measured["verdict"],
            ]
        )
        nominal.rows.append(
            [str(c), millis(measured["ttft_error_ns"]), micros(measured["icl_error_ns"]), *map(str, PEERS[c]), late]
        )
    for key, limit, what in (("p99", P99_LIMIT_NS, "error p99"), ("sd", SD_LIMIT_NS, "ICL error sd")):
        out.goals += [goal(each, key, limit, f"{what} at c = {each['c']}") for each in out.data]
    out.notes += [
        "the bare loop is bare_receive_loop --emit at the same c: what stamps are worth when nothing is in their way",
        "endpoint late: the endpoint's own emit lag p99 is over 1 ms, so that the row says little of the client",
    ]
    return [out, nominal]


def one_row(bench: Bench, c: int, seconds: int) -> dict:
    bare = None
    if c in (1, 100, 1000):
        with Endpoint(bench, SCRIPT) as endpoint:
            bare = bench.client(
                bench.program("bare_receive_loop"),
                "--port",
                endpoint.port,
                "--connections",
                c,
                "--seconds",
                seconds,
                "--tokens",
                100,
                "--emit",
                limit_s=seconds + 20,
            ).json()["emit"]
    with Endpoint(bench, SCRIPT) as endpoint:
        done = bench.load(
            endpoint,
            "--max-concurrency",
            c,
            "--duration",
            f"{seconds}s",
            "--random-output-len",
            100,
            limit_s=seconds + 60,
        )
        run = json.loads(done.output)
        lag = endpoint.emit_lag_ns()[1]
    return {
        "c": c,
        "emit": run["emit"],
        "bare": bare,
        "verdict": run["instrument"]["verdict"],
        "reasons": run["instrument"]["reasons"],
        "emit_lag_p99_ns": lag,
        "endpoint_late": lag > LATE_NS,
        "ttft_error_ns": run["metrics"]["ttft"]["mean"] - TTFT_NS,
        "icl_error_ns": run["metrics"]["icl"]["mean"] - ITL_NS,
    }


def goal(measured: dict, key: str, limit: float, what: str) -> Goal:
    value = measured["emit"]["error_ns"]["p99"] if key == "p99" else measured["emit"]["icl_error_sd_ns"]
    reached = value < limit
    if not reached and measured["endpoint_late"]:
        reached = None
    return Goal(what, f"< {micros(limit, 0)} µs", f"{micros(value)} µs", reached)

"""The micro benchmarks: ns per event of each step from bytes to record."""

import json

from figure import Figure
from processes import Bench

STEPS = {
    "copy_alone": "copy of the bytes (in every row below)",
    "sse_parser": "SseParser::feed",
    "response_parser": "ResponseParser::feed, one HTTP chunk",
    "delta_template": "DeltaTemplate::match",
    "json_and_dialect": "JsonReader::read + Dialect::interpret",
    "whole_path": "HTTP → SSE → template → Assembler",
}


def micro(bench: Bench) -> Figure:
    """Google Benchmark over the parsing steps."""
    out = Figure("micro", "Steps of the hot path", ["step", "ns per event (median of 5)"])
    done = bench.client(
        bench.program("micro"),
        "--benchmark_format=json",
        "--benchmark_repetitions=5",
        "--benchmark_report_aggregates_only=true",
        f"--benchmark_min_time={0.05 if bench.is_quick else 0.5}",
        limit_s=120,
    )
    for each in json.loads(done.output)["benchmarks"]:
        if each["aggregate_name"] != "median":
            continue
        nanos = 1e9 / each["items_per_second"]
        out.rows.append([STEPS[each["run_name"]], f"{nanos:.1f}"])
        out.data.append({"step": each["run_name"], "ns_per_event": nanos})
    out.notes.append("an event is one chunk of about 230 bytes, as the scripted endpoint and vLLM send them")
    return out

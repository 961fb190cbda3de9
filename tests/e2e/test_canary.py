#!/usr/bin/env python3
"""Two fleets by their metrics: files, exported ranges, URLs.    test_canary.py BINARY"""

import http.server
import json
import os
import tempfile
import threading
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, scoville

ROOT = Path(__file__).resolve().parents[2]
HOUR = 3600


def exposition(requests: float, failed: float, late: float, pod: str = "a") -> str:
    """vLLM's words after so many requests, some of them failed, some of the rest with a late first token."""
    name = "vllm:time_to_first_token_seconds_bucket"
    return (f'# TYPE vllm:request_success_total counter\nvllm:request_success_total{{finished_reason="stop",pod="{pod}"}} {requests - failed}\n'
            f'http_requests_total{{status="5xx",pod="{pod}"}} {failed}\n{name}{{le="2.0",pod="{pod}"}} {requests - failed - late}\n'
            f'{name}{{le="+Inf",pod="{pod}"}} {requests - failed}\n')


class Fleet(http.server.ThreadingHTTPServer):
    """A /metrics that moves on by so much with each scrape."""

    def __init__(self, *step: float):
        self.step, self.scrapes = step, 0
        super().__init__(("127.0.0.1", 0), Metrics)
        self.url = f"http://127.0.0.1:{self.server_port}/metrics"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Metrics(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = exposition(*(self.server.scrapes * each for each in self.server.step)).encode()
        self.server.scrapes += 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Canary(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="scoville-canary-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def scrapes(self, name: str, *step: float, count: int = 26, apart: float = HOUR, reset_at: int = 0) -> str:
        """A folder of scrapes; at `reset_at` the process began anew."""
        folder = self.folder / name
        folder.mkdir()
        for i in range(count):
            path = folder / f"{i:03}.prom"
            path.write_text(exposition(*((i - (reset_at if i >= reset_at else 0)) * each for each in step)))
            os.utime(path, (1_700_000_000 + i * apart,) * 2)
        return str(folder)

    def test_equal_fleets_go_on_to_the_next_step(self):
        args = (self.scrapes("old", 2400, 2, 100), self.scrapes("new", 2400, 2, 100), "--slo", "ttft:2000")
        seen = self.report("canary", *args)
        self.assertEqual((seen["schema"], seen["verdict"], seen["next_step"]), ("scoville.canary/1", "go_on", 5))
        self.assertEqual([each["state"] for each in seen["tests"]], ["not_inferior", "not_inferior"])
        self.assertEqual((seen["engine"], seen["requests"], seen["seen_ns"]), ("vllm", 60000, 25 * HOUR * 10**9))
        self.assertIsNone(self.report("canary", *args, "--step", "25")["next_step"])
        self.assertEqual(self.report("canary", *args, "--test", "sprt")["verdict"], "go_on")
        self.assertTrue(scoville("canary", *args).stdout.startswith("Go on: "))
        self.assertTrue(scoville("canary", *args, "--lang", "zh").stdout.startswith("继续"))

    def test_without_a_limit_it_speaks_of_errors_alone(self):
        old = self.scrapes("old", 2400, 2, 100)
        text, with_limit = scoville("canary", old, old).stdout, scoville("canary", old, old, "--slo", "ttft:2000").stdout
        self.assertTrue(text.startswith("Go on: errors are not inferior"), text)
        self.assertIn("no latency limit was tested", text)
        self.assertNotIn("attainment", text)
        self.assertIn("attainment", with_limit)
        self.assertNotIn("no latency limit", with_limit)
        self.assertIn("未检验", scoville("canary", old, old, "--lang", "zh").stdout)

    def test_the_p_value_beside_a_row_is_of_the_counts_of_that_row(self):
        old = self.scrapes("old", 24000, 2, 100)  # far more comes after the look that decides
        test = self.report("canary", old, old)["tests"][0]
        look = test["look"]
        self.assertEqual((test["state"], look["number"] <= 5), ("not_inferior", True))
        self.assertLess(look["base"]["requests"], test["base"]["requests"])
        row = next(line for line in scoville("canary", old, old).stdout.splitlines() if "errors" in line and "/5" in line)
        self.assertIn(f"({look['base']['events']:.0f}/{look['base']['requests']:.0f})", row)
        self.assertIn(f"{look['noninferior_p']:.2g}", row)

    def test_doubled_errors_and_late_first_tokens_roll_back(self):
        old = self.scrapes("old", 2400, 2, 100)
        errors = self.report("canary", old, self.scrapes("errors", 2400, 9, 100), "--slo", "ttft:2000", status=3)
        self.assertEqual((errors["verdict"], errors["reason"], errors["tests"][0]["state"]), ("roll_back", "worse", "worse"))
        late = self.report("canary", old, self.scrapes("late", 2400, 2, 170), "--slo", "ttft:2000", status=3)
        self.assertEqual([each["state"] for each in late["tests"]][1], "worse")
        self.assertEqual(self.report("canary", old, old, "--accuracy-alarm", status=3)["reason"], "accuracy_alarm")

    def test_too_few_requests_or_too_short_a_time_keeps_watching(self):
        few = self.report("canary", self.scrapes("old", 10, 0, 0), self.scrapes("new", 10, 0, 0), status=4)
        self.assertEqual((few["verdict"], few["reason"], few["looks_made"]), ("keep_watching", "not_enough", 0))
        self.assertEqual(few["more_requests"], -(-few["planned_requests"] // 5) - 250)
        fast = self.report("canary", self.scrapes("old2", 24000, 20, 0, count=4), self.scrapes("new2", 24000, 20, 0, count=4), status=4)
        self.assertEqual(fast["reason"], "too_short")
        short = self.report("canary", str(self.folder / "old2"), str(self.folder / "new2"), "--at-least", "2h")
        self.assertEqual(short["verdict"], "go_on")

    def test_the_sizes_an_arm_are_those_of_the_plan(self):
        old = self.scrapes("old", 10, 0, 0)
        for args, size in ((("--looks", "1"), 18519), (("--looks", "1", "--error-margin", "0.4%"), 2311),
                           (("--looks", "1", "--error-margin", "0.4%", "--slo", "ttft:2000"), 6426),
                           (("--looks", "1", "--expected-errors", "0.5%", "--error-margin", "0.5%"), 3681)):
            self.assertEqual(self.report("canary", old, old, *args, status=4)["planned_requests"], size)

    def test_a_process_that_began_anew_loses_nothing(self):
        whole = self.report("canary", self.scrapes("old", 2400, 2, 100), self.scrapes("new", 2400, 2, 100, reset_at=13))
        self.assertEqual(whole["tests"][0]["candidate"]["requests"], 2400 * 24)  # 12 steps, and 12 from 0 on; what was between two scrapes is lost
        self.assertEqual(whole["verdict"], "go_on")

    def test_a_long_breach_of_the_99th_percentile_rolls_back_unless_it_is_the_load(self):
        good, bad = self.scrapes("good", 300, 0, 1, apart=60), self.scrapes("bad", 300, 0, 15, apart=60)
        seen = self.report("canary", good, bad, "--p99", "ttft:2s", status=3)
        self.assertEqual((seen["reason"], len(seen["breaches"])), ("p99_breach", 1))
        shared = self.report("canary", bad, bad, "--p99", "ttft:2s", status=4)
        self.assertTrue(shared["breaches"][0]["shared"])

    def test_a_limit_between_two_buckets_is_bounded_not_guessed(self):
        old = self.scrapes("old", 2400, 2, 100)
        seen = self.report("canary", old, old, "--slo", "ttft:3s", status=4)
        test = seen["tests"][1]
        self.assertLess(test["base"]["events"], test["base"]["events_at_most"])
        self.assertIn("between two buckets", scoville("canary", old, old, "--slo", "ttft:3s").stdout)

    def test_an_exported_range_is_read(self):
        seen = self.report("canary", str(ROOT / "examples/canary/control.json"), str(ROOT / "examples/canary/candidate.json"), "--slo", "ttft:2500")
        self.assertEqual(seen["verdict"], "go_on")
        self.assertEqual(seen["seen_ns"], 25 * HOUR * 10**9)
        broken = self.folder / "broken.json"
        broken.write_text('{"data": {"result": [{}]}}')
        self.fails(2, "canary", str(broken), str(broken), says="broken.json: expected a metric")

    def test_urls_are_scraped_until_a_verdict_stands(self):
        old, new = Fleet(20000, 20, 100), Fleet(20000, 90, 100)
        for fleet in (old, new):
            self.addCleanup(fleet.server_close)
            self.addCleanup(fleet.shutdown)
        watch = ("--interval", "100ms", "--for", "20s")
        seen = self.report("canary", old.url, new.url, *watch, status=3)
        self.assertEqual(seen["reason"], "worse")
        self.assertLess(new.scrapes, 20)  # not to the end of its time
        twin = Fleet(20000, 20, 100)
        self.addCleanup(twin.server_close)
        self.addCleanup(twin.shutdown)
        self.assertEqual(self.report("canary", old.url, twin.url, *watch, "--at-least", "300ms")["verdict"], "go_on")

    def test_what_cannot_be_read_is_one_line(self):
        old = self.scrapes("old", 10, 0, 0)
        self.fails(1, "canary", old, str(self.folder / "none.prom"), says="none.prom")
        self.fails(2, "canary", old, str(self.folder / "old/000.prom"), says="two scrapes")
        empty = self.folder / "empty"
        empty.mkdir()
        self.fails(2, "canary", old, str(empty), says="empty")
        page = self.folder / "page.prom"
        page.write_text("<html>\n")
        self.fails(2, "canary", old, str(page), says="page.prom")
        self.fails(2, "canary", old, "http://127.0.0.1:1/metrics", says="URL")
        self.fails(1, "canary", "http://127.0.0.1:1", "http://127.0.0.1:1", says="127.0.0.1")
        other = self.folder / "other"
        other.mkdir()
        for i in range(2):
            (other / f"{i}.prom").write_text(f"my_requests_total {i * 10}\nmy_failures_total 0\n")
        self.fails(1, "canary", str(other), str(other), says="--aliases")
        aliases = self.folder / "aliases.yaml"
        aliases.write_text("ways: [{engine: mine, requests: {name: my_requests_total}, failed: [{name: my_failures_total}]}]\n")
        seen = self.report("canary", str(other), str(other), "--aliases", str(aliases), status=4)
        self.assertEqual((seen["engine"], seen["requests"]), ("mine", 10))
        aliases.write_text("ways: [{engin: mine}]\n")
        self.fails(2, "canary", str(other), str(other), "--aliases", str(aliases), says="aliases.yaml:1")

    def test_unknown_failures_leave_the_verdict_open(self):
        fleet = self.folder / "bare"
        fleet.mkdir()
        for i in range(26):
            path = fleet / f"{i:02}.prom"
            path.write_text(f'vllm:request_success_total{{finished_reason="stop"}} {i * 9000}\n')
            os.utime(path, (1_700_000_000 + i * HOUR,) * 2)
        seen = self.report("canary", str(fleet), str(fleet), status=4)
        self.assertEqual((seen["reason"], seen["tests"][0]["state"], seen["tests"][0]["base"]), ("unknown", "unknown", None))


if __name__ == "__main__":
    harness.main()

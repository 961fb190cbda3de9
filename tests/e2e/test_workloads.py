#!/usr/bin/env python3
"""Loads that are more than requests at a rate: conversations, traces in time, cancelling, a probe beside, whole jobs.

    test_workloads.py BINARY
"""

import json
import re
import tempfile
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

CHINESE = re.compile(r"[\u4e00-\u9fff]")
QUICK = "ttft=1ms,itl=0,tokens=4"
TALK = [{"id": str(i), "conversations": [{"from": who, "value": f"{who} says {words} in talk {i}"} for words in ("one", "two", "three")
                                          for who in ("human", "gpt")]} for i in range(4)]


def batch(rows: int, url: str = "/v1/chat/completions") -> str:
    return "".join(json.dumps({"custom_id": f"r{i}", "method": "POST", "url": url,
                               "body": {"model": "scripted", "messages": [{"role": "user", "content": f"row {i}"}], "max_tokens": 4}})
                   + "\n" for i in range(rows))


class Workloads(EndToEnd):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, content, name: str = "data.jsonl") -> str:
        path = Path(self.folder.name, name)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def test_turns_of_a_conversation_carry_the_servers_own_answers(self):
        path = self.file(TALK)
        with Server(QUICK) as server:
            seen = self.report("bench", "--base-url", server.url, "--dataset-path", path, "--multi-turn", "--num-prompts", "12",
                               "--max-concurrency", "2", "--no-store")
            talks = seen["conversations"]
            self.assertEqual((talks["begun"], talks["requests"], talks["most_turns"], talks["turns_not_sent"]), (4, 12, 3, 0))
            lengths = [each["prompt_tokens_mean"] for each in talks["by_turn"]]
            self.assertEqual(sorted(lengths), lengths)  # each turn repeats all before it
            self.assertEqual(len(set(lengths)), 3)
            self.assertIsNone(seen["load"]["offered_per_s"])
            shown = scoville("bench", "--base-url", server.url, "--dataset-path", path, "--multi-turn", "--num-prompts", "12",
                             "--max-concurrency", "2", "--no-store", "--lang", "zh")
            self.assertIn("按会话轮次分组", shown.stdout)

    def test_think_time_is_part_of_a_turn_and_not_of_its_latency(self):
        with Server(QUICK) as server:
            seen = self.report("bench", "--base-url", server.url, "--dataset-path", self.file(TALK), "--multi-turn", "--num-prompts", "6",
                               "--max-concurrency", "2", "--think-time", "200ms", "--no-store")
            self.assertGreater(seen["window"]["full_s"], 0.4)
            self.assertLess(seen["metrics"]["ttft"]["max"], 200e6)

    def test_a_trace_keeps_its_times_at_another_speed_and_says_how_late_it_ran(self):
        rows = "".join(json.dumps({"timestamp": 40 * i, "input_length": 80, "output_length": 2, "hash_ids": [i % 3]}) + "\n" for i in range(50))
        path = self.file(rows)
        with Server(QUICK) as server:
            seen = self.report("bench", "--base-url", server.url, "--dataset-path", path, "--trace-speed", "10", "--no-store")
            self.assertEqual(seen["load"]["arrivals"], "trace")
            self.assertEqual(seen["load"]["trace_speed"], 10)
            self.assertEqual(seen["requests"]["attempted"], 50)
            self.assertAlmostEqual(seen["load"]["offered_per_s"], 250, delta=1)
            self.assertEqual(seen["lateness"]["n"], 50)
            self.assertGreaterEqual(seen["lateness"]["p50_ns"], 0)
            self.assertEqual(seen["lateness"]["held_by_cap"], 0)
            capped = self.report("bench", "--base-url", server.url, "--dataset-path", path, "--trace-speed", "1000", "--max-concurrency", "1",
                                 "--no-store")
            self.assertGreater(capped["lateness"]["held_by_cap"], 0)

    def test_requests_given_up_on_purpose_are_in_no_figure(self):
        with Server("ttft=1ms,itl=20ms,tokens=50") as server:
            seen = self.report("bench", "--base-url", server.url, "--num-prompts", "40", "--max-concurrency", "20", "--cancel-share", "50",
                               "--cancel-after", "100ms", "--no-store")
            chosen = seen["cancelled"]
            self.assertEqual(chosen["chosen"], chosen["given_up"])
            self.assertEqual(chosen["chosen"] + seen["requests"]["attempted"], 40)
            self.assertGreater(chosen["chosen"], 5)
            self.assertEqual(seen["requests"]["failed"], {})
            self.assertGreater(seen["metrics"]["e2e"]["min"], 900e6)  # none of the cancelled

    def test_a_probe_beside_a_closed_loop_has_its_own_latencies(self):
        with Server("ttft=5ms,itl=1ms,tokens=20,slots=2") as server:
            out = str(Path(self.folder.name, "vllm.json"))
            seen = self.report("bench", "--base-url", server.url, "--max-concurrency", "8", "--duration", "2s", "--probe-request-rate", "20",
                               "--no-store", "--output", out, "--format", "vllm")
            self.assertGreater(seen["probe"]["attempted"], 15)
            self.assertEqual(seen["probe"]["attempted"], seen["probe"]["succeeded"])
            # Two slots and a queue of six before it: at least two services of 24 ms until a slot is free.
            self.assertGreater(seen["probe"]["ttft"]["quantiles"]["50"]["value"], 40e6)
            theirs = json.loads(Path(out).read_text())
            self.assertEqual(theirs["probe_completed"], seen["probe"]["succeeded"])
            self.assertEqual(theirs["probe_failed"], 0)
            self.assertGreater(theirs["probe_p99_e2el_ms"], theirs["probe_median_e2el_ms"] * 0.999)

    def test_a_batch_file_is_a_job_with_a_time_a_tail_and_an_output_file(self):
        path = self.file(batch(40) + "not json\n")
        answers = Path(self.folder.name, "answers.jsonl")
        with Server("ttft=1ms,itl=1ms,tokens=4") as server:
            seen = self.report("bench", "--base-url", server.url, "--offline", path, "--max-concurrency", "8", "--offline-output", str(answers),
                               "--no-store")
            job = seen["offline"]
            self.assertEqual((job["rows"], job["succeeded"], job["failed"], job["complete"]), (40, 40, 0, True))
            self.assertAlmostEqual(job["rows_per_hour"], 40 / job["time_s"] * 3600, delta=1)
            self.assertGreaterEqual(job["output_tokens_per_s"]["without_tail"] or 0, job["output_tokens_per_s"]["whole"] * 0.9)
            lines = [json.loads(line) for line in answers.read_text().splitlines()]
            self.assertEqual([line["custom_id"] for line in lines], [f"r{i}" for i in range(40)])
            self.assertTrue(lines[0]["response"]["body"]["choices"][0]["message"]["content"])
            shown = scoville("bench", "--base-url", server.url, "--offline", path, "--no-store", "--lang", "zh")
            self.assertEqual(shown.returncode, 0)
            self.assertIn("每小时行数", shown.stdout)

    def test_any_file_of_prompts_can_be_a_job_and_is_stored_as_one(self):
        path = self.file("".join(json.dumps({"prompt": f"question {i}", "output_tokens": 3}) + "\n" for i in range(12)))
        store = ("--store", str(Path(self.folder.name, "runs.db")))
        with Server(QUICK) as server:
            seen = self.report("bench", "--base-url", server.url, "--offline", path, *store)
            self.assertEqual(seen["offline"]["rows"], 12)
        again = self.report("runs", "show", seen["run"], *store)
        self.assertEqual(again["offline"], seen["offline"])

    def test_a_job_is_refused_in_one_line_where_it_cannot_be_one(self):
        here = ("--base-url", "http://127.0.0.1:1")
        good = self.file(batch(2), "good.jsonl")
        self.fails(2, "bench", *here, "--offline", good, "--num-prompts", "5", says="--num-prompts")
        self.fails(2, "bench", *here, "--offline", good, "--request-rate", "5", says="--request-rate")
        self.fails(2, "bench", *here, "--offline", good, "--dialect", "tgi", says="OpenAI")
        self.fails(2, "bench", *here, "--offline", self.file(batch(1, "/v1/files"), "bad.jsonl"), says="/v1/files")
        self.fails(2, "bench", *here, "--offline-output", "x.jsonl", says="--offline")
        done = self.fails(2, "bench", *here, "--offline", good, "--duration", "5s", "--lang", "zh", says="--duration")
        self.assertRegex(done.stderr, CHINESE)


if __name__ == "__main__":
    harness.main()

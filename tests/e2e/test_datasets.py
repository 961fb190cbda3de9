#!/usr/bin/env python3
"""Prompts, conversations and traces of a file, and the shapes that are made here.    test_datasets.py BINARY"""

import csv
import json
import re
import tempfile
import unittest
from pathlib import Path

import harness
from harness import EndToEnd, Server, scoville

CASES = Path(__file__).resolve().parents[1] / "cases" / "open"
HERE = ("--base-url", "http://127.0.0.1:1")  # nothing is sent to it
CHINESE = re.compile(r"[\u4e00-\u9fff]")
QUICK = "ttft=1ms,itl=0,tokens=4"
BRIEF = ("--max-concurrency", "4", "--no-store")

MOONCAKE = "".join(json.dumps(row) + "\n" for row in (
    {"timestamp": 1000, "input_length": 600, "output_length": 3, "hash_ids": [1, 2]},
    {"timestamp": 1010, "input_length": 100, "output_length": 2, "hash_ids": [9]},
    {"timestamp": 1005, "input_length": 1500, "output_length": 4, "hash_ids": [1, 3, 4]},
    {"timestamp": 1020, "input_length": 60, "output_length": 0}))
AZURE = ("TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.9799600,48,3\r\n"
         "2023-11-16 18:17:04.0319600,318,2\r\n")
BURSTGPT = ("Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
            "5,1,10,ChatGPT,472,3,475,Conversation log\n5.02,1,3,GPT-4,108,2,110,Conversation log\n118,2,0,GPT-4,41,0,41,API log\n")
WORKLOAD = ('{"format":"scoville.workload/1","block_tokens":64}\n{"input_tokens":200,"output_tokens":3,"blocks":[1,2]}\n'
            '{"input_tokens":300,"output_tokens":2,"blocks":[1]}\n')
SHAREGPT = [{"id": str(i), "conversations": [{"from": "human", "value": f"question {i} of many"},
                                             {"from": "gpt", "value": "an answer of six words in all"}]} for i in range(3)]


class Datasets(EndToEnd):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def file(self, content, name: str = "data") -> str:
        path = Path(self.folder.name, name)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def rows(self, *args: str) -> list:
        """The requests that were sent, by the CSV of a run."""
        path = str(Path(self.folder.name, "out.csv"))
        seen = self.report("bench", *args, *BRIEF, "--output", path, "--format", "csv")
        self.assertEqual(seen["requests"]["failed"], {})
        with open(path, newline="") as file:
            return list(csv.DictReader(file))

    def lengths(self, *args: str) -> list:
        rows = self.rows(*args, "--num-warmups", "0")
        return sorted((int(row["prompt_tokens"]), int(row["max_tokens"])) for row in rows)

    def test_traces_have_the_lengths_of_their_rows_to_the_token(self):
        with Server(QUICK) as server:
            for content, expected in ((MOONCAKE, [(100, 2), (600, 3), (1500, 4)]), (AZURE, [(48, 3), (318, 2)]),
                                      (BURSTGPT, [(108, 2), (472, 3)]), (WORKLOAD, [(200, 3), (300, 2)])):
                with self.subTest(content[:40]):
                    self.assertEqual(self.lengths("--base-url", server.url, "--dataset-path", self.file(content),
                                                  "--num-prompts", str(len(expected))), expected)

    def test_rows_left_out_and_rows_sorted_are_said_with_their_reasons(self):
        with Server(QUICK) as server:
            seen = self.report("bench", "--base-url", server.url, "--dataset-path", self.file(MOONCAKE), "--num-prompts", "3", *BRIEF)
            self.assertGreaterEqual(self.codes(seen), {"rows_left_out", "rows_sorted"})
            self.assertIn("no output tokens (1: row 4)", json.dumps(seen["warnings"]))
            short = self.report("bench", "--base-url", server.url, "--num-prompts", "2", *BRIEF, "--dataset-path",
                                self.file('{"prompt_tokens":2,"output_tokens":2}\n{"prompt_tokens":90,"output_tokens":2}\n'))
            self.assertIn("prompts_lengthened", self.codes(short))

    def test_a_trace_is_replayed_unless_something_else_says_when_requests_leave(self):
        trace = self.file(MOONCAKE)
        with Server(QUICK) as server:
            to = ("--base-url", server.url, "--dataset-path", trace, "--no-store")
            load = self.report("bench", *to)["load"]
            self.assertEqual(load["num_prompts"], 3)
            self.assertAlmostEqual(load["offered_per_s"], 200)  # two gaps in 10 ms
            for words, rate in ((("--trace-speed", "2"), 400), (("--trace-speed", "2", "--max-concurrency", "2"), 400),
                                (("--self-timed",), 200), (("--fixed-schedule",), 200)):
                self.assertAlmostEqual(self.report("bench", *to, *words)["load"]["offered_per_s"], rate)
            for words, rate in ((("--request-rate", "500"), 500), (("--max-concurrency", "2"), None), (("--request-rate", "inf"), None)):
                load = self.report("bench", *to, *words, "--num-prompts", "4")["load"]
                self.assertEqual(load["num_prompts"], 4)
                self.assertEqual(load["offered_per_s"], rate)

    def test_dat_01_sharegpt(self):
        with Server(QUICK) as server:
            seen = self.report("bench", "--base-url", server.url, "--dataset-path", str(CASES / "DAT-01.json"), "--num-prompts", "3", *BRIEF)
            self.assertIn("5 of 8 rows are left out: no turns (2: row 1, 5); no prompt (2: row 3, 4); no answer (1: row 8)",
                          json.dumps(seen["warnings"]))
            self.assertNotIn("output_lengths_estimated", self.codes(seen))

    def test_answers_of_sharegpt_are_counted_by_the_server_or_fixed(self):
        path = self.file(SHAREGPT)
        with Server("ttft=1ms,itl=0,tokens=20") as server:
            to = ("--base-url", server.url, "--dataset-path", path, "--num-prompts", "3")
            self.assertEqual({int(row["max_tokens"]) for row in self.rows(*to)}, {7})
            self.assertEqual({int(row["max_tokens"]) for row in self.rows(*to, "--sharegpt-output-len", "5")}, {5})
            pruned = self.report("bench", *to, "--prune", "vllm", *BRIEF)
            self.assertNotIn("rows_pruned", self.codes(pruned))
            self.fails(2, "bench", *to, *BRIEF, "--prune", "vllm", "--sharegpt-output-len", "3", says="--prune vllm")

    def test_dat_02_and_custom_files(self):
        with Server(QUICK) as server:
            seen = self.report("bench", "--base-url", server.url, "--dataset-path", str(CASES / "DAT-02.jsonl"), "--num-prompts", "2", *BRIEF)
            self.assertIn("not UTF-8 from byte 14 of the line on (1: row 1)", json.dumps(seen["warnings"]))
            rows = self.rows("--base-url", server.url, "--num-prompts", "2", "--custom-output-len", "3", "--dataset-path",
                             self.file('{"prompt":"a b","output_tokens":9}\n[{"role":"user","content":"a b c"}]\n'))
            self.assertEqual({int(row["max_tokens"]) for row in rows}, {3})
            shuffled = self.rows("--base-url", server.url, "--num-prompts", "2", "--shuffle", "--dataset-path",
                                 self.file('{"prompt":"a b","output_tokens":2}\n{"prompt":"c","output_tokens":3}\n'))
            self.assertEqual({int(row["max_tokens"]) for row in shuffled}, {2, 3})

    def test_dat_04_what_exceeds_the_context_is_dropped_by_flag_or_by_what_the_server_tells(self):
        path = str(CASES / "DAT-04.jsonl")
        for script, words in ((QUICK, ("--context-limit", "4096")), (QUICK + ",context=4096", ())):
            with self.subTest(script), Server(script) as server:
                to = ("--base-url", server.url, "--dataset-path", path, "--num-prompts", "2", *words)
                self.assertEqual(self.lengths(*to), [(100, 100), (4095, 1)])
                seen = self.report("bench", *to, *BRIEF)
                self.assertIn("2 rows are left out (2, 3)", json.dumps(seen["warnings"]))
                self.fails(2, "bench", *to[:-len(words) or None], "--context-limit", "50", *BRIEF, says="50")

    def test_shared_prefixes_and_length_pairs(self):
        with Server(QUICK) as server:
            to = ("--base-url", server.url)
            prefixes = ("--dataset-name", "prefix_repetition", "--prefix-repetition-prefix-len", "100",
                        "--prefix-repetition-suffix-len", "50", "--prefix-repetition-num-prefixes", "2",
                        "--prefix-repetition-output-len", "3")
            self.assertEqual(self.lengths(*to, *prefixes, "--num-prompts", "6"), [(150, 3)] * 6)
            groups = "--dataset-name generated-shared-prefix --gsp-num-groups 2 --gsp-prompts-per-group 3 " \
                     "--gsp-system-prompt-len 100 --gsp-question-len 50 --gsp-output-len 2"
            self.assertEqual(self.lengths(*to, *groups.split()), [(150, 2)] * 6)
            pairs = self.lengths(*to, "--seq-dist", "100,2:50;200,3:50", "--num-prompts", "40")
            self.assertEqual(set(pairs), {(100, 2), (200, 3)})

    def test_conversations_go_on_turn_by_turn_and_grow(self):
        talk = [{"conversations": [{"from": "human" if i % 2 == 0 else "gpt", "value": f"five words in turn {i}"} for i in range(6)]}]
        with Server("ttft=1ms,itl=0,tokens=4") as server:
            to = ("--base-url", server.url, "--num-warmups", "0")
            for words, turns in ((("--multi-turn",), 3), (("--multi-turn", "--max-turns", "2"), 2), ((), 1)):
                rows = self.rows(*to, "--dataset-path", self.file(talk), "--num-prompts", str(turns), *words)
                lengths = sorted(int(row["prompt_tokens"]) for row in rows)
                self.assertEqual(len(lengths), turns)
                # Each turn adds the server's answer of 4 tokens, 5 words, and no more of the template than each message has.
                self.assertTrue(all(later - earlier >= 9 for earlier, later in zip(lengths, lengths[1:])), lengths)
            made = self.rows(*to, "--turns", "3", "--turn-input-len", "20", "--random-input-len", "100", "--num-prompts", "6")
            self.assertEqual(sorted(int(row["prompt_tokens"]) for row in made)[:2], [100, 100])

    def test_images_are_sent_to_a_chat_api_alone(self):
        with Server(QUICK) as server:
            to = ("--base-url", server.url, "--images-per-request", "2", "--image-size", "8x8", "--num-prompts", "2")
            seen = self.report("bench", *to, *BRIEF)
            self.assertEqual(seen["requests"]["succeeded"], 2)
            self.assertIn("2 noise images of 8x8", json.dumps(seen["workload"]))
            self.fails(2, "bench", *to, *BRIEF, "--dialect", "openai-completions", says="--images-per-request")

    def test_what_cannot_be_used_is_one_line_before_anybody_is_contacted(self):
        plain, trace = self.file("hello\n", "plain"), self.file(MOONCAKE, "trace")
        for args, says in ((("--dataset-path", plain), "--dataset-name"),
                           (("--dataset-path", self.file("", "empty")), "empty"),
                           (("--dataset-path", self.file('{"prompt":""}\n', "none")), "row 1"),
                           (("--dataset-path", plain, "--dataset-name", "azure"), "TIMESTAMP"),
                           (("--dataset-path", plain, "--dataset-name", "random"), "--dataset-path"),
                           (("--dataset-name", "sharegpt"), "--dataset-path"),
                           (("--dataset-path", trace, "--trace-speed", "2", "--request-rate", "5"), "--request-rate"),
                           (("--dataset-path", trace, "--trace-speed", "2", "--shuffle"), "--shuffle"),
                           (("--trace-speed", "2"), "--trace-speed"),
                           (("--dataset-path", self.file(WORKLOAD, "w"), "--trace-speed", "2"), "--trace-speed"),
                           (("--dataset-path", trace, "--multi-turn"), "--multi-turn"),
                           (("--dataset-path", trace, "--turns", "2"), "--turns"),
                           (("--turn-input-len", "20"), "--turns"),
                           (("--multi-turn",), "--multi-turn"), (("--shuffle",), "--shuffle"),
                           (("--sharegpt-output-len", "5"), "--sharegpt-output-len"),
                           (("--prefix-repetition-prefix-len", "5"), "prefix_repetition"),
                           (("--seq-dist", "100,2:1", "--random-input-len", "5"), "--seq-dist"),
                           (("--images-per-request", "1", "--turns", "2"), "--images-per-request")):
            for lang in ("en", "zh"):
                with self.subTest(f"{args} {lang}"):
                    done = self.fails(2, "bench", *HERE, *args, "--lang", lang, says=says if lang == "en" else "")
                    if lang == "zh":
                        self.assertRegex(done.stderr, CHINESE)


if __name__ == "__main__":
    harness.main()

#!/usr/bin/env python3
"""What bench says of a server whose true times are known.    test_measurement.py BINARY

Upper limits leave room for a busy machine; lower ones are exact, for no server can be faster than its script.
"""

import unittest

import harness
from harness import EndToEnd, Server, scoville

MS = 1_000_000


class Prompts(EndToEnd):
    def test_prompts_have_exactly_the_length_asked_for_with_a_tokenizer_and_without(self):
        for tokenize in ("yes", "no"):
            for dialect in ("openai", "openai-completions"):
                with self.subTest(f"{tokenize} {dialect}"), Server(f"ttft=1ms,itl=1ms,tokenize={tokenize}") as server:
                    report = self.report("bench", "--base-url", server.url, "--dialect", dialect, "--num-prompts", "20",
                                         "--max-concurrency", "4", "--random-input-len", "uniform:40:90",
                                         "--random-output-len", "4")
                    lengths = report["dataset"]["prompt_tokens"]
                    self.assertEqual(lengths["n"], 20)
                    self.assertEqual(lengths["mean_absolute_deviation"], 0)
                    self.assertEqual(lengths["measured_mean"], lengths["asked_mean"])
                    self.assertTrue(report["dataset"]["lengths_exact"])
                    self.assertEqual(report["dataset"]["distinct_share"], 1)

    def test_repeats_of_a_run_share_their_workload_but_not_their_prompts(self):
        with Server("ttft=1ms,itl=1ms") as server:
            run = ("bench", "--base-url", server.url, "--num-prompts", "3", "--random-input-len", "32",
                   "--random-output-len", "4", "--seed", "5")
            first, second = self.report(*run), self.report(*run)
            self.assertEqual(first["workload"]["dataset_hash"], second["workload"]["dataset_hash"])
            self.assertNotEqual(first["run"], second["run"])


class Load(EndToEnd):
    def bench(self, script: str, *args: str) -> dict:
        with Server(script) as server:
            return self.report("bench", "--base-url", server.url, "--random-input-len", "16", *args)

    def test_a_closed_loop_keeps_its_concurrency_and_never_exceeds_it(self):
        report = self.bench("ttft=20ms,itl=2ms,tokens=20", "--max-concurrency", "8", "--num-prompts", "64",
                            "--random-output-len", "20")
        self.assertEqual(report["load"]["kind"], "closed")
        self.assertEqual(report["load"]["in_flight"]["peak"], 8)
        self.assertGreater(report["load"]["in_flight"]["mean"], 6)
        self.assertEqual(report["requests"]["succeeded"], 64)

    def test_an_open_loop_achieves_the_rate_that_it_offers(self):
        report = self.bench("ttft=5ms,itl=1ms,tokens=5", "--request-rate", "100", "--arrivals", "constant",
                            "--num-prompts", "200", "--random-output-len", "5")
        self.assertEqual(report["load"]["offered_per_s"], 100)
        self.assertTrue(90 <= report["load"]["achieved_per_s"] <= 110, report["load"])

    def test_a_slow_server_does_not_slow_an_open_loop_down(self):
        # 20 slots of 1 s would be needed; there are 2. A client that waits for answers would send 2 a second.
        report = self.bench("ttft=1s,itl=0s,tokens=1,slots=2", "--request-rate", "20", "--arrivals", "constant",
                            "--num-prompts", "12", "--random-output-len", "1", "--num-warmups", "0")
        self.assertTrue(18 <= report["load"]["achieved_per_s"] <= 24, report["load"])
        self.assertGreaterEqual(report["load"]["in_flight"]["peak"], 10)

    def test_one_slot_for_four_clients_makes_each_wait_for_the_other_three(self):
        # Each holds the slot for its TTFT of 20 ms. When a client comes back, three are before it: 3 · 20 + 20 = 80 ms.
        alone = self.bench("ttft=20ms,itl=0s,tokens=1,slots=1", "--max-concurrency", "1", "--num-prompts", "20",
                           "--random-output-len", "1")
        queued = self.bench("ttft=20ms,itl=0s,tokens=1,slots=1", "--max-concurrency", "4", "--num-prompts", "40",
                            "--random-output-len", "1")
        median = [each["metrics"]["ttft"]["quantiles"]["50"]["value"] for each in (alone, queued)]
        self.assertTrue(20 * MS <= median[0] <= 26 * MS, median)
        self.assertTrue(78 * MS <= median[1] <= 104 * MS, median)

    def test_ttft_tpot_and_e2e_are_those_of_the_script(self):
        report = self.bench("ttft=40ms,itl=5ms,tokens=21", "--max-concurrency", "1", "--num-prompts", "12",
                            "--random-output-len", "21")
        metrics = report["metrics"]
        median = {name: metrics[name]["quantiles"]["50"]["value"] for name in ("ttft", "tpot", "icl", "e2e")}
        self.assertTrue(40 * MS <= median["ttft"] <= 44 * MS, median)
        self.assertTrue(4.9 * MS <= median["tpot"] <= 5.5 * MS, median)
        self.assertTrue(4.5 * MS <= median["icl"] <= 5.5 * MS, median)
        self.assertTrue(140 * MS <= median["e2e"] <= 155 * MS, median)  # 40 + 20 · 5

    def test_tokens_per_event_do_not_change_the_time_per_token(self):
        # Four tokens an event every 8 ms: 2 ms a token, whatever the events look like.
        report = self.bench("ttft=10ms,itl=8ms,tokens=40,chunk=4,usage=continuous", "--max-concurrency", "1",
                            "--num-prompts", "12", "--random-output-len", "40")
        self.assertEqual(report["workload"]["tokens_per_event"], 4)
        self.assertTrue(1.95 * MS <= report["metrics"]["tpot"]["quantiles"]["50"]["value"] <= 2.2 * MS)
        self.assertIn("multi_token_chunks", self.codes(report))

    def test_latency_of_an_open_loop_counts_from_when_a_request_was_due(self):
        # All eight are due at once, one at a time is let through: the last waits for seven answers of 20 ms.
        report = self.bench("ttft=20ms,itl=0s,tokens=1", "--request-rate", "100000", "--arrivals", "constant",
                            "--max-concurrency", "1", "--num-prompts", "8", "--random-output-len", "1",
                            "--num-warmups", "0")
        self.assertGreaterEqual(report["metrics"]["ttft"]["max"], 8 * 20 * MS - MS)
        self.assertLess(report["metrics"]["from_written"]["ttft"]["quantiles"]["50"]["value"], 30 * MS)

    def test_all_attempted_requests_count_for_goodput(self):
        report = self.bench("ttft=20ms,itl=1ms,tokens=5", "--max-concurrency", "2", "--num-prompts", "10",
                            "--random-output-len", "5", "--goodput", "ttft:5")
        self.assertEqual((report["goodput"]["attempted"], report["goodput"]["good"]), (10, 0))


class Output(EndToEnd):
    def test_the_json_object_has_the_documented_keys_on_stdout_and_in_the_file(self):
        with Server("ttft=1ms,itl=1ms") as server:
            file = f"{server.folder}/run.json"
            done = scoville("bench", "--base-url", server.url, "--num-prompts", "3", "--random-output-len", "5",
                            "--json", "--output", file)
            report = self.one_object(done.stdout)
            with open(file, encoding="utf-8") as written:
                self.assertEqual(self.one_object(written.read()), report)
        for key in ("schema", "run", "method_version", "system", "workload", "load", "instrument", "requests",
                    "metrics", "figures", "warnings"):
            self.assertIn(key, report)
        self.assertEqual(set(report["figures"]), {"memory", "power", "unit_cost"})
        for figure in report["figures"].values():
            self.assertIsNone(figure["value"])
            self.assertTrue(figure["reason"])

    def test_quickstart_measures_its_own_server(self):
        done = scoville("quickstart", "--scripted", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = self.one_object(done.stdout)
        self.assertEqual(report["requests"]["succeeded"], report["requests"]["attempted"])


if __name__ == "__main__":
    harness.main()
